import type { DataFile } from '../../common/data-file.ts';
import { type Operations, operationIds } from '../catalog/operations.ts';
import { describeValue } from './describe-value.ts';
import { UsageError } from './profile.ts';

/** The maximum length of a base URL, in characters. Many servers reject longer URLs. */
const longestUrl = 2_048;

/**
 * Returns the base URL of the overrides or, by default, of the profile, without trailing slashes. Returns an empty
 * text if no base URL is stated and `sendsNothing` is true. Throws a `UsageError` or a `DataFileError` if the base
 * URL is missing or invalid.
 */
export function readBaseUrl(
  inProfile: unknown,
  { baseUrl, sendsNothing }: { readonly baseUrl?: string; readonly sendsNothing?: boolean },
  file: DataFile | undefined,
): string {
  const text = baseUrl ?? inProfile;
  if (sendsNothing && text === undefined) return '';
  const invalid = (problem: string): Error =>
    baseUrl === undefined && file
      ? file.error(['baseUrl'], `baseUrl ${problem}`)
      : new UsageError(`The base URL ${problem}`);
  if (baseUrl === '') throw invalid('is empty. Expected a URL such as https://gateway.example.');
  if (typeof text !== 'string' || text === '') {
    throw (
      file?.error(
        ['baseUrl'],
        'the base URL is missing. Add baseUrl to the profile or, for a single gateway, use --base-url.',
      ) ?? new UsageError('The base URL is missing. Give it as an argument, or set baseUrl in a profile.')
    );
  }
  if (!URL.canParse(text))
    throw invalid(
      `${describeValue(text)} is not a valid URL. ${suggestUrl(text) || 'Expected a URL such as https://gateway.example.'}`,
    );
  if (text.length > longestUrl)
    throw invalid(
      `has ${text.length} characters, more than the limit of ${longestUrl}. Shorten the base URL. The base URL must end before /v1, because request paths are appended.`,
    );
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalid(
      `${describeValue(text)} is not an HTTP URL. ${suggestUrl(text) || 'The URL must begin with http:// or https://.'}`,
    );
  }
  if (url.username || url.password)
    throw invalid(
      'must not contain a user name or password. Remove them: gateways authenticate clients by API key.',
    );
  if (url.search || url.hash)
    throw invalid(
      'must not contain `?` or `#`, because request paths are appended to the base URL. Remove the query or the fragment.',
    );
  return text.replace(/\/+$/, '');
}

/** Returns a question with the URL that a host without a scheme stands for; an empty text for any other text. */
function suggestUrl(text: string): string {
  const [, host = '', port] = /^([a-z0-9][a-z0-9.-]*|\[[0-9a-f:]+\])(:\d+)?(?:\/.*)?$/i.exec(text) ?? [];
  const isLocal = host === 'localhost' || port !== undefined || /^[\d.]+$|^\[/.test(host);
  const url = `${isLocal ? 'http' : 'https'}://${text}`;
  const isHost = host !== '' && (isLocal || host.includes('.')) && URL.canParse(url);
  return isHost ? `Did you mean ${url}?` : '';
}

/**
 * Returns a hint with the likely base URL if the base URL ends with the beginning of a request path, such as `/v1` or
 * `/v1/chat/completions`; otherwise undefined.
 */
export function formatBaseUrlHint(baseUrl: string, operations: Operations): string | undefined {
  if (!URL.canParse(baseUrl)) return undefined;
  const given = segmentsOf(new URL(baseUrl).pathname);
  const lengths = operationIds.map((id) => countOverlap(given, segmentsOf(pathOf(operations[id].request))));
  const longest = Math.max(...lengths);
  if (longest === 0) return undefined;
  const ending = given.slice(-longest).join('/');
  const rest = [new URL(baseUrl).origin, ...given.slice(0, -longest)].join('/');
  const example = operations.models.request?.split(' ')[1];
  return `The base URL ends in /${ending}, but request paths such as ${example} are appended to the base URL. Did you mean ${rest}?`;
}

/**
 * Returns the largest number of segments at the end of a base URL (`given`) that are also the first segments of a
 * request path.
 */
function countOverlap(given: readonly string[], path: readonly string[]): number {
  const lengths = path.map((_, index) => path.length - index);
  return (
    lengths.find((length) => {
      const end = given.slice(-length);
      return end.length === length && end.every((segment, index) => matches(segment, path[index] ?? ''));
    }) ?? 0
  );
}

function matches(segment: string, expected: string): boolean {
  const [before = '', after] = expected.split(/\{[^}]*\}/);
  return after === undefined
    ? segment === expected
    : segment.length >= before.length + after.length && segment.startsWith(before) && segment.endsWith(after);
}

function pathOf(requestLine = ''): string {
  return (requestLine.split(' ')[1] ?? '').split('?')[0] ?? '';
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}
