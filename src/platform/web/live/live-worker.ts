// The worker for a page's live connection: starting mqtt.js keeps a slow phone as busy as drawing a screen.
import { connectLive } from './live-connection.ts';
import type { LiveMessage, LiveState } from './live-message.ts';

/**
 * Messages from the page: first the URL and the topics, then each requested ticket; null when there is none.
 */
export type ToLiveWorker =
  | {
      readonly kind: 'start';
      readonly url: string;
      readonly userId: string;
      readonly topics: readonly string[];
      readonly startedAtMs: number;
    }
  | { readonly kind: 'ticket'; readonly ticket: string | null };

/** Messages from the worker. */
export type FromLiveWorker =
  | { readonly kind: 'ticket' }
  | { readonly kind: 'state'; readonly state: LiveState }
  | { readonly kind: 'missed' }
  | { readonly kind: 'message'; readonly topic: string; readonly message: LiveMessage };

const post = (message: FromLiveWorker): void => postMessage(message);
/** One ticket is requested at a time. */
let whenTicket: PromiseWithResolvers<string> | undefined;

addEventListener('message', ({ data }: MessageEvent<ToLiveWorker>) => {
  if (data.kind === 'ticket') {
    if (data.ticket === null) whenTicket?.reject(new Error('no ticket'));
    else whenTicket?.resolve(data.ticket);
    return;
  }
  connectLive({
    url: data.url,
    userId: data.userId,
    topics: data.topics,
    startedAtMs: data.startedAtMs,
    askTicket: () => {
      whenTicket = Promise.withResolvers();
      post({ kind: 'ticket' });
      return whenTicket.promise;
    },
    onState: (state) => post({ kind: 'state', state }),
    onMissed: () => post({ kind: 'missed' }),
    onMessage: (topic, message) => post({ kind: 'message', topic, message }),
  });
});
