import type { Attributes } from '../../catalog/condition.ts';
import type { Profile } from '../../profile/profile.ts';
import type { RecordedExchange } from '../../recordings/recorded-exchange.ts';
import { queryNames } from '../../request/keys.ts';
import { findSecretsInUrl } from '../hide-keys.ts';
import { inferParameters, selectParameterAttributes } from './infer-parameters.ts';
import { createOperationMatcher, type OperationMatch, parseUrl } from './match-operation.ts';
import { createMemo, createNumbering } from './memo.ts';

/** Information from the URL of a request. */
export interface UrlInference {
  /** The key in the query, and the value of the attribute `header` for its parameter. */
  readonly key: { readonly place: string; readonly value: string } | undefined;
  readonly secrets: readonly string[];
  readonly match: OperationMatch | undefined;
  readonly attributes: Attributes;
  /** Whether the query contains only parameters of the operation, and those for a key. */
  readonly isPlain: boolean;
  /** A number that identifies `attributes` and `isPlain` in cache keys. */
  readonly id: number;
}

/** Infers attributes from a URL. `readBody` is called only if operations differ by their bodies. */
export type InferFromUrl = (request: RecordedExchange['request'], readBody: () => unknown) => UrlInference;

/** Creates the inference; results are cached unless operations differ by their bodies. */
export function createInferFromUrl(profile: Profile): InferFromUrl {
  const { match: matchOperation, readsBodies } = createOperationMatcher(profile);
  const memo = createMemo<UrlInference>();
  const numberOf = createNumbering();
  return ({ method, url }, readBody) => {
    const infer = (): UrlInference => {
      const parsed = parseUrl(url);
      const match = matchOperation({ method, url, parsed }, readBody);
      const attributes = match
        ? selectParameterAttributes(match.operation, inferParameters(match.values, profile, match.inPath))
        : {};
      const isPlain =
        match?.extraParameters.every((name) => Object.values(queryNames).includes(name)) ?? true;
      return {
        key: parsed && findKey(parsed.searchParams),
        secrets: findSecretsInUrl(parsed),
        match,
        attributes,
        isPlain,
        id: numberOf(JSON.stringify([attributes, isPlain])),
      };
    };
    return readsBodies ? infer() : memo(`${method.length} ${method} ${url}`, infer);
  };
}

function findKey(query: URLSearchParams): UrlInference['key'] {
  const [place, name] = Object.entries(queryNames).find(([, own]) => query.has(own)) ?? [];
  return place === undefined || name === undefined ? undefined : { place, value: query.get(name) ?? '' };
}
