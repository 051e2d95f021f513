// Tickets for the live connection: signed, so that making one writes nothing, and good once, for a minute.
import {
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import DataLoader from 'dataloader';
import type { Out } from '#kernel/contract.ts';
import type { LiveClient } from '#platform/server/live/broker-clients.ts';
import { person, type Ctx, type App } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Secrets } from '#platform/server/security/secrets.ts';
import { waitForBatch } from '#platform/server/database/cached-reads.ts';
import type { identity } from '../contract.ts';
import { liveTicketSeconds } from '../rules.ts';
import { takeLiveTickets, type LiveTicketUser, type ShownTicket } from './store-sessions.ts';

/** Makes a ticket for the live connection. Thousands ask for one together after a restart: nothing is written. */
export async function liveTicket(ctx: Ctx): Promise<Out<typeof identity.liveTicket>> {
  const { userId, sessionId } = person(ctx);
  const expiresAt = new Date(ctx.now.getTime() + liveTicketSeconds * 1000);
  return { ticket: signLiveTicket(ctx.app.secrets, { userId, sessionId, expiresAt }), expiresAt };
}

/** A ticket's text: what it says, something unpredictable, and a signature that also covers whose it is. */
export function signLiveTicket(
  secrets: TicketSecrets,
  { userId, sessionId, expiresAt }: { userId: string; sessionId: string; expiresAt: Date },
): string {
  const said = `${sessionId}.${expiresAt.getTime().toString(36)}.${randomBytes(16).toString('base64url')}`;
  return `${said}.${signature(secrets, userId, said).toString('base64url')}`;
}

type TicketSecrets = Pick<Secrets, 'accessTokenKey'>;
const keys = new WeakMap<TicketSecrets, KeyObject>();

/** A key of its own, so that what signs tickets can sign nothing else; made once, as that costs as much as a signature. */
function keyOf(secrets: TicketSecrets): KeyObject {
  const key =
    keys.get(secrets) ??
    createSecretKey(
      Buffer.from(
        hkdfSync('sha256', Buffer.from(secrets.accessTokenKey, 'base64url'), '', 'skytally live tickets', 32),
      ),
    );
  keys.set(secrets, key);
  return key;
}

const signature = (secrets: TicketSecrets, userId: string, said: string): Buffer =>
  createHmac('sha256', keyOf(secrets)).update(`${userId}.${said}`).digest();

/** What a ticket of this user says; undefined when it is not ours, somebody else's or has run out. */
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

const loaders = new WeakMap<App, DataLoader<ShownTicket, LiveTicketUser | undefined>>();

/** The live client of a user id and a ticket, and what it may hear. The ticket is used up. */
export async function admitLive(app: App, userId: string, ticket: string): Promise<LiveClient | undefined> {
  const shown = readLiveTicket(app, userId, ticket);
  if (!shown) return undefined;
  const loader =
    loaders.get(app) ??
    new DataLoader((tickets: readonly ShownTicket[]) => useAll(app, tickets), {
      cache: false,
      batchScheduleFn: waitForBatch,
    });
  loaders.set(app, loader);
  const user = await loader.load(shown);
  if (!user) return undefined;
  const own = [`user/${userId}/notifications`, `user/${userId}/sessions`];
  const { sessionId } = shown;
  if (user.role === 'Admin')
    return { userId, sessionId, topics: [...own, 'system/metrics', 'system/imports', 'system/billing'] };
  const ofOrganization = ['usage', 'bills', ...(user.role === 'User' ? ['notifications'] : [])].map(
    (subject) => `org/${user.organizationId}/${subject}`,
  );
  return { userId, sessionId, topics: [...own, ...ofOrganization] };
}

/** Of those that show the same ticket in the same moment, the first one gets it. */
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
