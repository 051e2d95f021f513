// MQTT 3.1.1 and 5 with QoS 1: the broker keeps one session for the stream, and each message is acknowledged
// once it is durable.
import { hash } from 'node:crypto';
import mqtt, { type IClientOptions, type IPublishPacket, type MqttClient } from 'mqtt';
import type { MqttOptions } from '../../contract.ts';
import { addressOf, expectedName, failureOf, serverOf, tlsOptions } from '../connect.ts';
import {
  connectMs,
  StreamFailure,
  type Batch,
  type Incoming,
  type ReaderSettings,
  type StreamReader,
} from '../reader.ts';

const waitMs = 1000;
/**
 * How long an MQTT 5 broker keeps a session after its connection ended; 0xffffffff is forever (MQTT 5,
 * 3.1.2.11.2).
 */
const keptSeconds = 0xff_ff_ff_ff;
/**
 * Reason codes of a refused connection that concern credentials: 4 and 5 in MQTT 3.1.1, 134 and 135 in MQTT
 * 5.
 */
const refusals = new Set([4, 5, 134, 135]);

type Waiting = { readonly message: Incoming; readonly done: () => void };

/** At most 23 letters and digits, which every broker must accept (MQTT 3.1.1, 3.1.3.1). */
const clientIdOf = (streamId: string): string => `st${hash('sha256', streamId).slice(0, 20)}`;

/** Connects in the stream's persistent session and subscribes. @throws StreamFailure */
export async function openMqtt(settings: ReaderSettings<MqttOptions>): Promise<StreamReader> {
  return readerOf(settings, clientIdOf(settings.streamId), false);
}

async function readerOf(
  settings: ReaderSettings<MqttOptions>,
  clientId: string,
  isClean: boolean,
): Promise<StreamReader> {
  const waiting: Waiting[] = [];
  let [failed, wake]: [StreamFailure | undefined, () => void] = [undefined, () => undefined];
  let open: Waiting | undefined;
  const client = await clientOf(settings, clientId, isClean);
  const fail = (error: unknown): void => {
    failed ??= mqttFailure(error);
    wake();
  };
  client.on('error', fail);
  client.on('close', () => fail(new StreamFailure('unreachable', 'closed')));
  // mqtt.js acknowledges a message when this callback is called, and only then delivers the next one: at most
  // one message waits here.
  client.handleMessage = (packet: IPublishPacket, done) => {
    waiting.push({ message: incomingOf(packet), done: () => done() });
    wake();
  };
  try {
    await connected(client);
  } catch (error) {
    client.end(true);
    throw mqttFailure(error);
  }
  // Not awaited: mqtt.js reads the response only after earlier messages are acknowledged.
  client.subscribe(settings.options.filter, { qos: 1 }, (error, granted = []) => {
    if (error) fail(error);
    else if (granted.some(({ qos }) => qos >= 128))
      fail(new StreamFailure('refused', settings.options.filter));
  });
  return {
    begins: new Map(),
    next: async (signal): Promise<Batch> => {
      if (waiting.length === 0 && !failed)
        await new Promise<void>((resolve) => {
          wake = resolve;
          AbortSignal.any([signal, AbortSignal.timeout(waitMs)]).addEventListener('abort', () => resolve(), {
            once: true,
          });
        });
      open = waiting.shift();
      if (!open && failed) throw failed;
      return { messages: open ? [open.message] : [], lost: [], positions: new Map(), lag: null };
    },
    acknowledge: async () => {
      open?.done();
      open = undefined;
    },
    // A graceful close would wait for unacknowledged messages; the broker delivers them again.
    close: () => client.endAsync(failed !== undefined || open !== undefined || waiting.length > 0),
  };
}

/**
 * Connects a client. Messages waiting in the session arrive right after the broker's response, so the
 * listeners must be attached before.
 */
async function clientOf(
  settings: ReaderSettings<MqttOptions>,
  clientId: string,
  isClean: boolean,
): Promise<MqttClient> {
  const server = serverOf(settings);
  const { credentials, options } = settings;
  const connection: IClientOptions = {
    protocol: server.isTls ? 'mqtts' : 'mqtt',
    host: await addressOf(settings, server),
    port: server.port,
    ...(server.isTls && { ...tlsOptions(settings), ...expectedName(server) }),
    protocolVersion: options.version === '5' ? 5 : 4,
    clientId,
    clean: isClean,
    connectTimeout: connectMs,
    reconnectPeriod: 0,
    ...(options.version === '5' && {
      properties: { receiveMaximum: 20, ...(!isClean && { sessionExpiryInterval: keptSeconds }) },
    }),
    ...(credentials.kind === 'basic' && { username: credentials.user, password: credentials.password }),
  };
  return mqtt.connect(connection);
}

const connected = (client: MqttClient): Promise<void> =>
  new Promise((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('error', reject);
    client.once('close', () => reject(new StreamFailure('unreachable', 'closed')));
  });

/** MQTT does not number messages: two are the same if topic and content are equal. */
function incomingOf({ topic, payload }: IPublishPacket): Incoming {
  const bytes = Buffer.from(payload);
  const digest = hash('sha256', Buffer.concat([Buffer.from(`${topic}\0`), bytes]));
  return {
    position: `${topic} ${digest.slice(0, 32)}`.slice(-500),
    positionId: undefined,
    topic,
    payload: bytes,
    sentAt: undefined,
  };
}

/**
 * Collects what is published within a few seconds, in a temporary session that leaves nothing behind. @throws
 * StreamFailure
 */
export async function peekMqtt(
  settings: ReaderSettings<MqttOptions>,
  most: number,
  longestMs: number,
): Promise<readonly Incoming[]> {
  const reader = await readerOf(settings, `${clientIdOf(settings.streamId).slice(0, 20)}try`, true);
  const until = AbortSignal.any([settings.signal, AbortSignal.timeout(longestMs)]);
  const found: Incoming[] = [];
  try {
    while (found.length < most && !until.aborted) {
      const batch = await reader.next(until);
      found.push(...batch.messages);
      await reader.acknowledge(batch);
    }
    return found;
  } finally {
    await reader.close();
  }
}

function mqttFailure(error: unknown): StreamFailure {
  if (error instanceof StreamFailure) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'number')
    return new StreamFailure(
      refusals.has(code) ? 'refused_credentials' : 'refused',
      error instanceof Error ? error.message : String(code),
    );
  const isLate = error instanceof Error && /connack timeout/i.test(error.message);
  return isLate ? new StreamFailure('timeout', 'CONNACK') : failureOf(error, 'unreachable');
}
