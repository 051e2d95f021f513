// One live connection by mqtt.js: a new ticket for every attempt, one subscription for each topic, growing
// pauses between attempts.
import { loadInBackground } from '../loading/background-code.ts';
import { nextTask } from '../loading/next-task.ts';
import { nowMs } from '../time/clock.ts';

/** 'live': messages arrive. 'waiting': not connected, will try again. 'off': no user is signed in. */
export type LiveState = 'off' | 'waiting' | 'live';

export type LiveApp = {
  /** ws://host/mqtt */
  readonly url: string;
  readonly userId: string;
  readonly topics: readonly string[];
  readonly askTicket: () => Promise<string>;
  readonly onState: (state: LiveState) => void;
  readonly onMessage: (topic: string, message: LiveMessage) => void;
  /**
   * Called when messages may have been missed before the connection: after an outage, or when connecting took
   * long. About the last seconds before a subscription the server itself sends a 'missed' message.
   */
  readonly onMissed: () => void;
  /** Average pause after the first lost connection, in ms; it doubles up to a minute. */
  readonly firstPauseMs?: number;
};
/** Messages carry no data, only what kind of thing has changed. */
export type LiveMessage = { readonly kind: string } & Readonly<Record<string, unknown>>;

/**
 * Whether a page opened `pageAgeMs` ago may show data from before a missed message. It cannot when that
 * message was sent before the page began to ask for its data.
 */
export const mayBeMissed = ({ ago }: LiveMessage, pageAgeMs: number): boolean =>
  typeof ago !== 'number' || ago <= pageAgeMs;

const longestPauseMs = 60_000;
/**
 * A first connection within this time need not refetch: for fifteen seconds the server remembers which topics
 * had a message and tells a new subscriber.
 */
const promptMs = 10_000;
const keepAliveSeconds = 30;
const connectMs = 15_000;

/** Connects and reconnects until the returned function is called. */
export function connectLive(app: LiveApp): () => void {
  const startedAt = nowMs();
  let end: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasEnded = false;
  let wasLost = false;
  let failures = 0;

  const later = () => {
    end = undefined;
    if (hasEnded) return;
    wasLost = true;
    app.onState('waiting');
    // Half of the pause is random, so that thousands of clients do not reconnect in the same moment.
    const pauseMs = Math.min((app.firstPauseMs ?? 1000) * 2 ** failures, longestPauseMs) * (0.5 + jitter());
    failures++;
    clearTimeout(timer);
    timer = setTimeout(() => void attempt(), pauseMs);
  };

  const attempt = async (): Promise<void> => {
    try {
      // The first one is asked for while a screen is being drawn.
      await nextTask();
      if (hasEnded) return;
      // mqtt.js is a quarter of the page's code, so it is loaded only after sign-in.
      const [{ default: mqtt }, ticket] = await Promise.all([
        loadInBackground(() => import('mqtt')),
        app.askTicket(),
      ]);
      // On a slow phone its code takes as long to run as connecting does.
      await nextTask();
      if (hasEnded) return;
      const client = mqtt.connect(app.url, {
        protocolVersion: 4,
        username: app.userId,
        password: ticket,
        clientId: `${app.userId}-${randomPart()}`,
        keepalive: keepAliveSeconds,
        connectTimeout: connectMs,
        // A ticket can be used once, but mqtt.js would reconnect with the same one; so every attempt makes a
        // new client.
        reconnectPeriod: 0,
        // The other timers of mqtt.js run in a worker from a blob URL, which our content security policy
        // forbids.
        timerVariant: 'native',
      });
      end = () => client.end(true);
      client.on('message', (topic, payload) => {
        const message = readMessage(new TextDecoder().decode(payload));
        if (message) app.onMessage(topic, message);
      });
      client.once('connect', () => {
        // One subscription for each topic, because a refused topic would fail all topics of its packet.
        // Refused topics are ignored.
        void Promise.allSettled(app.topics.map((topic) => client.subscribeAsync(topic))).then(() => {
          if (!client.connected) return;
          failures = 0;
          app.onState('live');
          if (wasLost || nowMs() - startedAt > promptMs) app.onMissed();
        });
      });
      client.once('close', later);
      // The broker refused the connection or broke the protocol: close it.
      client.on('error', () => client.end(true));
    } catch {
      // Either no ticket came (the server cannot be reached, or the session is over, which the next call will
      // find), or the code could not be loaded. Browsers remember a failed import, so the page polls every
      // ten seconds until it is reloaded.
      later();
    }
  };

  app.onState('waiting');
  void attempt();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
    end?.();
    app.onState('off');
  };
}

/** A message that is no JSON object with a kind is ignored. */
function readMessage(text: string): LiveMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'
      ? (value as LiveMessage)
      : undefined;
  } catch {
    return undefined;
  }
}

const randomPart = (): string => crypto.randomUUID().slice(0, 13);
const jitter = (): number => (crypto.getRandomValues(new Uint16Array(1))[0] ?? 0) / 65_535;
