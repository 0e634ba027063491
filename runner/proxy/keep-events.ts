import { StringDecoder } from 'node:string_decoder';
import { tellsOfError } from '../judge/events.ts';

/** What is kept of a stream of events, however long it is. */
export interface KeptEvents {
  readonly add: (piece: Buffer) => void;
  /** The first events, and of the later ones those that tell of an error. */
  readonly text: () => string;
  readonly isWhole: () => boolean;
  /** Whether an event was too long to look at. */
  readonly hasUnseen: () => boolean;
}

const firstLetters = 64 * 1024;
const longestEvent = 64 * 1024;
const mostErrors = 16;

/** Keeps the first 64 KiB of a stream of events, and later only the first 16 events that tell of an error. */
export function keepEvents(): KeptEvents {
  const decoder = new StringDecoder('utf8');
  const errors: string[] = [];
  let first = '';
  let isFull = false;
  /** The beginning of an event whose end has not come. */
  let open = '';
  let isSkipping = false;
  let hasUnseen = false;

  const keep = (event: string): void => {
    isFull ||= first.length + event.length > firstLetters;
    if (!isFull) first += event;
    else if (errors.length < mostErrors && tellsOfError(event)) errors.push(event);
  };
  return {
    add: (piece) => {
      open += decoder.write(piece);
      let start = 0;
      for (const { 0: blank, index } of open.matchAll(/\r\n\r\n|\n\n|\r\r/g)) {
        const end = index + blank.length;
        if (!isSkipping) keep(open.slice(start, end));
        isSkipping = false;
        start = end;
      }
      open = open.slice(start);
      if (open.length <= longestEvent) return;
      // Its beginning is kept where nothing was, as of a long answer that is no stream under this media type.
      if (first === '') first = open.slice(0, firstLetters);
      isFull = true;
      isSkipping = true;
      hasUnseen = true;
      // A blank line may lie across two pieces.
      open = open.slice(-3);
    },
    text: () => (isFull ? first + errors.join('') + (tellsOfError(open) ? open : '') : first + open),
    isWhole: () => !isFull,
    hasUnseen: () => hasUnseen,
  };
}
