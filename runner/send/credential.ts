/** Where a credential goes: headers, and for one place the query. */
export interface Credential {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string | undefined;
}

const places: Readonly<Record<string, (key: string) => Credential>> = {
  bearer: (key) => inHeaders({ authorization: `Bearer ${key}` }),
  'x-api-key': (key) => inHeaders({ 'x-api-key': key }),
  'x-goog-api-key': (key) => inHeaders({ 'x-goog-api-key': key }),
  none: () => inHeaders({}),
  query: (key) => ({ headers: {}, query: `key=${encodeURIComponent(key)}` }),
  basic: (key) => inHeaders({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }),
  token: (key) => inHeaders({ authorization: `Token ${key}` }),
  raw: (key) => inHeaders({ authorization: key }),
  'lower-case-bearer': (key) => inHeaders({ authorization: `bearer ${key}` }),
  'api-key': (key) => inHeaders({ 'api-key': key }),
  two: (key) => inHeaders({ authorization: `Bearer ${key}`, 'x-api-key': key }),
};

/** Puts a key where the fact `header` says; throws on a place that doesn't exist. */
export function placeCredential(place: string, key: string): Credential {
  const put = places[place];
  if (!put) throw new Error(`There is no place "${place}" for a credential.`);
  return put(key);
}

function inHeaders(headers: Readonly<Record<string, string>>): Credential {
  return { headers, query: undefined };
}
