import { withDecisions } from '../combine-setups.ts';
import { allOf, isStreamed, onOperation } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, setMessage } from './overrides.ts';

/** Faults in the errors of streamed calls that need more than a rule. */
export const streamErrorFaults: readonly Fault[] = [
  {
    id: 'stream/model-not-needed',
    about: 'Calls a default model if the `model` of a streamed chat call is missing, empty or not a string.',
    violates: ['streams/invalid-model', 'streams/error-before-start'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('chat'), isStreamed), (base) => ({
        findBodyProblem: (body, ctx) => {
          const problem = base.findBodyProblem(body, ctx);
          return problem?.place === 'model' ? undefined : problem;
        },
        modelIdOf: (ctx) => base.modelIdOf(ctx) || 'gpt-reference',
      })),
    ),
  },
  {
    id: 'stream/message-tells-of-the-stream',
    about: 'Sends the message `It could not be started.` if a streamed chat call lacks a member.',
    violates: ['streams/message-names-fault'],
    setup: withDecisions(
      applyWhere(
        allOf(
          onOperation('chat'),
          isStreamed,
          ({ failure }) => failure?.kind === 'invalid-body' && failure.expected.startsWith('present'),
        ),
        setMessage('It could not be started.'),
      ),
    ),
  },
  {
    id: 'stream/bodies-unchecked',
    about: 'Does not validate the body of a streamed chat call.',
    violates: ['streams/invalid-body'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('chat'), isStreamed), () => ({ findBodyProblem: () => undefined })),
    ),
  },
];
