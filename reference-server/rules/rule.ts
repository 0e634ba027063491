import type { Script } from '../answers/answer.ts';
import type { Json } from '../json.ts';

/** One value, or several of which one must fit. */
export type OneOf<T> = T | readonly T[];

/** A fact by which requests are counted or remembered: requests with the same values belong together. */
export type Distinction = string;

/** Conditions on a request. All must hold. In texts, `*` matches any text, and `\*` an asterisk. */
export type Match = {
  readonly operation?: OneOf<string>;
  readonly family?: OneOf<string>;
  readonly surface?: OneOf<string>;
  readonly method?: OneOf<string>;
  /** The path as sent, without the query. */
  readonly path?: OneOf<string>;
  readonly query?: Texts;
  /** Headers by name in any case. */
  readonly headers?: Texts;
  /** The place of the credential that the server reads. */
  readonly place?: OneOf<string>;
  readonly credential?: OneOf<string>;
  /** The role of the key. */
  readonly key?: OneOf<string>;
  readonly model?: OneOf<string>;
  /** Whether the request asks for a stream. */
  readonly streamed?: boolean;
  /** A value that the body contains: objects can have more members, and lists more items in any order. */
  readonly body?: Json;
  /** The first place where the body is invalid. */
  readonly invalid?: Invalid;
  /** The body as sent. */
  readonly text?: OneOf<string>;
  /** Bounds of the size of the body in bytes. */
  readonly size?: Size;
  /** A text anywhere in the path, the query, a header or the body. */
  readonly marker?: OneOf<string>;
  /** The reason for which the server refuses the request; true for any, false for a request that it serves. */
  readonly refused?: boolean | OneOf<string>;
  /** What the refusal is about, by name: the texts that `format` can contain. Goes with `refused`. */
  readonly problem?: Texts;
  readonly not?: Match;
  readonly anyOf?: readonly Match[];
  /** Only each nth request that satisfies the other conditions. */
  readonly every?: number;
  /** Only the requests with these numbers, among those that satisfy the other conditions. */
  readonly nth?: readonly number[];
  /** Only from the nth request on that satisfies the other conditions. */
  readonly from?: number;
  /** Only this many requests. Default: no limit, or the length of a list of changes. */
  readonly times?: number;
  /** Counts requests with different values of these facts apart. */
  readonly by?: readonly Distinction[];
  /** Counts the different values of `by` instead of requests; `times` then applies to each. */
  readonly distinct?: true;
  /** An earlier request has noted this name. */
  readonly noted?: string | Noted;
  /** Another request that satisfies these conditions is under way. */
  readonly during?: Match;
};

/** Texts by name; null for a name that must be absent. */
export type Texts = Readonly<Record<string, OneOf<string> | null>>;

/**
 * A place such as `messages[0].role`, `body` or `json`, the type of the value there, which can be `missing`, and a value
 * that it contains.
 */
export type Invalid = {
  readonly at?: OneOf<string>;
  readonly type?: OneOf<string>;
  readonly value?: Json;
};

/** A name, and the facts by which it is noted. */
export type Note = string | { readonly name: string; readonly by?: readonly Distinction[] };

export type Size = { readonly over?: number; readonly under?: number };

/** A note of a request with the same values of `by`, at most `within` (such as `2s`) ago. */
export type Noted = { readonly name: string; readonly by?: readonly Distinction[]; readonly within?: string };

/**
 * A value of a reply. `{ right: POINTER }` and `{ rightHeader: NAME }` in it stand for the value there in the unchanged
 * reply, and `{ format: TEXT }` for a text in which `{POINTER}` and the names of `problem` in braces are replaced.
 */
export type Template = Json;

/**
 * What becomes of a member or a header: `{ remove: true }`, `{ as: FORM }`, `{ new: 'uuid' }`, `{ value: JSON }` for a
 * value that is not read as an edit or a template, or else a template.
 */
export type Edit = Json;

export type Form = 'string' | 'json' | 'upper' | 'undashed' | 'list';

/** An event of a stream. A string in `data` is sent as text, any other value as JSON. */
export type EventTemplate = { readonly event?: string; readonly data: Template };

/** A whole body in one of its forms. A list of texts in `events` is sent unchanged, one chunk a text. */
export type BodyChange = {
  readonly json?: Template;
  readonly text?: string | { readonly format: string };
  readonly events?: readonly EventTemplate[] | readonly string[];
};

export type HeaderEdits = Readonly<Record<string, Edit>>;

/**
 * What a server does otherwise with a request, by phase. The schema `rules` describes each word. With `refused`, `refuse`
 * acts in the phase reply.
 */
export type Change = {
  // Arrive
  readonly hold?: string;
  readonly note?: Note;
  readonly forget?: Note;
  readonly answer?: BodyChange & { readonly status?: number };
  // Read
  readonly keys?: KeysChange;
  // Decide
  readonly first?: readonly string[];
  readonly skip?: readonly string[];
  /** With `refused`, the reason that the server reports instead of the right one. */
  readonly refuse?: string;
  readonly completion?: Script;
  /** The name of a change that needs code. */
  readonly use?: string;
  // Reply
  readonly status?: number;
  readonly type?: Edit;
  readonly code?: Edit;
  readonly message?: Edit;
  readonly details?: Edit;
  readonly body?: 'none' | Readonly<Record<string, Edit>>;
  readonly error?: string | { readonly reason: string; readonly after?: number };
  readonly headers?: HeaderEdits;
  // Wire
  readonly after?: string;
  readonly untilReleased?: boolean;
  readonly cut?: number;
  readonly close?: 'before-headers' | 'after-body';
  readonly encode?: string;
  readonly split?: number;
} & BodyChange;

/** How keys are read. */
export type KeysChange = {
  /** More places: names of headers, and others such as `query:NAME`. */
  readonly from?: readonly string[];
  readonly notFrom?: readonly string[];
  /** Differences that do not count when a credential is compared with a key. */
  readonly ignore?: readonly string[];
  /** Accepts keys of these roles. */
  readonly accept?: readonly ('deleted' | 'unknown')[];
};

/** What makes a server behave otherwise: which requests, and what changes. A list of changes is used in turn. */
export type Rule = { readonly match?: Match; readonly change: Change | readonly Change[] };

/** The phases of a request, and the words of `change` that act in each. */
export const phases = {
  arrive: ['hold', 'note', 'forget', 'answer'],
  read: ['keys'],
  decide: ['first', 'skip', 'refuse', 'completion', 'use'],
  reply: [
    'status',
    'type',
    'code',
    'message',
    'details',
    'body',
    'json',
    'text',
    'events',
    'error',
    'headers',
  ],
  wire: ['after', 'untilReleased', 'cut', 'close', 'encode', 'split'],
} as const satisfies Readonly<Record<string, readonly (keyof Change)[]>>;
