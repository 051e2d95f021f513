// Tickets for the live connection: signed, so that issuing one writes nothing; valid once, for a minute.
import {
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import DataLoader from 'dataloader';
import { oncePer } from '#kernel/once.ts';
import type { Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { KeyArea } from '#kernel/permissions.ts';
import type { LiveClient } from '#platform/server/live/broker-clients.ts';
import { ownSession, person, type Ctx, type App } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Secrets } from '#platform/server/security/secrets.ts';
import { waitForBatch } from '#platform/server/database/cached-reads.ts';
import type { identity } from '../contract.ts';
import { liveTicketSeconds } from '../rules.ts';
import { takeLiveTickets, spendTicket, type LiveTicketUser, type ShownTicket } from './store-sessions.ts';

/**
 * Issues a ticket for the live connection without writing to the database, because after a restart thousands
 * of browsers request one at once. A visitor of a portal link gets a ticket of the link, not of its creator.
 */
export async function liveTicket(ctx: Ctx): Promise<Out<typeof identity.liveTicket>> {
  const { portal, ...by } = person(ctx);
  const userId = portal?.linkId ?? by.userId;
  const sessionId = portal?.linkId ?? ownSession(ctx);
  const expiresAt = new Date(ctx.now.getTime() + liveTicketSeconds * 1000);
  return { ticket: signLiveTicket(ctx.app.secrets, { userId, sessionId, expiresAt }), expiresAt };
}

/** Encodes a ticket: its content, a random part, and a signature that also covers the user. */
export function signLiveTicket(
  secrets: TicketSecrets,
  { userId, sessionId, expiresAt }: { userId: string; sessionId: string; expiresAt: Date },
): string {
  const content = `${sessionId}.${expiresAt.getTime().toString(36)}.${randomBytes(16).toString('base64url')}`;
  return `${content}.${signature(secrets, userId, content).toString('base64url')}`;
}

type TicketSecrets = Pick<Secrets, 'accessTokenKey'>;

/**
 * The signing key, used for nothing but tickets; derived once, because deriving costs as much as a signature.
 */
const keyOf = oncePer(({ accessTokenKey }: TicketSecrets): KeyObject =>
  createSecretKey(
    Buffer.from(
      hkdfSync('sha256', Buffer.from(accessTokenKey, 'base64url'), '', 'skytally live tickets', 32),
    ),
  ),
);

const signature = (secrets: TicketSecrets, userId: string, content: string): Buffer =>
  createHmac('sha256', keyOf(secrets)).update(`${userId}.${content}`).digest();

/**
 * Decodes a user's ticket; undefined when its signature is wrong, it belongs to another user, or it has
 * expired.
 */
function readLiveTicket(app: App, userId: string, ticket: string): ShownTicket | undefined {
  const parts = ticket.split('.');
  const [sessionId, until, , signed] = parts;
  if (parts.length !== 4 || !sessionId || !until || !signed) return undefined;
  const given = Buffer.from(signed, 'base64url');
  const right = signature(app.secrets, userId, parts.slice(0, 3).join('.'));
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  const expiresAt = new Date(Number.parseInt(until, 36));
  return expiresAt > app.clock.now()
    ? { hash: sha256(parts.slice(0, 3).join('.')), userId, sessionId, expiresAt }
    : undefined;
}

/** Uses up a ticket of a portal link; false when it belongs to another link, has expired or was used. */
export async function takePortalTicket(app: App, linkId: Id<'plk'>, ticket: string): Promise<boolean> {
  const shown = readLiveTicket(app, linkId, ticket);
  return shown?.sessionId === linkId && (await spendTicket(app.database.kysely, shown));
}

const loaderOf = oncePer(
  (app: App) =>
    new DataLoader((tickets: readonly ShownTicket[]) => useAll(app, tickets), {
      cache: false,
      batchScheduleFn: waitForBatch,
    }),
);

/**
 * Returns the live client for a user id and a ticket, with the topics to which it can subscribe. The ticket
 * is used up.
 */
export async function admitLive(app: App, userId: string, ticket: string): Promise<LiveClient | undefined> {
  const shown = readLiveTicket(app, userId, ticket);
  if (!shown) return undefined;
  const user = await loaderOf(app).load(shown);
  if (!user) return undefined;
  const own = [`user/${userId}/notifications`, `user/${userId}/sessions`];
  const { sessionId } = shown;
  const { customRole } = user;
  const topics = Object.entries(user.role === 'Admin' ? adminTopics : organizationTopics)
    .filter(([, area]) => customRole === null || customRole.permissions.includes(`${area}:read`))
    .map(([topic]) => (user.role === 'Admin' ? topic : `org/${user.organizationId}/${topic}`));
  // Only users who can act in an organization get its notifications.
  const notices = user.role === 'User' ? [`org/${user.organizationId}/notifications`] : [];
  return { userId, sessionId, topics: [...own, ...topics, ...notices] };
}

/** The area that a custom role must allow reading, for each topic. */
const adminTopics: Readonly<Record<string, KeyArea>> = {
  'system/metrics': 'operations',
  'system/imports': 'operations',
  'system/billing': 'billing',
  'system/connectors': 'usage',
  'system/event-streams': 'usage',
  'system/approvals': 'approvals',
};
const organizationTopics: Readonly<Record<string, KeyArea>> = {
  usage: 'usage',
  bills: 'billing',
  commitments: 'billing',
};

/** When the same ticket is presented several times at the same moment, only the first is admitted. */
async function useAll(app: App, tickets: readonly ShownTicket[]): Promise<(LiveTicketUser | undefined)[]> {
  const first = new Map<string, ShownTicket>();
  for (const ticket of tickets)
    if (!first.has(ticket.hash.toString('hex'))) first.set(ticket.hash.toString('hex'), ticket);
  const used = await takeLiveTickets(app.database.kysely, [...first.values()], app.clock.now());
  const found = new Map(used.map((user) => [user.hash.toString('hex'), user]));
  return tickets.map((ticket) =>
    first.get(ticket.hash.toString('hex')) === ticket ? found.get(ticket.hash.toString('hex')) : undefined,
  );
}
