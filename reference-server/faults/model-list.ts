import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { allOf, isRefused, not, onOperation, withKey } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, combineOverrides, sendText, setStatus } from './overrides.ts';

const isModelList = allOf(onOperation('models'), not(isRefused));

/**
 * Records every unknown model ID of a call, so that `show` can add the IDs to the list. The override has state: create
 * an override for each server.
 */
const rememberUnknownModels = (show: (ids: readonly string[]) => Overrides): Overrides => {
  const unknown = new Set<string>();
  return (base) => ({
    findModel: (id, ctx) => {
      const found = base.findModel(id, ctx);
      if (!found) unknown.add(id);
      return found;
    },
    ...show([])(base),
    createModelList: (entries, ctx) => show([...unknown])(base).createModelList?.(entries, ctx) ?? null,
  });
};

/** Faults in which the model list is missing, unreadable or wrong. */
export const modelListFaults: readonly Fault[] = [
  {
    id: 'model-list/html',
    about: 'Responds to model-list requests with a web page.',
    violates: ['models/list-json', 'models/list-names-good-model'],
    setup: withDecisions(applyWhere(isModelList, sendText('text/html', '<ul><li>gpt-reference</li></ul>'))),
  },
  {
    id: 'model-list/lines',
    about: 'Responds to model-list requests with plain text, one model per line.',
    violates: ['models/list-json'],
    setup: withDecisions(
      applyWhere(isModelList, sendText('text/plain', 'gpt-reference\nclaude-reference\ngemini-reference\n')),
    ),
  },
  {
    id: 'model-list/empty',
    about: 'Lists no models.',
    violates: ['models/list-names-good-model'],
    setup: withDecisions(() => ({ listModels: () => [] })),
  },
  {
    id: 'model-list/stale',
    about: 'Omits the callable model `gemini-reference` from the model list.',
    violates: ['models/list-names-good-model'],
    setup: withDecisions((base) => ({
      listModels: (ctx) => base.listModels(ctx).filter(({ id }) => id !== 'gemini-reference'),
    })),
  },
  {
    id: 'model-list/display-names',
    about: 'Lists display names instead of model IDs.',
    violates: ['models/list-names-good-model'],
    setup: withDecisions(() => ({ createModelEntry: (model) => ({ name: model.id.replaceAll('-', ' ') }) })),
  },
  {
    id: 'model-list/crashes',
    about: 'Responds to model-list requests with 500.',
    violates: ['models/list-succeeds'],
    setup: withDecisions(() => ({
      createModelList: () => {
        throw new Error('a defect');
      },
    })),
  },
  {
    id: 'model-list/forbidden',
    about: 'Responds to model-list requests with 403 for a key that may call models.',
    violates: ['models/list-succeeds'],
    setup: withDecisions(
      combineOverrides(
        applyWhere(allOf(onOperation('models'), withKey('valid')), () => ({ isKeyValid: () => false })),
        applyWhere(allOf(onOperation('models'), withKey('valid'), isRefused), setStatus(403)),
      ),
    ),
  },
  {
    id: 'model-list/elsewhere',
    about: 'Redirects model-list requests to `/models`.',
    violates: ['models/list-succeeds'],
    setup: withDecisions(
      applyWhere(isModelList, () => ({
        finish: (response) => ({ ...response, status: 302, headers: [['location', '/models']] }),
      })),
    ),
  },
  {
    id: 'model-list/echoes-calls',
    about: 'Adds every unknown model that a client calls to the model list.',
    violates: ['models/list-omits-unlisted'],
    setup: () => ({
      decisions: rememberUnknownModels((ids) => (base) => ({
        createModelList: (entries, ctx) =>
          base.createModelList([...entries, ...ids.map((id) => ({ id }))], ctx),
      })),
    }),
  },
  {
    id: 'model-list/suggests-calls',
    about:
      'Adds the unknown models of calls, at most the latest 200, to the model list in a separate member.',
    violates: ['models/list-omits-unlisted'],
    setup: () => ({
      decisions: rememberUnknownModels((ids) => () => ({
        createModelList: (entries) => ({ data: entries, recently_requested: ids.slice(-200) }),
      })),
    }),
  },
];
