// Decides who may connect to the broker; an address with too many failed attempts is blocked, as in HTTP.
import { LRUCache } from 'lru-cache';
import { idPattern, isId } from '#kernel/ids.ts';
import { acceptedLanguage } from '#kernel/language.ts';
import { DomainError } from '#kernel/errors.ts';
import type {
  AdmitClient,
  BrokerClient,
  ClientOrigin,
  ReviewClients,
  SendingClient,
} from '#platform/server/live/broker-clients.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { admitLive, sessionsOver, showKey } from '#features/access/identity/server/index.ts';
import { admitPortal, portalsOver } from '#features/access/portal/server/index.ts';
import { beginAttempt } from '#features/access/signin/server/index.ts';
import { takeMessages } from '#features/metering/usage/server/index.ts';

const meteringTopic = 'usage/events';

/**
 * Checks a client's user name and password: a user's or portal link's id with a live ticket, or an API key's
 * id with its secret. Only failures are counted, because after a restart thousands of valid clients reconnect
 * at once.
 */
export function liveAdmission(app: App): AdmitClient {
  const waiting = new LRUCache<string, number>({ max: 10_000 });
  return async (userName, password, from) => {
    const now = app.clock.now().getTime();
    if ((waiting.get(from.address) ?? 0) > now) return undefined;
    const client = await admitted(app, userName, password, from);
    if (client) return client;
    try {
      const attempt = await beginAttempt(app, { address: from.address });
      await attempt.failed();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      waiting.set(from.address, now + Number(error.params['retryAfter'] ?? 1) * 1000);
    }
    return undefined;
  };
}

/** Finds the clients whose session or key has expired; no message announces an expiry. */
export function liveReview(app: App): ReviewClients {
  return async (clients) => {
    const people = new Set(clients.flatMap((client) => (client.sends ? [] : [client.sessionId])));
    const links = [...people].filter((sessionId) => isId('plk', sessionId));
    for (const linkId of links) people.delete(linkId);
    const machines = clients.flatMap((client) => (client.sends ? [client] : []));
    const [endedIds, endedLinks, inForce] = await Promise.all([
      sessionsOver(app.database.kysely, [...people], app.clock.now()),
      portalsOver(app, links),
      Promise.all(machines.map(({ sends }) => sends.isInForce())),
    ]);
    return [
      ...endedIds,
      ...endedLinks,
      ...machines.flatMap(({ sessionId }, index) => (inForce[index] ? [] : [sessionId])),
    ];
  };
}

async function admitted(
  app: App,
  userName: string,
  password: string,
  from: ClientOrigin,
): Promise<BrokerClient | undefined> {
  if (idPattern('key').test(userName)) return meteringClient(app, userName, password, from);
  // Browsers always send an Origin header. A client without one is not a browser, so users' tickets are
  // rejected.
  if (!from.hasOrigin) return undefined;
  return isId('plk', userName) ? admitPortal(app, userName, password) : admitLive(app, userName, password);
}

/**
 * Metering over MQTT: every message is recorded like a call of POST /usage/events. The key is checked for
 * each message.
 */
async function meteringClient(
  app: App,
  keyId: string,
  secret: string,
  from: ClientOrigin,
): Promise<SendingClient | undefined> {
  const key = await showKey(app, keyId, secret);
  if (key?.actor.scope !== 'metering') return undefined;
  const answerTopic = `usage/results/${key.keyId}`;
  const language = acceptedLanguage(from.acceptLanguage);
  return {
    keyId: key.keyId,
    sessionId: key.keyId,
    topics: [answerTopic],
    sends: {
      topic: meteringTopic,
      answerTopic,
      take: async (payloads) => {
        const actor = await key.now();
        return actor && takeMessages(app, actor, payloads, language);
      },
      isInForce: async () => (await key.now()) !== undefined,
    },
  };
}
