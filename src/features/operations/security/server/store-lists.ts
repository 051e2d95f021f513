// SQL of failed sign-ins and of open sessions.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { In, Out } from '#kernel/contract.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf, containsPattern, planPage, searchTotalCap } from '#platform/server/database/paging.ts';
import { refusedWays, type OpenSession, type Refused, type security } from '../contract.ts';

type RefusedRow = {
  id: string;
  at: Date;
  way: string | null;
  reason: string | null;
  userId: Id<'usr'> | null;
  name: string | null;
  account: string | null;
  address: string | null;
  sortValue: string | null;
};
const isWay = (way: string | null): way is Refused['way'] =>
  (refusedWays as readonly (string | null)[]).includes(way);

/** One page of failed sign-ins. */
export async function listRefused(
  ctx: Ctx,
  input: In<typeof security.listRefused>,
): Promise<Out<typeof security.listRefused>> {
  const plan = planPage(input, { at: { expression: sql`a.at`, cast: 'timestamptz' } }, '-at', sql`a.id`);
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const from = sql`from audit_log a left join app_user u on u.id = a.subject`;
  const where = allOf(
    sql`a.action in ('signin.refused', 'federation.refused')`,
    pattern && sql`(u.account ilike ${pattern} or a.detail->>'address' like ${pattern})`,
  );
  const { rows } =
    await sql<RefusedRow>`select a.id, a.at, a.detail->>'way' as way, coalesce(a.detail->>'reason', a.detail->>'code') as reason, u.id as "userId", u.name, u.account, a.detail->>'address' as address, ${plan.sortValue} as "sortValue"
    ${from} where ${allOf(where, plan.after)} order by ${plan.orderBy} limit ${plan.limit}`.execute(ctx.db);
  const { rows: counted } = await sql<{
    total: bigint;
  }>`select count(*) as total from (select 1 ${from} where ${where} limit ${searchTotalCap}) as found`.execute(
    ctx.db,
  );
  const page = plan.cut(rows);
  return {
    items: page.rows.map(({ id, at, way, reason, userId, name, account, address }) => ({
      id,
      at,
      way: isWay(way) ? way : 'other',
      reason: reason ?? '',
      user: userId === null ? null : { id: userId, name: name ?? '', account: account ?? '' },
      address,
    })),
    nextCursor: page.nextCursor,
    total: Number(counted[0]?.total ?? 0n),
  };
}

/** One page of the open sessions of all users. */
export async function listOpenSessions(
  ctx: Ctx,
  input: In<typeof security.listOpenSessions>,
): Promise<Out<typeof security.listOpenSessions>> {
  // Ids are made in the order of time: the newest session has the greatest.
  const plan = planPage(input, { id: { expression: sql`s.id`, cast: 'text' } }, '-id', sql`s.id`);
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const from = sql`from session s join app_user u on u.id = s.user_id`;
  const where = allOf(
    sql`s.ended_at is null and s.expires_at > ${ctx.now}`,
    input.role && sql`u.role = ${input.role}`,
    pattern && sql`(u.name ilike ${pattern} or u.account ilike ${pattern} or s.address like ${pattern})`,
  );
  const { rows } = await sql<
    Omit<OpenSession, 'current'> & { sortValue: string | null }
  >`select s.id, s.user_id as "userId", u.name, u.account, u.role, s.device, s.address, s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", ${plan.sortValue} as "sortValue"
    ${from} where ${allOf(where, plan.after)} order by ${plan.orderBy} limit ${plan.limit}`.execute(ctx.db);
  const { rows: counted } = await sql<{
    total: bigint;
  }>`select count(*) as total from (select 1 ${from} where ${where} limit ${searchTotalCap}) as found`.execute(
    ctx.db,
  );
  const own = person(ctx).sessionId;
  const page = plan.cut(rows);
  return {
    items: page.rows.map(({ sortValue: _sortValue, ...session }) => ({
      ...session,
      current: session.id === own,
    })),
    nextCursor: page.nextCursor,
    total: Number(counted[0]?.total ?? 0n),
  };
}
