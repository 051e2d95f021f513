// Receives live messages through the database (NOTIFY), on a dedicated connection that is reopened when it is
// lost.
import pg from 'pg';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { keepAliveAfterMs } from '../database/pool.ts';
import { liveChannel } from './outbox.ts';

export type LiveMessage = { readonly topic: string; readonly message: object };
export type Listener = { readonly close: () => Promise<void> };

const retryMs = 1000;
const NewsOfTopics = z.object({ topics: z.array(z.string()), message: z.looseObject({}) });

/**
 * Listens until it is closed. `onMessage` gets every message; `missed` is called after a lost connection is
 * restored, because messages sent meanwhile are lost.
 */
export async function listenLive(options: {
  connection: pg.PoolConfig;
  log: Logger;
  onMessage: (message: LiveMessage) => void;
  missed: () => void;
}): Promise<Listener> {
  const { log } = options;
  let hasClosed = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({
      ...options.connection,
      application_name: 'skytally live',
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
    });
    fresh.on('notification', ({ payload }) => {
      const news = payload === undefined ? undefined : liveNews(payload);
      if (!news) return log.warn('a live message that cannot be read');
      for (const topic of news.topics) options.onMessage({ topic, message: news.message });
    });
    fresh.on('error', (error) => log.warn({ err: error }, 'live listener lost its connection'));
    try {
      await fresh.connect();
      await fresh.query(`listen ${liveChannel}`);
    } catch (error) {
      await fresh.end().catch((again: unknown) => log.debug({ err: again }, 'live listener'));
      throw error;
    }
    // Registered only now: a failed attempt is retried by the function that made it.
    fresh.once('end', () => later());
    client = fresh;
  };
  const later = (): void => {
    if (hasClosed) return;
    client = undefined;
    retry = setTimeout(() => {
      connect().then(
        () => {
          log.info('live listener is back');
          options.missed();
        },
        (error: unknown) => {
          log.warn({ err: error }, 'live listener will try again');
          later();
        },
      );
    }, retryMs);
  };

  await connect();
  return {
    close: async () => {
      hasClosed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}

/**
 * The message that the outbox sent for one or more topics; undefined when the payload is not from the outbox.
 */
function liveNews(
  payload: string,
): { readonly topics: readonly string[]; readonly message: object } | undefined {
  try {
    const found = z.safeParse(NewsOfTopics, JSON.parse(payload));
    return found.success ? found.data : undefined;
  } catch {
    return undefined;
  }
}
