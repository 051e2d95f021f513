// SQL of failed sign-ins and open sessions.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { In, Out } from '#kernel/contract.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
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
};
const isWay = (way: string | null): way is Refused['way'] =>
  (refusedWays as readonly (string | null)[]).includes(way);

const refusedOrder: ListOrder = {
  by: { at: { expression: sql`a.at`, cast: 'timestamptz' } },
  usual: '-at',
  id: sql`a.id`,
};

/** One page of failed sign-ins. */
export function listRefused(
  ctx: Ctx,
  input: In<typeof security.listRefused>,
): Promise<Out<typeof security.listRefused>> {
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const list = {
    columns: sql<RefusedRow>`a.id, a.at, a.detail->>'way' as way, coalesce(a.detail->>'reason', a.detail->>'code') as reason, u.id as "userId", u.name, u.account, a.detail->>'address' as address`,
    from: sql`audit_log a left join app_user u on u.id = a.subject`,
    where: allOf(
      sql`a.action in ('signin.refused', 'federation.refused')`,
      pattern && sql`(u.account ilike ${pattern} or a.detail->>'address' like ${pattern})`,
    ),
    order: refusedOrder,
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, ({ id, at, way, reason, userId, name, account, address }) => ({
    id,
    at,
    way: isWay(way) ? way : 'other',
    reason: reason ?? '',
    user: userId === null ? null : { id: userId, name: name ?? '', account: account ?? '' },
    address,
  }));
}

const sessionOrder: ListOrder = {
  // Ids are ordered by time: the newest session has the greatest.
  by: { id: { expression: sql`s.id`, cast: 'text' } },
  usual: '-id',
  id: sql`s.id`,
};

/** One page of the open sessions of all users. */
export async function listOpenSessions(
  ctx: Ctx,
  input: In<typeof security.listOpenSessions>,
): Promise<Out<typeof security.listOpenSessions>> {
  const own = person(ctx).sessionId;
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const list = {
    columns: sql<
      Omit<OpenSession, 'current'>
    >`s.id, s.user_id as "userId", u.name, u.account, u.role, s.device, s.address, s.created_at as "createdAt", s.last_seen_at as "lastSeenAt"`,
    from: sql`session s join app_user u on u.id = s.user_id`,
    where: allOf(
      sql`s.ended_at is null and s.expires_at > ${ctx.now}`,
      input.role && sql`u.role = ${sql.lit(input.role)}`,
      pattern && sql`(u.name ilike ${pattern} or u.account ilike ${pattern} or s.address like ${pattern})`,
    ),
    order: sessionOrder,
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, (row) => ({ ...rowItself(row), current: row.id === own }));
}
