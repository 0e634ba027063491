/** A line on stderr that says how far a run is, while stderr is a terminal. */
export interface Progress {
  readonly show: (sent: number, planned: number) => void;
  readonly clear: () => void;
}

const everyMs = 80;

/** Makes the progress line; silent where `stream` is no terminal. */
export function makeProgress(stream: NodeJS.WriteStream): Progress {
  let last = 0;
  let shown = false;
  return {
    show: (sent, planned) => {
      const now = Date.now();
      if (!stream.isTTY || now - last < everyMs) return;
      last = now;
      shown = true;
      const of = Math.max(planned, sent);
      const width = Math.max(10, Math.min(30, stream.columns - 30));
      const filled = Math.round((sent / of) * width);
      stream.write(`\r\u001b[K${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${sent} of ${of} requests`);
    },
    clear: () => {
      if (shown) stream.write('\r\u001b[K');
      shown = false;
    },
  };
}
