import {
  openGateway,
  type PlainChange,
  type PlainGateway,
  type PlainRequest,
  type PlainResponse,
  setups,
} from './project.ts';
import { advanceTo, drawnUuids, restartTime, seedRandom, startOfTime } from './virtual.ts';

/** What the suite does to a gateway, in order. Requests with the same `batch` overlap. */
export type Script = readonly ScriptEvent[];
export type ScriptEvent =
  | {
      readonly kind: 'request';
      /** The virtual time, in milliseconds after its start. */
      readonly at: number;
      readonly request: PlainRequest;
      readonly connection?: string;
      readonly batch?: number;
    }
  | {
      readonly kind: 'change';
      readonly at: number;
      readonly change: PlainChange;
      /** The values of a created key. Later requests contain these values. */
      readonly created: Readonly<Record<string, string>>;
    };

export const textOf = ({ method, path, headers, body = '' }: PlainRequest): string =>
  [
    `${method} ${path}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\n');

/**
 * Returns a function that seeds the random numbers for an event, so that they depend on the event and on how often it
 * happened, but not on other events.
 */
export function createSeeding(): (text: string) => void {
  const times = new Map<string, number>();
  return (text) => {
    const time = (times.get(text) ?? 0) + 1;
    times.set(text, time);
    seedRandom(`${text}\n${time}`);
  };
}

/** Opens a gateway at the start of the virtual time. `conforms`: with the profile of the setup, but without its defect. */
export function openAtStart(id: string, conforms = false): PlainGateway {
  const found = setups.find((one) => one.id === id);
  if (!found) throw new Error(`No setup has the ID "${id}".`);
  restartTime();
  seedRandom(id);
  return openGateway(found.setup(), conforms);
}

/** Replays a script on a gateway, and returns the text of each response. */
export async function replay(script: Script, gateway: PlainGateway): Promise<string[]> {
  const seed = createSeeding();
  const names = nameUuids();
  const texts: string[] = [];
  // The values of created keys as recorded, and as created now.
  const renamed: (readonly [from: string, to: string])[] = [];
  const rename = (text: string): string =>
    renamed.reduce((whole, [from, to]) => whole.replaceAll(from, to), text);
  const renameAll = (values: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    renamed.length === 0
      ? values
      : Object.fromEntries(Object.entries(values).map(([name, value]) => [name, rename(value)]));
  let open: Promise<void>[] = [];
  let batch: number | undefined;
  for (const event of script) {
    if (event.kind === 'change' || event.batch !== batch) {
      await Promise.all(open);
      open = [];
    }
    advanceTo(startOfTime + event.at);
    if (event.kind === 'change') {
      seed(JSON.stringify(event.change));
      const { action, values } = event.change;
      const made = gateway.change({ action, values: renameAll(values) });
      for (const [name, from] of Object.entries(event.created)) {
        const to = made[name] ?? from;
        if (to !== from) renamed.push([from, to]);
      }
      continue;
    }
    const { request, connection = 'one' } = event;
    const own =
      renamed.length === 0
        ? request
        : {
            ...request,
            path: rename(request.path),
            headers: renameAll(request.headers),
            body: request.body === undefined ? undefined : rename(request.body),
          };
    batch = event.batch;
    const index = texts.push('') - 1;
    seed(textOf(own));
    const overlaps = batch !== undefined;
    const responding = gateway.handle(own, connection).then((response) => {
      if (!overlaps) names.note(index);
      texts[index] = names.replace(formatResponse(response));
    });
    // Later, the drawn UUIDs may be those of an overlapping request.
    names.note(index);
    if (overlaps) open.push(responding);
    else await responding;
  }
  await Promise.all(open);
  return texts;
}

function formatResponse({
  status,
  reason,
  headers,
  after,
  framing,
  ending,
  chunks,
  threw,
}: PlainResponse): string {
  const lines = [
    `${status} ${reason}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `(${framing}, ${ending}${after > 0 ? `, after ${after} ms` : ''}${threw === undefined ? '' : `, threw ${threw}`})`,
    ...chunks.map(([pause, data]) => (pause > 0 ? `(${pause} ms) ${data}` : data)),
  ];
  return lines.join('\n');
}

/**
 * Replaces drawn UUIDs in texts by the number of the request that drew them and the order in which they are seen, since
 * the order in which a gateway draws them means nothing.
 */
function nameUuids() {
  const drawnBy = new Map<string, number>();
  const seen = new Map<string, string>();
  const counts = new Map<number, number>();
  const nameOf = (uuid: string): string => {
    const by = drawnBy.get(uuid);
    if (by === undefined) return uuid;
    const known = seen.get(uuid);
    if (known !== undefined) return known;
    const number = (counts.get(by) ?? 0) + 1;
    const name = `<uuid ${number} of ${by}>`;
    counts.set(by, number);
    seen.set(uuid, name);
    return name;
  };
  return {
    /** Notes that the UUIDs drawn since the last seed belong to this request. */
    note(index: number): void {
      for (const uuid of drawnUuids()) if (!drawnBy.has(uuid)) drawnBy.set(uuid, index);
    },
    replace: (text: string): string =>
      text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, nameOf),
  };
}
