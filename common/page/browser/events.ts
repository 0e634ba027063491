import { find } from './dom.ts';

/** Whether the button `#pause`, which not every page has, is pressed. */
export function isPaused(): boolean {
  return document.getElementById('pause')?.getAttribute('aria-pressed') === 'true';
}

export function showState(): void {
  find('#state').textContent = isPaused() ? 'Paused' : 'Live';
}

/**
 * Receives the events of the server. `#state` shows whether the page is connected: `lost` is the text without a
 * connection. `open` is called at each start of the connection.
 */
export function connect<Change>(
  url: string,
  {
    open,
    receive,
    lost,
  }: { readonly open?: () => void; readonly receive: (change: Change) => void; readonly lost: string },
): void {
  const events = new EventSource(url);
  events.addEventListener('open', () => {
    showState();
    open?.();
  });
  events.addEventListener('error', () => {
    find('#state').textContent = lost;
  });
  events.addEventListener('message', ({ data }) => receive(JSON.parse(data)));
}
