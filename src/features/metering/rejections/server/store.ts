// SQL of rejected events.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  orderOf,
  readPage,
  readTotal,
  rowItself,
  type List,
  type ListOrder,
  type PageInput,
} from '#platform/server/database/paging.ts';
import type { rejectedStates } from '../contract.ts';

export type StoredRejection = {
  id: Id<'rej'>;
  organizationId: Id<'org'> | null;
  organization: string | null;
  keyOrganizationId: Id<'org'> | null;
  keyId: Id<'key'>;
  keyName: string | null;
  firstReceivedAt: Date;
  lastReceivedAt: Date;
  times: bigint;
  source: string | null;
  eventId: string | null;
  type: string | null;
  subject: string | null;
  code: string;
  params: TextParams;
  state: (typeof rejectedStates)[number];
  isComplete: boolean;
  settledAt: Date | null;
  raw: string;
  repaired: string | null;
};
/**
 * Restricts events to one organization's; null means all. Members see only events sent by their own
 * organization's keys: they may not change or dismiss events that platform keys sent on its behalf.
 */
export type Scope = { readonly organizationId: Id<'org'>; readonly isMember: boolean } | null;
const within = (scope: Scope): RawBuilder<unknown> | null =>
  scope &&
  (scope.isMember
    ? sql`r.key_organization_id = ${scope.organizationId}`
    : sql`r.organization_id = ${scope.organizationId}`);
export type RejectedFilter = {
  q?: string | undefined;
  code?: string | undefined;
  type?: string | undefined;
  state?: (typeof rejectedStates)[number] | undefined;
};

const columns = sql<StoredRejection>`r.id, r.organization_id as "organizationId", o.name as organization, r.key_organization_id as "keyOrganizationId", r.key_id as "keyId", k.name as "keyName", r.first_received_at as "firstReceivedAt", r.last_received_at as "lastReceivedAt", r.times,
  r.source, r.event_id as "eventId", r.type, r.subject, r.code, r.params, r.state, r.is_complete as "isComplete", r.settled_at as "settledAt"`;
const tables = sql`rejected_event r left join organization o on o.id = r.organization_id left join api_key k on k.id = r.key_id`;
const order: ListOrder = {
  by: {
    lastReceivedAt: { expression: sql`r.last_received_at`, cast: 'timestamptz' },
    times: { expression: sql`r.times`, cast: 'bigint' },
  },
  usual: '-lastReceivedAt',
  id: sql`r.id`,
};

const conditionOf = (scope: Scope, filter: RejectedFilter): RawBuilder<unknown> =>
  allOf(
    within(scope),
    sql`r.state = ${sql.lit(filter.state ?? 'open')}`,
    filter.code && sql`r.code = ${filter.code}`,
    filter.type && sql`r.type = ${filter.type}`,
    filter.q &&
      sql`(r.event_id ilike ${containsPattern(filter.q)} or r.source ilike ${containsPattern(filter.q)} or r.subject ilike ${containsPattern(filter.q)})`,
  );

const listOf = (scope: Scope, filter: RejectedFilter): List<StoredRejection> => ({
  columns,
  from: tables,
  where: conditionOf(scope, filter),
  order,
});

/** One page of rejected events. */
export const pageOfRejected = (
  ctx: Ctx,
  scope: Scope,
  input: RejectedFilter & PageInput,
): Promise<Page<StoredRejection>> => readPage(ctx.db, input, listOf(scope, input), rowItself);

/** Counts the rejected events that match a filter. */
export const countRejected = (ctx: Ctx, scope: Scope, filter: RejectedFilter): Promise<number> =>
  readTotal(ctx.db, listOf(scope, filter));

/** Returns the query for all rejected events that match a filter. */
export function rejectedQuery(
  scope: Scope,
  filter: RejectedFilter & { sort?: string | undefined },
): RawBuilder<StoredRejection> {
  return sql<StoredRejection>`select ${columns}, r.raw, r.repaired from ${tables} where ${conditionOf(scope, filter)} order by ${orderOf(order, filter.sort)}`;
}

/** Returns one rejected event; with `lock`, no other transaction can change it until this one ends. */
export async function rejectedById(
  ctx: Ctx,
  scope: Scope,
  id: string,
  lock = false,
): Promise<StoredRejection | undefined> {
  const { rows } =
    await sql<StoredRejection>`select ${columns}, r.raw, r.repaired from ${tables} where ${allOf(sql`r.id = ${id}`, within(scope))} ${lock ? sql`for update of r` : sql``}`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Returns open events of a reason after a position, locked; skips rows locked by another transaction. */
export async function openOfReason(
  ctx: Ctx,
  scope: Scope,
  filter: { code: string; type?: string | undefined; after?: string | undefined },
  limit: number,
): Promise<StoredRejection[]> {
  const { rows } = await sql<StoredRejection>`select ${columns}, r.raw, r.repaired from ${tables}
    where ${allOf(conditionOf(scope, { code: filter.code, type: filter.type }), filter.after && sql`r.id > ${filter.after}`)} order by r.id limit ${limit} for update of r skip locked`.execute(
    ctx.db,
  );
  return rows;
}

/** Counts open events of a reason after a position. */
export const countAfter = (
  ctx: Ctx,
  scope: Scope,
  { code, type, after }: { code: string; type?: string | undefined; after: string },
): Promise<number> =>
  readTotal(ctx.db, {
    from: sql`rejected_event r`,
    where: allOf(conditionOf(scope, { code, type }), sql`r.id > ${after}`),
  });

/** Returns the open events by reason, and the event types among them. */
export async function reasonsOf(
  ctx: Ctx,
  scope: Scope,
): Promise<{ reasons: { code: string; count: number }[]; types: string[]; notKept: number }> {
  const { rows } = await sql<{
    code: string;
    type: string | null;
    count: bigint;
  }>`select r.code, r.type, count(*) as count from rejected_event r where ${conditionOf(scope, {})} group by r.code, r.type`.execute(
    ctx.db,
  );
  const counts = new Map<string, number>();
  for (const { code, count } of rows) counts.set(code, (counts.get(code) ?? 0) + Number(count));
  const overflow = await sql<{
    times: bigint | null;
  }>`select sum(times)::bigint as times from rejected_event_overflow where ${scope ? sql`organization_id = ${scope.organizationId}` : sql`true`}`.execute(
    ctx.db,
  );
  return {
    reasons: [...counts]
      .map(([code, count]) => ({ code, count }))
      .toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1)),
    types: [...new Set(rows.flatMap(({ type }) => (type === null ? [] : [type])))].toSorted().slice(0, 100),
    notKept: Number(overflow.rows[0]?.times ?? 0n),
  };
}

/** Marks events as accepted after a replay; `repaired` is the corrected event that was counted instead. */
export async function markReplayed(
  ctx: Ctx,
  ids: readonly string[],
  by: string,
  repaired: string | null,
): Promise<void> {
  await sql`update rejected_event set state = 'replayed', settled_at = ${ctx.now}, settled_by = ${by}, repaired = ${repaired} where id = any(${[...ids]}::text[])`.execute(
    ctx.db,
  );
}

/**
 * Replaces reasons. A row is left unchanged if another row for the same event with the new reason exists,
 * because digests are unique.
 */
export async function replaceReasons(
  ctx: Ctx,
  changes: readonly { id: string; code: string; params: Readonly<Record<string, string>>; digest: Buffer }[],
): Promise<void> {
  if (changes.length === 0) return;
  const given = JSON.stringify(changes.map((each) => ({ ...each, digest: each.digest.toString('hex') })));
  await sql`update rejected_event r set code = g.code, params = g.params, digest = decode(g.digest, 'hex') from jsonb_to_recordset(${given}::jsonb) as g (id text, code text, params jsonb, digest text)
    where r.id = g.id and not exists (select 1 from rejected_event o where o.digest = decode(g.digest, 'hex') and o.id <> r.id)`.execute(
    ctx.db,
  );
}

/** How many of the given events exist, in any state. */
export const countNamed = (ctx: Ctx, scope: Scope, ids: readonly string[]): Promise<number> =>
  readTotal(ctx.db, {
    from: sql`rejected_event r`,
    where: allOf(within(scope), sql`r.id = any(${[...ids]}::text[])`),
  });

/** Dismisses open events: the given ones, or all of a reason. Returns how many. */
export async function dismiss(
  ctx: Ctx,
  scope: Scope,
  selection: { ids?: readonly string[] | undefined; code?: string | undefined; type?: string | undefined },
  by: string,
): Promise<number> {
  const condition = allOf(
    conditionOf(scope, { code: selection.code, type: selection.type }),
    selection.ids && sql`r.id = any(${[...selection.ids]}::text[])`,
  );
  const { numAffectedRows } =
    await sql`update rejected_event r set state = 'dismissed', settled_at = ${ctx.now}, settled_by = ${by} where ${condition}`.execute(
      ctx.db,
    );
  return Number(numAffectedRows ?? 0n);
}
