import { join } from 'node:path';
import { readDataFile } from '../../common/data-file.ts';
import { isObject } from '../../common/mapping.ts';
import { packageRoot } from '../../common/package-root.ts';
import { protocolVersion } from '../../common/specification.ts';
import type { ReceivedRequest } from '../journal.ts';
import type { ClientMistake } from './shown-request.ts';

const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key'];

/** The duties of clients that one request alone can neglect, by their ID in `specs/client-duties.yaml`. */
const neglected: Readonly<Record<string, (request: ReceivedRequest, versionHeader: string) => boolean>> = {
  'client/one-header': ({ headers }) => keyHeaders.filter((name) => headers[name] !== undefined).length > 1,
  'client/version-header': ({ operation, headers }, versionHeader) =>
    (operation === 'messages' || operation === 'countMessageTokens') &&
    headers[versionHeader.toLowerCase()] !== protocolVersion,
  'client/json-content-type': ({ body, headers }) =>
    body !== undefined && !/^application\/json *(;|$)/i.test(headers['content-type'] ?? ''),
};

let sentences: ReadonlyMap<string, string> | undefined;

function readSentences(): ReadonlyMap<string, string> {
  const { value } = readDataFile(join(packageRoot, 'specs', 'client-duties.yaml'));
  const duties: readonly unknown[] = Array.isArray(value) ? value : [];
  return new Map(
    duties.flatMap((duty) => (isObject(duty) ? [[String(duty.id), String(duty.says)] as const] : [])),
  );
}

/**
 * Returns the duties that a client neglects in a request to an operation, though the gateway may serve it; none for
 * any other path.
 */
export function findClientMistakes(
  request: ReceivedRequest,
  versionHeader: string,
): readonly ClientMistake[] {
  if (request.operation === undefined) return [];
  sentences ??= readSentences();
  const says = sentences;
  return Object.entries(neglected).flatMap(([duty, isNeglected]) =>
    isNeglected(request, versionHeader) ? [{ duty, says: says.get(duty) ?? '' }] : [],
  );
}
