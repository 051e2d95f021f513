// SQL of credit movements: movements, what a month's bills can use, renewals and expiries, each for any
// number of organizations in a fixed number of statements.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { GrantKind, Movement, MovementKind, OwnMovement } from '../contract.ts';
import type { BurnRank, ChargeOfService, GrantFigures, Scope } from '../rules.ts';
import { currentMonth } from './store.ts';

export type NewMovement = {
  readonly grantId: string;
  readonly kind: MovementKind;
  readonly month: BillingMonth;
  /** Positive: granted; negative: taken. */
  readonly minor: bigint;
  readonly bill?: { readonly id: string; readonly number: string };
};
const actorOf = ({ actor }: Ctx): { id: string; name: string | null } => {
  if (actor.kind === 'user') return { id: actor.userId, name: actor.name };
  return actor.kind === 'apiKey' ? { id: actor.keyId, name: actor.name } : { id: 'system', name: null };
};

/**
 * Adds movements and returns the added ones with their ids. Skips a month's renewal that already exists;
 * fails if one would take more than the remaining amount of a grant.
 */
export async function insertMovements<M extends NewMovement>(
  ctx: Ctx,
  movements: readonly M[],
): Promise<(M & { readonly id: Id<'cgm'> })[]> {
  if (movements.length === 0) return [];
  const made = movements.map((movement) => ({ ...movement, id: ctx.newId('cgm') }));
  const by = actorOf(ctx);
  const { rows } = await sql<{
    id: Id<'cgm'>;
  }>`insert into credit_movement (id, grant_id, kind, month, minor, bill_id, bill_number, at, by_id, by_name)
    select m.*, ${ctx.now}::timestamptz, ${by.id}, ${by.name}::text from unnest(${made.map((each) => each.id)}::text[], ${made.map((each) => each.grantId)}::text[], ${made.map((each) => each.kind)}::text[], ${made.map((each) => each.month)}::text[], ${made.map((each) => each.minor)}::bigint[], ${made.map((each) => each.bill?.id ?? null)}::text[], ${made.map((each) => each.bill?.number ?? null)}::text[]) as m
    on conflict (grant_id, month) where kind = 'granted' do nothing returning id`.execute(ctx.db);
  const added = new Set(rows.map((row) => row.id));
  return made.filter((each) => added.has(each.id));
}

/** Locks grants in a fixed order until the transaction ends; returns their versions. */
export async function lockGrants(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{
    id: string;
    version: bigint;
  }>`select id, version from credit_grant where id = any(${[...ids]}::text[]) order by id for update`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [row.id, row.version]));
}

export async function bumpVersions(ctx: Ctx, ids: readonly string[]): Promise<void> {
  await sql`update credit_grant set version = version + 1 where id = any(${[...ids]}::text[])`.execute(
    ctx.db,
  );
}

/** An organization's grant with its figures for one month. */
export type GrantOfMonth = {
  readonly id: Id<'cgr'>;
  readonly organizationId: Id<'org'>;
  readonly version: bigint;
  readonly kind: GrantKind;
  readonly name: { readonly zhTW: string; readonly enUS: string };
  readonly currency: Currency;
  readonly scope: Scope;
  readonly rank: BurnRank;
  readonly figures: GrantFigures;
};

/**
 * Returns the grants that cover a month's bills of organizations, with their figures; grants that are
 * certainly used up are left out unless they are in `wanted`.
 */
export async function grantsForMonth(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
  wanted: readonly string[],
): Promise<GrantOfMonth[]> {
  const { rows } = await sql<{
    id: Id<'cgr'>;
    organization_id: Id<'org'>;
    version: bigint;
    kind: GrantKind;
    name_zh_tw: string;
    name_en_us: string;
    currency: Currency;
    services: string[] | null;
    charges: ChargeOfService[] | null;
    usage_only: boolean;
    priority: number;
    starts_on: BillingMonth;
    last_month: BillingMonth | null;
    created_at: Date;
    recurs: boolean;
    rolls_over: boolean;
    amount_minor: bigint;
    granted_minor: bigint;
    taken: bigint;
    taken_in_month: bigint;
  }>`select g.id, g.organization_id, g.version, g.kind, g.name_zh_tw, g.name_en_us, g.currency, g.services, g.charges, g.usage_only, g.priority, g.starts_on, g.last_month, g.created_at, g.recurs, g.rolls_over, g.amount_minor, g.granted_minor,
      g.used_minor + g.expired_minor as taken, coalesce(t.taken, 0) as taken_in_month
    from credit_grant g
      left join lateral (select -sum(m.minor)::bigint as taken from credit_movement m where g.recurs and not g.rolls_over and m.grant_id = g.id and m.month = ${month} and m.kind in ('used', 'restored', 'expired', 'reopened')) t on true
    where g.organization_id = any(${[...organizationIds]}::text[]) and g.withdrawn_at is null and g.starts_on <= ${month} and (g.last_month is null or g.last_month >= ${month})
      and (g.recurs or g.remaining_minor > 0 or g.id = any(${[...wanted]}::text[]))`.execute(ctx.db);
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    version: row.version,
    kind: row.kind,
    name: { zhTW: row.name_zh_tw, enUS: row.name_en_us },
    currency: row.currency,
    scope: { services: row.services, charges: row.charges, usageOnly: row.usage_only },
    rank: { priority: row.priority, lastMonth: row.last_month, createdAt: row.created_at, id: row.id },
    figures: {
      amount: row.amount_minor,
      startsOn: row.starts_on,
      lastMonth: row.last_month,
      recurring: row.recurs ? { rollover: row.rolls_over } : null,
      isWithdrawn: false,
      granted: row.granted_minor,
      taken: row.taken,
      takenInMonth: row.taken_in_month,
    },
  }));
}

/** A part of a grant that starts or ends: the data for a movement and its ledger entries. */
export type GrantPart = {
  readonly grantId: Id<'cgr'>;
  readonly organizationId: Id<'org'>;
  readonly kind: GrantKind;
  readonly currency: Currency;
  readonly month: BillingMonth;
  /** Positive. */
  readonly minor: bigint;
};

/**
 * Returns the months of recurring grants, up to one that their organization's time zone has reached, whose
 * amounts are not granted yet; their grants are locked. With an id, only that grant's.
 */
export async function monthsToRenew(
  ctx: Ctx,
  month: BillingMonth | null,
  grantId: string | null,
): Promise<GrantPart[]> {
  // Null: each organization's current month.
  const reached =
    month === null ? currentMonth(ctx.now) : sql`least(${month}::text, ${currentMonth(ctx.now)})`;
  const { rows } =
    await sql<GrantPart>`select g.id as "grantId", g.organization_id as "organizationId", g.kind, g.currency, to_char(at.month, 'YYYY-MM') as month, g.amount_minor as minor
    from credit_grant g join organization o on o.id = g.organization_id
      cross join lateral (select max(m.month)::text as month from credit_movement m where m.grant_id = g.id and m.kind = 'granted') given
      cross join lateral generate_series(
        case when given.month is null then to_date(g.starts_on, 'YYYY-MM') else to_date(given.month, 'YYYY-MM') + interval '1 month' end,
        to_date(least(${reached}, coalesce(g.last_month::text, '9999-12')), 'YYYY-MM'), interval '1 month') as at (month)
    where g.recurs and g.withdrawn_at is null and ${grantId === null ? sql`true` : sql`g.id = ${grantId}`}
    order by g.id, at.month for update of g`.execute(ctx.db);
  return rows;
}

/**
 * Remainders by grant; without rollover each month's remainder is separate, otherwise they are one, of
 * `month`.
 */
const restsOf = (
  ctx: Ctx,
  grantIds: readonly string[],
  month: RawBuilder<unknown>,
  until: BillingMonth | null,
) =>
  sql<GrantPart>`select r."grantId", r."organizationId", r.kind, r.currency, r.month, sum(r.minor)::bigint as minor
    from (select g.id as "grantId", g.organization_id as "organizationId", g.kind, g.currency, m.minor, case when g.recurs and not g.rolls_over then m.month else ${month} end as month
      from credit_grant g join organization o on o.id = g.organization_id join credit_movement m on m.grant_id = g.id
      where g.id = any(${[...grantIds]}::text[]) and (${until}::text is null or not (g.recurs and not g.rolls_over) or m.month <= ${until}::text)) r
    group by 1, 2, 3, 4, 5 having sum(r.minor) > 0 order by 1, 5`.execute(ctx.db);

/** Returns the entire remainder of some grants, which the caller has locked. */
export async function restsOfGrants(ctx: Ctx, grantIds: readonly string[]): Promise<GrantPart[]> {
  return (await restsOf(ctx, grantIds, currentMonth(ctx.now), null)).rows;
}

/**
 * Returns what ends with a month: the remainder of grants whose last month it was, and what that month and
 * earlier ones left of recurring grants without rollover. Their grants are locked. `organizationIds` null: of
 * all organizations.
 */
export async function restsThatExpire(
  ctx: Ctx,
  organizationIds: readonly string[] | null,
  month: BillingMonth,
): Promise<GrantPart[]> {
  const ofThem =
    organizationIds === null ? sql`true` : sql`organization_id = any(${[...organizationIds]}::text[])`;
  const { rows } = await sql<{
    id: string;
  }>`select id from credit_grant where remaining_minor > 0 and ${ofThem} and ((recurs and not rolls_over and starts_on <= ${month}) or last_month <= ${month}) order by id for update`.execute(
    ctx.db,
  );
  if (rows.length === 0) return [];
  const rests = await restsOf(
    ctx,
    rows.map((row) => row.id),
    sql`g.last_month`,
    month,
  );
  return rests.rows;
}

/**
 * Returns what a bill used of paid grants when it was issued, in minor units of its currency, whatever
 * happened to it later.
 */
export async function paidAtIssue(ctx: Ctx, billId: string): Promise<bigint> {
  const { rows } = await sql<{
    minor: bigint;
  }>`select coalesce(-sum(m.minor), 0)::bigint as minor from credit_movement m join credit_grant g on g.id = m.grant_id where m.bill_id = ${billId} and m.kind = 'used' and g.kind = 'paid'`.execute(
    ctx.db,
  );
  return rows[0]?.minor ?? 0n;
}

/** Returns what a bill used of paid grants that was not returned, in minor units of its currency. */
export async function paidUseOfBill(ctx: Ctx, billId: string): Promise<bigint> {
  const { rows } = await sql<{
    minor: bigint;
  }>`select coalesce(-sum(m.minor), 0)::bigint as minor from credit_movement m join credit_grant g on g.id = m.grant_id where m.bill_id = ${billId} and g.kind = 'paid'`.execute(
    ctx.db,
  );
  return rows[0]?.minor ?? 0n;
}

/** Locks the grants that a bill used until the transaction ends. */
export async function lockGrantsOfBill(ctx: Ctx, billId: string): Promise<void> {
  const { rows } = await sql<{
    id: string;
  }>`select distinct grant_id as id from credit_movement where bill_id = ${billId}`.execute(ctx.db);
  if (rows.length > 0)
    await lockGrants(
      ctx,
      rows.map((row) => row.id),
    );
}

/** Returns what a bill used of grants that was not returned, in order of use, with the grants' data. */
export async function usesOfBill(
  ctx: Ctx,
  billId: string,
): Promise<(GrantPart & { readonly billNumber: string; readonly isWithdrawn: boolean })[]> {
  const { rows } = await sql<
    GrantPart & { billNumber: string; isWithdrawn: boolean }
  >`select g.id as "grantId", g.organization_id as "organizationId", g.kind, g.currency, m.month, -sum(m.minor)::bigint as minor, m.bill_number as "billNumber", g.withdrawn_at is not null as "isWithdrawn"
    from credit_movement m join credit_grant g on g.id = m.grant_id
    where m.bill_id = ${billId} group by g.id, m.month, m.bill_number having sum(m.minor) < 0 order by min(m.id)`.execute(
    ctx.db,
  );
  return rows;
}

/**
 * Returns what a void bill returned to grants and has expired since, by grant and, without rollover, by
 * month. The grants are stable until this transaction ends only if the caller has locked them.
 */
export async function expiredSinceVoid(ctx: Ctx, billId: string): Promise<GrantPart[]> {
  const { rows } =
    await sql<GrantPart>`select g.id as "grantId", g.organization_id as "organizationId", g.kind, g.currency, case when g.recurs and not g.rolls_over then r.month else coalesce(g.last_month, r.month) end as month, least(r.minor, e.minor) as minor
    from credit_movement r join credit_grant g on g.id = r.grant_id
      cross join lateral (select coalesce(-sum(m.minor), 0)::bigint as minor from credit_movement m where m.grant_id = g.id and m.id > r.id and m.kind in ('expired', 'reopened')
        and (not (g.recurs and not g.rolls_over) or m.month = r.month)) e
    where r.bill_id = ${billId} and r.kind = 'restored' and g.withdrawn_at is null and e.minor > 0 order by g.id`.execute(
      ctx.db,
    );
  return rows;
}

type MovementRow = {
  id: Id<'cgm'>;
  kind: MovementKind;
  month: BillingMonth;
  minor: bigint;
  after: bigint;
  currency: Currency;
  bill_id: Id<'bil'> | null;
  bill_number: string | null;
  at: Date;
  by_name: string | null;
  grant_id: Id<'cgr'>;
  name_zh_tw: string;
  name_en_us: string;
};
const movementColumns = sql<MovementRow>`m.id, m.kind, m.month, m.minor, (sum(m.minor) over (partition by m.grant_id order by m.id))::bigint as after, g.currency, m.bill_id, m.bill_number, m.at, m.by_name, m.grant_id, g.name_zh_tw, g.name_en_us`;
const movementTables = sql`credit_movement m join credit_grant g on g.id = m.grant_id`;
const toMoved = (row: MovementRow) => ({
  id: row.id,
  kind: row.kind,
  month: row.month,
  amount: money(row.minor, row.currency),
  after: money(row.after, row.currency),
  bill:
    row.bill_id === null || row.bill_number === null ? null : { id: row.bill_id, number: row.bill_number },
  at: row.at,
});

/** Returns all movements of a grant, oldest first, each with the remaining amount after it. */
export async function movementsOf(ctx: Ctx, grantId: string): Promise<Movement[]> {
  const { rows } =
    await sql<MovementRow>`select ${movementColumns} from ${movementTables} where m.grant_id = ${grantId} order by m.id`.execute(
      ctx.db,
    );
  return rows.map((row) => ({ ...toMoved(row), by: row.by_name }));
}

/** Returns the latest movements of an organization's grants; at most 100. */
export async function newestMovements(ctx: Ctx, organizationId: string): Promise<OwnMovement[]> {
  const { rows } =
    await sql<MovementRow>`select * from (select ${movementColumns} from ${movementTables} where g.organization_id = ${organizationId}) as moved order by id desc limit 100`.execute(
      ctx.db,
    );
  return rows.map((row) => ({
    ...toMoved(row),
    grantId: row.grant_id,
    grant: { zhTW: row.name_zh_tw, enUS: row.name_en_us },
  }));
}
