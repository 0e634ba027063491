import type { OperationId } from '../catalog/operations.ts';
import type { Probed, ProbedOperation } from '../probe.ts';
import { modelOperation } from '../profile/profile.ts';

/** The outcome of the valid requests to an operation, in a line; undefined where there was nothing to report. */
export function describeOperation(id: OperationId, operation: ProbedOperation): string | undefined {
  const { kind, failure } = operation;
  const summary = failure?.summary ?? 'no answer';
  const model =
    failure?.model === undefined ? '' : `; it asked for the model ${JSON.stringify(failure.model)}`;
  switch (kind) {
    case 'succeeded':
      return describeSuccess(operation);
    case 'presumed':
      return 'not tried: the profile does not state what a request of it needs';
    case 'no-model':
      return `not tried: no model is known; add \`--model ${id}=ID\``;
    case 'not-offered':
      return failure && `not offered: ${summary}${model}`;
    case 'absent':
      return `not found: ${summary}${model}`;
    case 'web-page':
      return `a web page answers: ${summary}`;
    case 'unknown-model':
      return `unknown model: ${summary}${model}; name another with \`--model ${modelOperation(id)}=ID\``;
    case 'refused':
      return `the key is refused: ${summary}`;
    case 'failed':
      return `failed: ${summary}${model}`;
  }
}

/** The headers in which the key was accepted, and whether the operation streams. */
export function describeSuccess({ headers, streams, streamFailure }: ProbedOperation): string {
  const stream = streamFailure ? `; streaming failed: ${streamFailure.summary}` : streams ? '; streams' : '';
  return `key accepted in ${headers.join(', ')}${stream}`;
}

/** The same for a comment in a profile: statuses without the words of the gateway. */
export function describeBriefly({ operations }: Probed, id: OperationId): string {
  const { kind, failure, headers } = operations[id];
  const status = failure?.status === undefined ? '' : ` (${failure.status})`;
  switch (kind) {
    case 'succeeded':
      return `found; key accepted in ${headers.join(', ')}`;
    case 'presumed':
      return 'not tried';
    case 'no-model':
      return 'not tried: no model is known';
    case 'not-offered':
    case 'failed':
      return failure ? `a valid request failed${status}` : 'not tried';
    case 'absent':
      return `not found${status}`;
    case 'web-page':
      return 'a web page answers';
    case 'unknown-model':
      return `the gateway does not know the model${status}`;
    case 'refused':
      return `the key was refused${status}`;
  }
}
