import { DataFileError } from '../catalog/data-file.ts';
import { UsageError } from '../profile/profile.ts';

/** The user left instead of giving an answer. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** Whether an error is the user's to mend, and so is told without a stack. */
export function isUserError(error: unknown): error is Error {
  return error instanceof DataFileError || error instanceof UsageError || isListenError(error);
}

function isListenError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'syscall' in error &&
    (error.syscall === 'listen' || error.syscall === 'getaddrinfo')
  );
}
