// NATS JetStream: a durable pull consumer with explicit acknowledgements, which the console creates if it
// does not exist.
import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type Consumer,
  JetStreamError,
  type ConsumerInfo,
  type JsMsg,
} from '@nats-io/jetstream';
import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';
import type { NatsOptions } from '../../contract.ts';
import { addressOf, errorsIn, expectedName, failureOf, serverOf, tlsOptions } from '../connect.ts';
import {
  connectMs,
  maxBatchBytes,
  maxBatchMessages,
  StreamFailure,
  type Batch,
  type Incoming,
  type ReaderSettings,
  type StreamReader,
} from '../reader.ts';

const waitMs = 1000;
/** How long until messages held by a crashed process are delivered to another one. */
const ackWaitNanos = 30_000_000_000;
const firstBatch = 50;
/** This many consecutive fetches without a heartbeat mean that the connection is dead. */
const maxSilentFetches = 3;

/** Connects, and finds or creates the durable consumer. @throws StreamFailure */
export async function openNats(settings: ReaderSettings<NatsOptions>): Promise<StreamReader> {
  const connection = await connectNats(settings);
  try {
    const manager = await jetstreamManager(connection);
    const created = await createdAt(manager, settings.options.stream);
    const { stream, consumer: durable } = settings.options;
    await durableConsumer(manager, settings);
    const consumer = await jetstream(connection).consumers.get(stream, durable);
    return readerOf(settings, connection, consumer, created);
  } catch (error) {
    await connection.close();
    throw natsFailure(error);
  }
}

async function connectNats(settings: ReaderSettings<NatsOptions>): Promise<NatsConnection> {
  const server = serverOf(settings);
  const ip = await addressOf(settings, server);
  const { credentials } = settings;
  const tls = { ...tlsOptions(settings), ...expectedName(server) };
  const options: ConnectionOptions = {
    servers: `${ip.includes(':') ? `[${ip}]` : ip}:${server.port}`,
    name: 'skytally',
    timeout: connectMs,
    reconnect: false,
    // Servers announced by the cluster have not been checked.
    ignoreClusterUpdates: true,
    tls: server.isTls ? tls : null,
    ...(credentials.kind === 'basic' && { user: credentials.user, pass: credentials.password }),
    ...(credentials.kind === 'token' && { token: credentials.token }),
  };
  return connect(options).catch((error: unknown) => {
    throw natsFailure(error);
  });
}

type Manager = Awaited<ReturnType<typeof jetstreamManager>>;

/** When the stream was created: a stream that was deleted and recreated restarts its sequence. */
async function createdAt(manager: Manager, stream: string): Promise<number> {
  return Date.parse(`${(await manager.streams.info(stream)).created}`);
}

async function durableConsumer(
  manager: Manager,
  { options, start }: ReaderSettings<NatsOptions>,
): Promise<ConsumerInfo> {
  const known = await findConsumer(manager, options);
  if (known) {
    if (known.config.ack_policy !== AckPolicy.Explicit || known.config.deliver_subject !== undefined)
      throw new StreamFailure('consumer_unfit', options.consumer);
    return known;
  }
  return manager.consumers.add(options.stream, {
    durable_name: options.consumer,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: start === 'earliest' ? DeliverPolicy.All : DeliverPolicy.New,
    ack_wait: ackWaitNanos,
    max_ack_pending: maxBatchMessages * 2,
    ...(options.subject !== '' && { filter_subject: options.subject }),
  });
}

async function findConsumer(
  manager: Manager,
  { stream, consumer }: NatsOptions,
): Promise<ConsumerInfo | undefined> {
  try {
    return await manager.consumers.info(stream, consumer);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function readerOf(
  { options }: ReaderSettings<NatsOptions>,
  connection: NatsConnection,
  consumer: Consumer,
  created: number,
): StreamReader {
  // The messages of the last batch, acknowledged once it is durable.
  let open: readonly JsMsg[] = [];
  let most = firstBatch;
  let silentFetches = 0;
  return {
    begins: new Map(),
    next: async () => {
      try {
        const found: JsMsg[] = [];
        try {
          for await (const message of await consumer.fetch({ max_messages: most, expires: waitMs }))
            found.push(message);
          silentFetches = 0;
        } catch (error) {
          // A process that was suspended for a second sees no heartbeat either. Messages that arrived count;
          // those on their way are redelivered.
          if (!isSilence(error) || ++silentFetches === maxSilentFetches) throw error;
        }
        if (connection.isClosed()) throw new StreamFailure('unreachable', 'closed');
        open = found;
        most = nextSize(found);
        return batchOf(options, found, created);
      } catch (error) {
        throw natsFailure(error);
      }
    },
    acknowledge: async () => {
      for (const message of open) message.ack();
      open = [];
      await connection.flush();
    },
    close: async () => {
      if (connection.isClosed()) return;
      // Messages that were read but not recorded can be delivered to the next reader at once.
      for (const message of open) message.nak();
      await connection.flush();
      await connection.close();
    },
  };
}

/** Returns how many messages fit into the bytes of a batch, judging by the size of the last ones. */
function nextSize(found: readonly JsMsg[]): number {
  if (found.length === 0) return firstBatch;
  const average = found.reduce((sum, { data }) => sum + data.length, 0) / found.length;
  return Math.max(1, Math.min(maxBatchMessages, Math.floor(maxBatchBytes / Math.max(1, average))));
}

function batchOf(options: NatsOptions, found: readonly JsMsg[], created: number): Batch {
  return {
    messages: found.map((message) => incomingOf(options, message, created)),
    lost: [],
    positions: new Map(),
    lag: found.at(-1)?.info.pending ?? 0,
  };
}

const incomingOf = ({ stream }: NatsOptions, message: JsMsg, created: number): Incoming => ({
  position: `${stream}/${message.seq}`,
  positionId: `${stream}@${created}/${message.seq}`,
  topic: message.subject,
  payload: message.data,
  sentAt: new Date(Number(message.timestampNanos / 1_000_000n)),
});

/**
 * Returns the next messages after the acknowledged ones, without affecting the durable consumer. @throws
 * StreamFailure
 */
export async function peekNats(
  settings: ReaderSettings<NatsOptions>,
  most: number,
): Promise<readonly Incoming[]> {
  const { options, start } = settings;
  const connection = await connectNats(settings);
  try {
    const manager = await jetstreamManager(connection);
    const created = await createdAt(manager, options.stream);
    const known = await findConsumer(manager, options);
    const floor = known?.ack_floor.stream_seq;
    const made = await manager.consumers.add(options.stream, {
      ack_policy: AckPolicy.None,
      inactive_threshold: ackWaitNanos,
      ...(floor === undefined
        ? // If the stream starts with new messages, the latest one serves as an example.
          { deliver_policy: start === 'earliest' ? DeliverPolicy.All : DeliverPolicy.Last }
        : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: floor + 1 }),
      ...(options.subject !== '' && { filter_subject: options.subject }),
    });
    try {
      const consumer = await jetstream(connection).consumers.get(options.stream, made.name);
      const found: JsMsg[] = [];
      for await (const message of await consumer.fetch({ max_messages: most, expires: waitMs * 2 }))
        found.push(message);
      return found.map((message) => incomingOf(options, message, created));
    } finally {
      await manager.consumers.delete(options.stream, made.name);
    }
  } catch (error) {
    throw natsFailure(error);
  } finally {
    await connection.close();
  }
}

/** The client gives up a fetch after two missed heartbeats, but has no error code for it. */
const isSilence = (error: unknown): boolean =>
  error instanceof JetStreamError && error.message === 'heartbeats missed';

const notFoundCodes = new Set([10_014, 10_059]);
/** Whether the consumer or the stream was not found, by the server's error codes. */
const isNotFound = (error: unknown): boolean =>
  errorsIn(error).some(
    (each) => 'code' in each && typeof each.code === 'number' && notFoundCodes.has(each.code),
  );

function natsFailure(error: unknown): StreamFailure {
  if (error instanceof StreamFailure) return error;
  const [first] = errorsIn(error);
  const named = errorsIn(error).map(({ name }) => name);
  const detail = first?.message ?? String(error);
  if (isNotFound(error)) return new StreamFailure('not_found', detail);
  if (named.includes('AuthorizationError') || named.includes('UserAuthenticationExpiredError'))
    return new StreamFailure('refused_credentials', detail);
  if (named.includes('PermissionViolationError')) return new StreamFailure('refused', detail);
  if (isSilence(error) || named.includes('TimeoutError')) return new StreamFailure('timeout', detail);
  if (named.includes('ConnectionError') || named.includes('ClosedConnectionError'))
    return failureOf(error, 'unreachable');
  return failureOf(error);
}
