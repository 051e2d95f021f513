// One live connection over MQTT: a new ticket for every attempt, each topic subscribed for itself, patience between attempts.
import type { IClientOptions, MqttClient } from 'mqtt';

/** 'live': messages arrive. 'waiting': not connected, the next attempt is under way. 'off': nobody is signed in. */
export type LiveState = 'off' | 'waiting' | 'live';

export type LiveWorld = {
  /** ws://host/mqtt */
  readonly url: string;
  readonly userId: string;
  readonly topics: readonly string[];
  readonly askTicket: () => Promise<string>;
  /** mqtt.js, fetched when it is needed. */
  readonly loadClient: () => Promise<(url: string, options: IClientOptions) => MqttClient>;
  readonly onState: (state: LiveState) => void;
  readonly onMessage: (topic: string, message: LiveMessage) => void;
  /** First pause after a lost connection, on average; it doubles up to a minute. */
  readonly firstPauseMs?: number;
};
/** Messages carry no data: only what kind of thing is new. */
export type LiveMessage = { readonly kind: string } & Readonly<Record<string, unknown>>;

const longestPauseMs = 60_000;

/** Connects, and stays connected until the returned function is called. */
export function keepLive(world: LiveWorld): () => void {
  let client: MqttClient | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasEnded = false;
  let failures = 0;

  const later = () => {
    if (hasEnded) return;
    world.onState('waiting');
    // Half of it is chance, so that thousands of clients do not come back in the same moment.
    const pauseMs = Math.min((world.firstPauseMs ?? 1000) * 2 ** failures, longestPauseMs) * (0.5 + jitter());
    failures++;
    clearTimeout(timer);
    timer = setTimeout(() => void attempt(), pauseMs);
  };

  const attempt = async (): Promise<void> => {
    try {
      const [connect, ticket] = await Promise.all([world.loadClient(), world.askTicket()]);
      if (hasEnded) return;
      const own = connect(world.url, {
        protocolVersion: 4, clean: true, keepalive: 30, connectTimeout: 15_000,
        // A ticket is good once: mqtt.js must not come back with the old one.
        reconnectPeriod: 0,
        // Its worker for timers would come from a blob, which the content security policy forbids.
        timerVariant: 'native',
        username: world.userId, password: ticket, clientId: `${world.userId}-${randomPart()}`,
      });
      client = own;
      own.on('connect', () => {
        failures = 0;
        world.onState('live');
        // One by one: a refused topic would take the others with it.
        for (const topic of world.topics) own.subscribe(topic);
      });
      own.on('message', (topic, payload) => {
        const message = readMessage(payload.toString());
        if (message) world.onMessage(topic, message);
      });
      // What went wrong is told by the close that follows.
      own.on('error', () => own.end(true));
      own.once('close', () => {
        if (client === own) client = undefined;
        later();
      });
    } catch {
      // No ticket or no code: the server is away, or the session is over and the next call will say so.
      later();
    }
  };

  world.onState('waiting');
  void attempt();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
    client?.end(true);
    world.onState('off');
  };
}

/** A message that is no JSON object with a kind is not ours and is passed over. */
function readMessage(text: string): LiveMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string' ? (value as LiveMessage) : undefined;
  } catch {
    return undefined;
  }
}

const randomPart = (): string => crypto.randomUUID().slice(0, 13);
const jitter = (): number => (crypto.getRandomValues(new Uint16Array(1))[0] ?? 0) / 65_535;
