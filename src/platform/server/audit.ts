// The audit log: who did what to what, one row a unit of work, in the same transaction, never changed.
import { sql } from 'kysely';
import type { Actor, Ctx } from './ctx.ts';

function actorText(actor: Actor): { kind: string; id: string | null } {
  switch (actor.kind) {
    case 'user': return { kind: 'user', id: actor.userId };
    case 'apiKey': return { kind: 'apiKey', id: actor.keyId };
    case 'system': return { kind: 'system', id: actor.name };
    case 'anonymous': return { kind: 'anonymous', id: null };
  }
}

/** Appends the audit row of a unit of work. */
export async function appendAudit(ctx: Ctx, action: string, subject: string | undefined, detail: Readonly<Record<string, unknown>>): Promise<void> {
  const actor = actorText(ctx.actor);
  await sql`insert into audit_log (id, at, actor_kind, actor_id, action, subject, detail, request_id)
    values (${ctx.newId('aud')}, ${ctx.now}, ${actor.kind}, ${actor.id}, ${action}, ${subject ?? null}, ${JSON.stringify(detail)}::jsonb, ${ctx.requestId})`.execute(ctx.db);
}
