// The audit log: who did what to which object. One row per unit of work, written in its transaction, never
// changed, and chained by hashes.
import { sql, type RawBuilder } from 'kysely';
import type { Actor, Ctx } from './ctx.ts';

/** What a unit of work did to which subject; `by` see {@link Ctx.audit}. */
export type Audited = {
  readonly action: string;
  readonly subject: string | undefined;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly by: string | undefined;
};

function actorText(actor: Actor, by: string | undefined): { kind: string; id: string | null } {
  switch (actor.kind) {
    case 'user':
      // The actor is the link; the detail names who created it.
      if (actor.portal) return { kind: 'portal', id: actor.portal.linkId };
      // The actor is the key; the detail names the person whom it acts for.
      if (actor.key) return { kind: 'apiKey', id: actor.key.keyId };
      return { kind: 'user', id: actor.viewing?.by ?? actor.userId };
    case 'apiKey':
      return { kind: 'apiKey', id: actor.keyId };
    case 'system':
      return { kind: 'system', id: actor.name };
    case 'anonymous':
      return by === undefined ? { kind: 'anonymous', id: null } : { kind: 'user', id: by };
  }
}

/** What the actor adds to the detail: whom they view as or act for, and who approved it. */
function actorDetail(actor: Actor): Readonly<Record<string, unknown>> {
  if (actor.kind !== 'user') return {};
  const agreed = actor.approved
    ? { approvedBy: actor.approved.by, approvalId: actor.approved.approvalId }
    : {};
  if (actor.portal)
    return {
      linkOf: actor.userId,
      ...(actor.portal.actor !== '' && { portalActor: actor.portal.actor }),
    };
  if (actor.key) return { actsFor: actor.userId, ...agreed };
  return actor.viewing ? { viewedAs: actor.userId, viewId: actor.viewing.viewId } : agreed;
}

/**
 * The SQL expression that appends the audit row of a unit of work. It locks the head of the chain until the
 * transaction ends, so it must be the last thing that a unit does.
 */
export function auditCall(ctx: Ctx, { action, subject, detail, by }: Audited): RawBuilder<unknown> {
  const actor = actorText(ctx.actor, by);
  return sql`append_audit(${ctx.newId('aud')}, ${ctx.now}, ${actor.kind}, ${actor.id}, ${action}, ${subject ?? null}, ${JSON.stringify({ ...detail, ...actorDetail(ctx.actor) })}::jsonb, ${ctx.requestId})`;
}
