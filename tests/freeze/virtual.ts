// This module replaces the clock, the timers and the random numbers of the process, so that two runs of the probe give
// the same bytes. Import it before any module of the project.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';

const RealDate = Date;
const immediate = setImmediate;

/** The start of the virtual time, in milliseconds since 1970-01-01 UTC. */
export const startOfTime = RealDate.UTC(2026, 0, 2, 3, 4, 5);
let now = startOfTime;

/** Sets the virtual time, but never back. */
export function advanceTo(time: number): void {
  now = Math.max(now, time);
}

/** Sets the virtual time back to its start, and forgets the timers. */
export function restartTime(): void {
  now = startOfTime;
  due.length = 0;
}

/** Returns the virtual time since its start, in milliseconds. */
export const passedTime = (): number => now - startOfTime;

// Random numbers: a generator that is seeded with a text (FNV-1a, then mulberry32).
let state = 0;
let drawn: string[] = [];

/** Seeds the random numbers of the process, and forgets the UUIDs that were drawn before. */
export function seedRandom(text: string): void {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  state = hash >>> 0;
  drawn = [];
}

/** Returns the UUIDs that were drawn since the random numbers were seeded. */
export const drawnUuids = (): readonly string[] => drawn;

function random(): number {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}

function randomBytes(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let index = 0; index < size; index++) bytes[index] = random() & 0xff;
  return bytes;
}

function randomUUID(): string {
  const hex = randomBytes(16).toString('hex');
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  drawn.push(uuid);
  return uuid;
}

// Timers: when nothing else is left to do in this turn of the event loop, time jumps to the next timer.
type Timer = { readonly at: number; readonly fire: () => void };
const due: Timer[] = [];
let isWaiting = false;

function schedule(fire: () => void, milliseconds: number | undefined): Timer {
  const timer = { at: now + Math.max(1, milliseconds ?? 1), fire };
  const index = due.findIndex(({ at }) => at > timer.at);
  due.splice(index < 0 ? due.length : index, 0, timer);
  wait();
  return timer;
}

function wait(): void {
  if (isWaiting) return;
  isWaiting = true;
  immediate(() => {
    isWaiting = false;
    const timer = due.shift();
    if (timer) {
      advanceTo(timer.at);
      timer.fire();
    }
    if (due.length > 0) wait();
  });
}

function cancel(timer: unknown): void {
  for (const [index, one] of due.entries()) if (one === timer) due.splice(index, 1);
}

function sleep<T>(
  milliseconds?: number,
  value?: T,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      cancel(timer);
      reject(new DOMException('The operation was aborted', 'AbortError'));
    };
    const timer = schedule(() => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

class VirtualDate extends RealDate {
  constructor(...given: readonly [] | readonly [value: number | string | Date]) {
    super(given.length === 0 ? now : given[0]);
  }
  static override now(): number {
    return Math.floor(now);
  }
}

const handleOf = (timer: Timer): object =>
  Object.assign(timer, {
    unref: () => timer,
    ref: () => timer,
    hasRef: () => true,
    [Symbol.toPrimitive]: () => 0,
  });
const later = (act: (...values: unknown[]) => void, milliseconds?: number, ...values: unknown[]): object =>
  handleOf(schedule(() => act(...values), milliseconds));

/** Waits for so many turns of the event loop, so that the order of events doesn't depend on the number of promises. */
export async function waitTurns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await new Promise<void>((resolve) => immediate(() => resolve()));
}

/** Puts the virtual clock, timers and random numbers in place of those of Node.js. */
function install(): void {
  Object.assign(crypto, { randomBytes, randomUUID });
  Object.assign(timers, { setTimeout: later, clearTimeout: cancel });
  Object.assign(timersPromises, { setTimeout: sleep });
  syncBuiltinESMExports();
  const globals = { Date: VirtualDate, setTimeout: later, clearTimeout: cancel };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  Object.defineProperty(performance, 'now', { value: () => now - startOfTime, configurable: true });
  Object.defineProperty(Math, 'random', { value: () => random() / 2 ** 32, configurable: true });
}

install();
