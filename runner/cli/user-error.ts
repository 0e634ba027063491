import { DataFileError } from '../catalog/data-file.ts';
import { UsageError } from '../profile/profile.ts';
import { exitCodes } from '../report/exit-code.ts';

/** The user left instead of giving an answer. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** A file that is to be written later can't be, which is found before anything is done. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError';
}

/** Whether an error is the user's to mend, and so is told without a stack. */
export function isUserError(error: unknown): error is Error {
  return (
    error instanceof DataFileError ||
    error instanceof UsageError ||
    error instanceof UnwritableError ||
    isListenError(error)
  );
}

/** The exit code of what is the user's to mend. */
export function userErrorCode(error: Error): number {
  return error instanceof UnwritableError ? exitCodes.reportNotWritten : exitCodes.usage;
}

function isListenError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'syscall' in error &&
    (error.syscall === 'listen' || error.syscall === 'getaddrinfo')
  );
}
