import type { Reply } from '../wire/response.ts';
import type { CompletedCall } from './context.ts';
import type { RequestFailure } from './request-failure.ts';

/** The result of an operation: a response, or a failure that the checks before the operation did not find. */
export type OperationResult =
  | {
      readonly kind: 'response';
      readonly response: Reply;
      readonly call: CompletedCall | undefined;
    }
  | { readonly kind: 'refused'; readonly failure: RequestFailure };
