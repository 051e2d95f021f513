// One live connection through mqtt.js: a new ticket for every attempt, one subscription per topic, and
// increasing pauses between attempts.
import mqtt from 'mqtt';
import { randomId } from '../api/random-id.ts';
import { nowMs } from '../time/clock.ts';
import { pauseAfterMs } from './live-pause.ts';
import type { LiveMessage, LiveState } from './live-message.ts';

export type LiveApp = {
  /** ws://host/mqtt */
  readonly url: string;
  readonly userId: string;
  readonly topics: readonly string[];
  /** When the page started to need the connection, in terms of `nowMs`. */
  readonly startedAtMs: number;
  readonly askTicket: () => Promise<string>;
  readonly onState: (state: LiveState) => void;
  readonly onMessage: (topic: string, message: LiveMessage) => void;
  /**
   * Called when messages may have been missed before the connection: after an outage, or when connecting took
   * long. For the last seconds before a subscription, the server itself sends a 'missed' message.
   */
  readonly onMissed: () => void;
  /** The average pause after the first lost connection, in ms; doubles up to a minute. */
  readonly firstPauseMs?: number;
};
/**
 * A first connection within this time needs no refetch: for fifteen seconds, the server remembers which
 * topics had a message and tells new subscribers.
 */
const promptMs = 10_000;
const keepAliveSeconds = 30;
const connectMs = 15_000;

/** Connects and reconnects until the returned function is called. */
export function connectLive(app: LiveApp): () => void {
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
    clearTimeout(timer);
    timer = setTimeout(() => void attempt(), pauseAfterMs(failures++, app.firstPauseMs));
  };

  const attempt = async (): Promise<void> => {
    try {
      const ticket = await app.askTicket();
      if (hasEnded) return;
      const client = mqtt.connect(app.url, {
        protocolVersion: 4,
        username: app.userId,
        password: ticket,
        clientId: `${app.userId}-${randomId()}`,
        keepalive: keepAliveSeconds,
        connectTimeout: connectMs,
        // A ticket can be used once, but mqtt.js would reconnect with the same one; so every attempt creates
        // a new client.
        reconnectPeriod: 0,
        // The other timers of mqtt.js run in a worker from a blob URL, which our content security policy
        // forbids.
        timerVariant: 'native',
        // Otherwise the first packet allocates 65,536 buffers, one for each possible packet id: a third of a
        // second on a slow phone.
        writeCache: false,
      });
      end = () => client.end(true);
      client.on('message', (topic, payload) => {
        const message = readMessage(new TextDecoder().decode(payload));
        if (message) app.onMessage(topic, message);
      });
      client.once('connect', () => {
        // One subscription per topic, because a refused topic would fail all topics of its packet. Refused
        // topics are ignored.
        void Promise.allSettled(app.topics.map((topic) => client.subscribeAsync(topic))).then(() => {
          if (!client.connected) return;
          failures = 0;
          app.onState('live');
          if (wasLost || nowMs() - app.startedAtMs > promptMs) app.onMissed();
        });
      });
      client.once('close', later);
      // The broker refused the connection or violated the protocol: close it.
      client.on('error', () => client.end(true));
    } catch {
      // No ticket: the server cannot be reached, or the session has ended, which the next call will detect.
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

/** Parses a message; anything but a JSON object with a kind is ignored. */
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
