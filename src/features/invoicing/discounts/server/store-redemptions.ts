// SQL of the discounts that organizations have, and of their use on bills.
import { sql } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import { allOf, containsPattern, readPage, type ListOrder } from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { discounts, Redemption } from '../contract.ts';
import {
  savedOf,
  termsColumns,
  toSums,
  toTerms,
  type StoredSums,
  type StoredTerms,
  type TermsColumns,
} from './store.ts';

export type RedemptionRow = StoredTerms & {
  readonly id: Id<'rdm'>;
  readonly discountId: Id<'dsc'>;
  readonly organizationId: Id<'org'>;
  readonly organization: string;
  readonly timeZone: string;
  readonly subscription: { readonly id: Id<'sub'>; readonly serviceName: string } | null;
  readonly redeemedAt: Date;
  readonly firstMonth: BillingMonth;
  readonly endedAt: Date | null;
  readonly saved: readonly Money[];
  readonly bills: Redemption['bills'];
};
type StoredBill = [
  id: Id<'bil'>,
  number: string,
  month: BillingMonth,
  currency: Currency,
  minor: string,
  isVoid: boolean,
];
type Stored = TermsColumns & {
  id: Id<'rdm'>;
  discountId: Id<'dsc'>;
  organizationId: Id<'org'>;
  organization: string;
  timeZone: string;
  subscriptionId: Id<'sub'> | null;
  serviceName: string | null;
  redeemedAt: Date;
  firstMonth: BillingMonth;
  endedAt: Date | null;
  saved: StoredSums;
  bills: StoredBill[];
};
const columns = sql<Stored>`r.id, r.discount_id as "discountId", r.organization_id as "organizationId", o.name as organization, o.time_zone as "timeZone", r.subscription_id as "subscriptionId", s.name as "serviceName", r.redeemed_at as "redeemedAt", r.first_month as "firstMonth", r.ended_at as "endedAt", ${termsColumns},
  ${savedOf(sql`discount_application a where a.redemption_id = r.id`)} as saved,
  (select coalesce(jsonb_agg(jsonb_build_array(a.bill_id, a.bill_number, a.month, a.currency, a.minor::text, a.voided_at is not null) order by a.month desc, a.bill_id desc), '[]') from discount_application a where a.redemption_id = r.id) as bills`;
const tables = sql`discount_redemption r join discount d on d.id = r.discount_id join organization o on o.id = r.organization_id left join subscription b on b.id = r.subscription_id left join service s on s.id = b.service_id`;

const toRedemption = (row: Stored): RedemptionRow => ({
  ...toTerms(row),
  id: row.id,
  discountId: row.discountId,
  organizationId: row.organizationId,
  organization: row.organization,
  timeZone: row.timeZone,
  subscription:
    row.subscriptionId === null ? null : { id: row.subscriptionId, serviceName: row.serviceName ?? '' },
  redeemedAt: row.redeemedAt,
  firstMonth: row.firstMonth,
  endedAt: row.endedAt,
  saved: toSums(row.saved),
  bills: row.bills.map(([id, number, month, currency, minor, isVoid]) => ({
    id,
    number,
    month,
    amount: money(BigInt(minor), currency),
    isVoid,
  })),
});

const order: ListOrder = {
  by: {
    redeemedAt: { expression: sql`r.redeemed_at`, cast: 'timestamptz' },
    organization: { expression: sql`o.name`, cast: 'text' },
  },
  usual: '-redeemedAt',
  id: sql`r.id`,
};

/** One page of a discount's redemptions with the exact total. */
export const pageOfRedemptions = (
  ctx: Ctx,
  input: In<typeof discounts.listRedemptions>,
): Promise<Page<RedemptionRow>> =>
  readPage(
    ctx.db,
    input,
    {
      columns,
      from: tables,
      where: allOf(
        sql`r.discount_id = ${input.discountId}`,
        input.q && sql`o.name ilike ${containsPattern(input.q)}`,
      ),
      order,
    },
    toRedemption,
  );

/** One redemption, if there is one. */
export async function redemptionById(ctx: Ctx, id: string): Promise<RedemptionRow | undefined> {
  const { rows } = await sql<Stored>`select ${columns} from ${tables} where r.id = ${id}`.execute(ctx.db);
  return rows[0] && toRedemption(rows[0]);
}

/** Returns all redemptions of an organization, newest first. */
export async function redemptionsOf(ctx: Ctx, organizationId: string): Promise<RedemptionRow[]> {
  const { rows } =
    await sql<Stored>`select ${columns} from ${tables} where r.organization_id = ${organizationId} order by r.redeemed_at desc, r.id desc`.execute(
      ctx.db,
    );
  return rows.map(toRedemption);
}

/** Counts how often an organization redeemed a discount, including redemptions taken away. */
export async function countRedeemed(ctx: Ctx, discountId: string, organizationId: string): Promise<number> {
  const { rows } = await sql<{
    times: bigint;
  }>`select count(*) as times from discount_redemption where discount_id = ${discountId} and organization_id = ${organizationId}`.execute(
    ctx.db,
  );
  return Number(rows[0]?.times ?? 0n);
}

export async function insertRedemption(
  ctx: Ctx,
  redemption: {
    readonly id: string;
    readonly discountId: string;
    readonly organizationId: string;
    readonly subscriptionId: string | null;
    readonly redeemedBy: string | null;
    readonly firstMonth: BillingMonth;
  },
): Promise<void> {
  await sql`insert into discount_redemption (id, discount_id, organization_id, subscription_id, redeemed_at, redeemed_by, first_month)
    values (${redemption.id}, ${redemption.discountId}, ${redemption.organizationId}, ${redemption.subscriptionId}, ${ctx.now}, ${redemption.redeemedBy}, ${redemption.firstMonth})`.execute(
    ctx.db,
  );
}

/** Ends a redemption; false if it has already ended or does not exist. */
export async function endRedemptionRow(ctx: Ctx, id: string): Promise<boolean> {
  const { rows } =
    await sql`update discount_redemption set ended_at = ${ctx.now}, version = version + 1 where id = ${id} and ended_at is null returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** A redemption that started by a month and was not taken away, with the months of bills that it is on. */
export type BegunRedemption = StoredTerms & {
  readonly id: Id<'rdm'>;
  readonly organizationId: string;
  readonly version: bigint;
  readonly subscriptionId: string | null;
  readonly firstMonth: BillingMonth;
  readonly appliedMonths: readonly BillingMonth[];
};

/**
 * Returns the redemptions of organizations by a month, in order of redemption, in one statement. Uses on the
 * bill `without` do not count.
 */
export async function begunRedemptions(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
  without: string | null,
): Promise<BegunRedemption[]> {
  const { rows } = await sql<
    TermsColumns &
      Pick<BegunRedemption, 'id' | 'organizationId' | 'version' | 'subscriptionId' | 'firstMonth'> & {
        appliedMonths: BillingMonth[];
      }
  >`select r.id, r.organization_id as "organizationId", r.version, r.subscription_id as "subscriptionId", r.first_month as "firstMonth", ${termsColumns},
      array(select a.month::text from discount_application a where d.duration = 'once' and a.redemption_id = r.id and a.voided_at is null and a.bill_id is distinct from ${without}) as "appliedMonths"
    from discount_redemption r join discount d on d.id = r.discount_id
    where r.organization_id = any(${[...organizationIds]}::text[]) and r.ended_at is null and r.first_month <= ${month} order by r.redeemed_at, r.id`.execute(
    ctx.db,
  );
  return rows.map((row) => ({
    ...toTerms(row),
    id: row.id,
    organizationId: row.organizationId,
    version: row.version,
    subscriptionId: row.subscriptionId,
    firstMonth: row.firstMonth,
    appliedMonths: row.appliedMonths,
  }));
}

/**
 * Locks redemptions in the order of their ids, so that two bills never deadlock; returns their versions by
 * id.
 */
export async function lockedVersions(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{
    id: string;
    version: bigint;
  }>`select id, version from discount_redemption where id = any(${[...ids]}::text[]) order by id for update`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Increments the versions of redemptions that the transaction has locked. */
export async function raiseVersions(ctx: Ctx, ids: readonly string[]): Promise<void> {
  await sql`update discount_redemption set version = version + 1 where id = any(${[...ids]}::text[])`.execute(
    ctx.db,
  );
}

export type NewApplication = {
  readonly redemptionId: Id<'rdm'>;
  readonly billId: Id<'bil'>;
  readonly billNumber: string;
  readonly month: BillingMonth;
  readonly amount: Money;
};
/** Stores the uses of bills, in one statement. */
export async function insertApplications(ctx: Ctx, rows: readonly NewApplication[]): Promise<void> {
  await sql`insert into discount_application (redemption_id, bill_id, bill_number, month, currency, minor)
    select * from unnest(${rows.map((row) => row.redemptionId)}::text[], ${rows.map((row) => row.billId)}::text[], ${rows.map((row) => row.billNumber)}::text[], ${rows.map((row) => row.month)}::text[], ${rows.map((row) => row.amount.currency)}::text[], ${rows.map((row) => row.amount.minor)}::bigint[])`.execute(
    ctx.db,
  );
}

/** Voids a bill's uses; returns the affected organizations and discounts. */
export async function voidApplicationsOf(ctx: Ctx, billId: string): Promise<{ organizationId: Id<'org'> }[]> {
  const { rows } = await sql<{
    organizationId: Id<'org'>;
  }>`update discount_application a set voided_at = ${ctx.now} from discount_redemption r where r.id = a.redemption_id and a.bill_id = ${billId} and a.voided_at is null returning r.organization_id as "organizationId"`.execute(
    ctx.db,
  );
  return rows;
}
