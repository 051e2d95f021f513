// The own sessions, and tickets for the live connection.
import type { In, Out } from '#kernel/contract.ts';
import { refuse } from '#kernel/refusal.ts';
import { person, type Ctx } from '#platform/server/ctx.ts';
import { sha256 } from '#platform/server/digest.ts';
import { identityErrors, type identity } from '../contract.ts';
import { liveTicketSeconds } from '../rules.ts';
import { endSessions } from './end-sessions.ts';
import { insertLiveTicket, sessionsOf } from './store-sessions.ts';
import { randomSecret } from './tokens.ts';

export async function sessions(ctx: Ctx): Promise<Out<typeof identity.sessions>> {
  const actor = person(ctx);
  const open = await sessionsOf(ctx, actor.userId);
  return { items: open.map((each) => ({ ...each, current: each.id === actor.sessionId })) };
}

/** Ends one of the own sessions. */
export async function endSession(ctx: Ctx, input: In<typeof identity.endSession>): Promise<null> {
  const ended = await endSessions(ctx, person(ctx).userId, { only: input.sessionId });
  if (ended === 0) throw refuse(identityErrors, 'identity.session_not_found');
  return null;
}

/** Makes a ticket for the live connection: single use, 60 s. */
export async function liveTicket(ctx: Ctx): Promise<Out<typeof identity.liveTicket>> {
  const actor = person(ctx);
  const ticket = randomSecret();
  const expiresAt = new Date(ctx.now.getTime() + liveTicketSeconds * 1000);
  await insertLiveTicket(ctx, { hash: sha256(ticket), userId: actor.userId, sessionId: actor.sessionId, expiresAt });
  return { ticket, expiresAt };
}
