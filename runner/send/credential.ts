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
  query: (key) => inQuery('key', key),
  'query-api-key': (key) => inQuery('api_key', key),
  'query-access-token': (key) => inQuery('access_token', key),
  basic: (key) => inHeaders({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }),
  'basic-password': (key) =>
    inHeaders({ authorization: `Basic ${Buffer.from(`user:${key}`).toString('base64')}` }),
  'basic-plain': (key) => inHeaders({ authorization: `Basic ${key}` }),
  'api-key-scheme': (key) => inHeaders({ authorization: `ApiKey ${key}` }),
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

function inQuery(name: string, key: string): Credential {
  return { headers: {}, query: `${name}=${encodeURIComponent(key)}` };
}
