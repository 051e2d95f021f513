// Reads messages from a broker run by the operator, in one console at a time, and acknowledges them once they
// are recorded.
import mqtt, { type IPublishPacket, type MqttClient } from 'mqtt';
import pg from 'pg';
import type { Logger } from 'pino';
import { keepAliveAfterMs } from '../database/pool.ts';

const retryMs = 1000;

export type OutsideBroker = { readonly close: () => Promise<void> };

export type OutsideBrokerOptions = {
  /** mqtt:, mqtts:, ws: or wss:, with user name and password. */
  readonly url: string;
  readonly connection: pg.PoolConfig;
  /** The topic filter that is subscribed to, such as `usage/events/+`. */
  readonly pattern: string;
  /**
   * Processes a message and resolves with the response to publish once it is durable. After a rejection the
   * message stays unacknowledged, and the broker sends it again.
   */
  readonly take: (topic: string, payload: Buffer) => Promise<{ topic: string; payload: string }>;
  readonly log: Logger;
};

/**
 * Reads until it is closed. Of the consoles on a database, the one that holds an advisory lock reads; when it
 * ends, another one resumes the same MQTT session, so the broker redelivers what was not acknowledged.
 */
export function readOutsideBroker(options: OutsideBrokerOptions): OutsideBroker {
  const { log } = options;
  let hasClosed = false;
  let retry: NodeJS.Timeout | undefined;
  let session: { readonly holder: pg.Client; reader?: MqttClient } | undefined;

  const begin = async (): Promise<void> => {
    const holder = new pg.Client({
      ...options.connection,
      application_name: 'skytally outside broker',
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
    });
    holder.on('error', (error) => log.warn({ err: error }, 'the lock on the outside broker was lost'));
    session = { holder };
    holder.once('end', () => {
      session?.reader?.end(true);
      session = undefined;
      if (!hasClosed) retry = setTimeout(() => void begin(), retryMs);
    });
    try {
      await holder.connect();
      // Waits as long as another console holds the lock.
      await holder.query(`select pg_advisory_lock(hashtextextended('skytally outside broker', 0))`);
      const clientId = await clientIdOf(holder);
      if (!hasClosed && session) session.reader = startReading(options, clientId);
    } catch (error) {
      if (!hasClosed) log.warn({ err: error }, 'the outside broker cannot be read; tried again');
      await holder.end().catch((again: unknown) => log.debug({ err: again }, 'outside broker'));
    }
  };
  void begin();

  return {
    close: async () => {
      hasClosed = true;
      clearTimeout(retry);
      const last = session;
      // Does not wait for an unresponsive broker: it redelivers whatever was not acknowledged.
      await last?.reader?.endAsync(true);
      await last?.holder.end();
    },
  };
}

/**
 * The client id, shared by all consoles on a database: the broker queues their messages under it. At most 23
 * characters (MQTT 3.1.1, 3.1.3.1).
 */
async function clientIdOf(holder: pg.Client): Promise<string> {
  const { rows } = await holder.query<{ id: string }>(
    `select 'skytally' || left(md5(system_identifier || current_database()), 15) as id from pg_control_system()`,
  );
  return rows[0]?.id ?? 'skytally';
}

function startReading({ url, pattern, take, log }: OutsideBrokerOptions, clientId: string): MqttClient {
  const client = mqtt.connect(url, { protocolVersion: 4, clientId, clean: false, reconnectPeriod: retryMs });
  const whereTo = new URL(url).host;
  client.on('connect', () => {
    log.info({ broker: whereTo }, 'reading from the outside broker');
    client.subscribe(pattern, { qos: 1 }, (error, granted) => {
      const isRefused = granted?.some(({ qos }) => qos === 128) ?? false;
      if (error || isRefused) log.error({ err: error, pattern }, 'the outside broker does not let us read');
    });
  });
  client.on('error', (error) => log.warn({ err: error, broker: whereTo }, 'the outside broker'));
  client.on('offline', () => log.warn({ broker: whereTo }, 'the outside broker is away; tried again'));
  // mqtt.js acknowledges a message when this calls back, and only then requests the next.
  client.handleMessage = (packet: IPublishPacket, done) => {
    take(packet.topic, Buffer.from(packet.payload)).then(
      (answer) => {
        client.publish(answer.topic, answer.payload);
        done();
      },
      (error: unknown) => {
        log.error({ err: error }, 'a message of the outside broker was not taken; it is sent again');
        // Without an acknowledgement the broker redelivers the message, but only on a new connection.
        client.stream.destroy();
      },
    );
  };
  return client;
}
