// One live connection by mqtt.js: a new ticket for every attempt, each topic subscribed for itself, patience between attempts.
import { loadInBackground } from '../loading/background-code.ts';
import { nowMs } from '../time/clock.ts';

/** 'live': messages arrive. 'waiting': not connected, the next attempt is under way. 'off': nobody is signed in. */
export type LiveState = 'off' | 'waiting' | 'live';

export type LiveApp = {
  /** ws://host/mqtt */
  readonly url: string;
  readonly userId: string;
  readonly topics: readonly string[];
  readonly askTicket: () => Promise<string>;
  readonly onState: (state: LiveState) => void;
  readonly onMessage: (topic: string, message: LiveMessage) => void;
  /** Messages may have been missed before it was live: it was away, or long on the way. What was said a moment ago the console says again by itself. */
  readonly onMissed: () => void;
  /** First pause after a lost connection, on average; it doubles up to a minute. */
  readonly firstPauseMs?: number;
};
/** Messages carry no data: only what kind of thing is new. */
export type LiveMessage = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** Whether a page that was opened so many milliseconds ago may show what was before a message that it has missed: not when that was said before the page began to ask. */
export const mayBeMissed = ({ ago }: LiveMessage, pageAgeMs: number): boolean =>
  typeof ago !== 'number' || ago <= pageAgeMs;

const longestPauseMs = 60_000;
/** A first connection within this time has missed nothing: the console says again what it said in the last fifteen seconds. */
const promptMs = 10_000;
const keepAliveSeconds = 30;
const connectMs = 15_000;

/** Connects, and stays connected until the returned function is called. */
export function keepLive(app: LiveApp): () => void {
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
    // Half of it is chance, so that thousands of clients do not come back in the same moment.
    const pauseMs = Math.min((app.firstPauseMs ?? 1000) * 2 ** failures, longestPauseMs) * (0.5 + jitter());
    failures++;
    clearTimeout(timer);
    timer = setTimeout(() => void attempt(), pauseMs);
  };

  const attempt = async (): Promise<void> => {
    try {
      // A quarter of the code that a page is given: loaded when somebody is signed in.
      const [{ default: mqtt }, ticket] = await Promise.all([
        loadInBackground(() => import('mqtt')),
        app.askTicket(),
      ]);
      if (hasEnded) return;
      const client = mqtt.connect(app.url, {
        protocolVersion: 4,
        username: app.userId,
        password: ticket,
        clientId: `${app.userId}-${randomPart()}`,
        keepalive: keepAliveSeconds,
        connectTimeout: connectMs,
        // A ticket is good once, and mqtt.js comes back with the same one: every attempt is a new client.
        reconnectPeriod: 0,
        // Its other timers run in a worker made of a blob, which our pages' policy does not allow.
        timerVariant: 'native',
      });
      end = () => client.end(true);
      client.on('message', (topic, payload) => {
        const message = readMessage(new TextDecoder().decode(payload));
        if (message) app.onMessage(topic, message);
      });
      client.once('connect', () => {
        // One by one: a refused topic would take the others with it. Refused ones are left out.
        void Promise.allSettled(app.topics.map((topic) => client.subscribeAsync(topic))).then(() => {
          if (!client.connected) return;
          failures = 0;
          app.onState('live');
          if (wasLost || nowMs() - startedAt > promptMs) app.onMissed();
        });
      });
      client.once('close', later);
      // Refused, or not spoken rightly: the connection is of no use.
      client.on('error', () => client.end(true));
    } catch {
      // No ticket: the server is away, or the session is over and the next call will say so. No code: browsers keep
      // a failed import, so this page asks every ten seconds instead until it is loaded anew.
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

/** A message that is no JSON object with a kind is not ours and is passed over. */
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
