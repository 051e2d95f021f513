// SQL of discounts.
import { sql, type RawBuilder } from 'kysely';
import { trimDecimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { In } from '#kernel/contract.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { LocalDay, Page } from '#kernel/shape.ts';
import { required } from '#kernel/assert.ts';
import {
  allOf,
  containsPattern,
  orderOf,
  readPage,
  type ListOrder,
  readTotal,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type {
  Audience,
  discounts,
  DiscountState,
  Duration,
  Reduction,
  ScopeService,
  Terms,
} from '../contract.ts';

/** The terms of a discount. */
export type StoredTerms = {
  readonly name: Terms['name'];
  readonly reduction: Reduction;
  readonly maximum: Money | null;
  readonly duration: Duration;
  readonly scope: readonly ScopeService[] | null;
};
/** The limits of a discount: its audience, number of redemptions and last day. */
export type StoredLimits = {
  readonly redeemableUntil: LocalDay | null;
  readonly maxRedemptions: number | null;
  readonly maxPerOrganization: number;
  readonly audience: Audience;
  readonly organizationIds: readonly string[];
};
export type DiscountRow = StoredTerms &
  StoredLimits & {
    readonly id: Id<'dsc'>;
    readonly code: string | null;
    readonly isArchived: boolean;
    /** How often it was redeemed or granted. */
    readonly redemptions: number;
    readonly saved: readonly Money[];
    readonly createdAt: Date;
    readonly version: number;
  };

export type TermsColumns = {
  nameZhTw: string;
  nameEnUs: string;
  percent: string | null;
  amount: bigint | null;
  maximum: bigint | null;
  currency: Currency | null;
  duration: Duration['kind'];
  months: number | null;
  until: LocalDay | null;
  scope: ScopeService[] | null;
};
/** The columns of terms, of a discount `d`. */
export const termsColumns = sql<TermsColumns>`d.name_zh_tw as "nameZhTw", d.name_en_us as "nameEnUs", d.percent, d.amount, d.maximum, d.currency, d.duration, d.months, d.until::text as until, d.scope`;

export function toTerms(row: TermsColumns): StoredTerms {
  const inCurrency = (minor: bigint): Money =>
    money(minor, required(row.currency, 'the currency of a discount'));
  return {
    name: { zhTW: row.nameZhTw, enUS: row.nameEnUs },
    reduction:
      row.amount === null
        ? { kind: 'percent', percent: trimDecimal(required(row.percent, 'the percentage of a discount')) }
        : { kind: 'fixed', amount: inCurrency(row.amount) },
    maximum: row.maximum === null ? null : inCurrency(row.maximum),
    duration: toDuration(row),
    scope: row.scope,
  };
}

function toDuration({ duration, months, until }: TermsColumns): Duration {
  if (duration === 'months') return { kind: 'months', months: required(months, 'the months of a discount') };
  if (duration === 'until') return { kind: 'until', until: required(until, 'the last day of a discount') };
  return { kind: duration };
}

/** Sums by currency as the database returns them: minor units as text, because JSON numbers are not exact. */
export type StoredSums = [currency: Currency, minor: string][];
export const toSums = (sums: StoredSums): Money[] =>
  sums.map(([currency, minor]) => money(BigInt(minor), currency));
/** The sums of uses on bills in force, by currency. */
export const savedOf = (applications: RawBuilder<unknown>): RawBuilder<StoredSums> =>
  sql`(select coalesce(jsonb_agg(jsonb_build_array(s.currency, s.minor::text) order by s.currency), '[]') from (select a.currency, sum(a.minor) as minor from ${applications} and a.voided_at is null group by a.currency having sum(a.minor) <> 0) s)`;

type Stored = TermsColumns & {
  id: Id<'dsc'>;
  code: string | null;
  redeemableUntil: LocalDay | null;
  maxRedemptions: number | null;
  maxPerOrganization: number;
  audience: Audience;
  organizationIds: string[];
  isArchived: boolean;
  redemptions: number;
  saved: StoredSums;
  createdAt: Date;
  version: number;
};
const redeemed = sql`(select count(*)::integer from discount_redemption r where r.discount_id = d.id)`;
const columns = sql<Stored>`d.id, ${termsColumns}, d.code, d.redeemable_until::text as "redeemableUntil", d.max_redemptions as "maxRedemptions", d.max_per_organization as "maxPerOrganization", d.audience, d.organization_ids as "organizationIds",
  d.archived_at is not null as "isArchived", ${redeemed} as redemptions, ${savedOf(sql`discount_application a join discount_redemption r on r.id = a.redemption_id where r.discount_id = d.id`)} as saved, d.created_at as "createdAt", d.version`;

export const toDiscount = (row: Stored): DiscountRow => ({
  ...toTerms(row),
  id: row.id,
  code: row.code,
  redeemableUntil: row.redeemableUntil,
  maxRedemptions: row.maxRedemptions,
  maxPerOrganization: row.maxPerOrganization,
  audience: row.audience,
  organizationIds: row.organizationIds,
  isArchived: row.isArchived,
  redemptions: row.redemptions,
  saved: toSums(row.saved),
  createdAt: row.createdAt,
  version: row.version,
});

/** The state, equivalent to the rules, for filters. */
const stateOf = (today: LocalDay): RawBuilder<DiscountState> =>
  sql`case when d.archived_at is not null then 'archived' when d.redeemable_until < ${today}::date or date_trunc('month', d.until) < date_trunc('month', ${today}::date) then 'expired' when ${redeemed} >= d.max_redemptions then 'used_up' else 'active' end`;

type Filter = Pick<In<typeof discounts.listDiscounts>, 'q' | 'state'>;
const whereOf = ({ q, state }: Filter, today: LocalDay): RawBuilder<unknown> =>
  allOf(
    q &&
      sql`(d.name_zh_tw || E'\n' || d.name_en_us || E'\n' || coalesce(d.code, '')) ilike ${containsPattern(q)}`,
    state && sql`${stateOf(today)} = ${state}`,
  );

const order: ListOrder = {
  by: {
    createdAt: { expression: sql`d.created_at`, cast: 'timestamptz' },
    code: { expression: sql`coalesce(d.code, '')`, cast: 'text' },
    redemptions: { expression: redeemed, cast: 'integer' },
  },
  usual: '-createdAt',
  id: sql`d.id`,
};

/** One page of discounts with the exact total. */
export const pageOfDiscounts = (
  ctx: Ctx,
  input: In<typeof discounts.listDiscounts>,
  today: LocalDay,
): Promise<Page<DiscountRow>> =>
  readPage(
    ctx.db,
    input,
    { columns, from: sql`discount d`, where: whereOf(input, today), order },
    toDiscount,
  );

/** Returns the discounts that match a filter, newest first, for an export. */
export const discountsQuery = (filter: Filter, today: LocalDay): RawBuilder<Stored> =>
  sql`select ${columns} from discount d where ${whereOf(filter, today)} order by ${orderOf(order, undefined)}`;
/** Returns the services that the discounts matching a filter apply to, without duplicates. */
export async function servicesInScopes(ctx: Ctx, filter: Filter, today: LocalDay): Promise<Id<'svc'>[]> {
  const { rows } = await sql<{
    id: Id<'svc'>;
  }>`select distinct s.service ->> 'serviceId' as id from discount d cross join lateral jsonb_array_elements(d.scope) as s(service) where ${whereOf(filter, today)}`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}
/** Counts the discounts that match a filter. */
export const countDiscounts = (ctx: Ctx, filter: Filter, today: LocalDay): Promise<number> =>
  readTotal(ctx.db, { from: sql`discount d`, where: whereOf(filter, today) });

/** One discount, if there is one. */
export async function discountById(ctx: Ctx, id: string): Promise<DiscountRow | undefined> {
  const { rows } = await sql<Stored>`select ${columns} from discount d where d.id = ${id}`.execute(ctx.db);
  return rows[0] && toDiscount(rows[0]);
}

/** Returns the id of the discount that currently has a code. */
export async function idOfCode(ctx: Ctx, code: string): Promise<Id<'dsc'> | undefined> {
  const { rows } = await sql<{
    id: Id<'dsc'>;
  }>`select id from discount where code = ${code} and archived_at is null`.execute(ctx.db);
  return rows[0]?.id;
}

/**
 * Locks a discount until the transaction ends. Read it afterwards in a separate statement: only a statement
 * that starts after the wait sees redemptions that others stored in the meantime.
 */
export async function lockDiscount(ctx: Ctx, id: string): Promise<void> {
  await sql`select 1 from discount where id = ${id} for update`.execute(ctx.db);
}

/** Adds a discount. Throws a unique violation if its code is taken. */
export async function insertDiscount(
  ctx: Ctx,
  {
    reduction,
    maximum,
    duration,
    ...discount
  }: StoredTerms &
    StoredLimits & { readonly id: string; readonly code: string | null; readonly createdBy: string },
): Promise<void> {
  const isFixed = reduction.kind === 'fixed';
  await sql`insert into discount (id, name_zh_tw, name_en_us, percent, amount, maximum, currency, duration, months, until, scope, code, redeemable_until, max_redemptions, max_per_organization, audience, organization_ids, created_by, created_at)
    values (${discount.id}, ${discount.name.zhTW}, ${discount.name.enUS}, ${isFixed ? null : reduction.percent}::numeric, ${isFixed ? reduction.amount.minor : null}, ${maximum?.minor ?? null}, ${isFixed ? reduction.amount.currency : (maximum?.currency ?? null)},
      ${duration.kind}, ${duration.kind === 'months' ? duration.months : null}, ${duration.kind === 'until' ? duration.until : null}::date, ${discount.scope === null ? null : JSON.stringify(discount.scope)}::jsonb, ${discount.code},
      ${discount.redeemableUntil}::date, ${discount.maxRedemptions}, ${discount.maxPerOrganization}, ${discount.audience}, ${[...discount.organizationIds]}::text[], ${discount.createdBy}, ${ctx.now})`.execute(
    ctx.db,
  );
}

/** Stores a discount's name and limits, and increments its version. */
export async function updateDiscountRow(
  ctx: Ctx,
  id: string,
  { name, ...limits }: Pick<StoredTerms, 'name'> & StoredLimits,
): Promise<void> {
  await sql`update discount set name_zh_tw = ${name.zhTW}, name_en_us = ${name.enUS}, redeemable_until = ${limits.redeemableUntil}::date, max_redemptions = ${limits.maxRedemptions},
    max_per_organization = ${limits.maxPerOrganization}, audience = ${limits.audience}, organization_ids = ${[...limits.organizationIds]}::text[], version = version + 1 where id = ${id}`.execute(
    ctx.db,
  );
}

/** Archives or restores a discount. Throws a unique violation if the code of one to restore is taken. */
export async function setArchived(ctx: Ctx, id: string, at: Date | null): Promise<void> {
  await sql`update discount set archived_at = ${at}, version = version + 1 where id = ${id}`.execute(ctx.db);
}

/** Whether an organization has or had a subscription other than `besides`. */
export async function hasSubscribed(
  ctx: Ctx,
  organizationId: string,
  besides: string | null,
): Promise<boolean> {
  const { rows } =
    await sql`select 1 from subscription where organization_id = ${organizationId} and id is distinct from ${besides} limit 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}
