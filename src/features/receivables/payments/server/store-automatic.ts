// SQL of automatic payment: organizations that use it, their payable bills, and storing many payments at
// once.
import { sql } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { ContentLanguage } from '#kernel/language.ts';
import type { Money } from '#kernel/money.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf, containsPattern, readPage, type ListOrder } from '#platform/server/database/paging.ts';
import type { Automatic, payments } from '../contract.ts';
import type { Parties } from './store.ts';

/** An organization's setting; off by default. */
export async function automaticOf(ctx: Ctx, organizationId: string): Promise<Automatic> {
  const { rows } =
    await sql<Automatic>`select is_on as "isOn", is_partial as "isPartial" from automatic_payment where organization_id = ${organizationId}`.execute(
      ctx.db,
    );
  return rows[0] ?? { isOn: false, isPartial: false };
}

/** Returns those of some organizations that have it on, with whether a bill may be paid in part. */
export async function automaticAmong(
  ctx: Ctx,
  organizationIds: readonly string[],
): Promise<Map<string, { isPartial: boolean; language: ContentLanguage }>> {
  const { rows } = await sql<{
    id: string;
    isPartial: boolean;
    language: ContentLanguage;
  }>`select a.organization_id as id, a.is_partial as "isPartial", o.language from automatic_payment a join organization o on o.id = a.organization_id
    where a.is_on and a.organization_id = any(${[...organizationIds]}::text[])`.execute(ctx.db);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

export async function storeAutomatic(
  ctx: Ctx,
  organizationId: string,
  { isOn, isPartial }: Automatic,
  changedBy: string,
): Promise<void> {
  await sql`insert into automatic_payment (organization_id, is_on, is_partial, changed_at, changed_by) values (${organizationId}, ${isOn}, ${isPartial}, ${ctx.now}, ${changedBy})
    on conflict (organization_id) do update set is_on = excluded.is_on, is_partial = excluded.is_partial, changed_at = excluded.changed_at, changed_by = excluded.changed_by`.execute(
    ctx.db,
  );
}

/** Returns the next organizations after a given one that have automatic payment on and an open bill. */
export async function automaticAfter(ctx: Ctx, after: string, limit: number): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`select a.organization_id as id from automatic_payment a where a.is_on and a.organization_id > ${after}
    and exists (select from bill b where b.organization_id = a.organization_id and b.state = 'open') order by 1 limit ${limit}`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/**
 * Returns bills that a user is currently paying by another method: announced or started within the last days,
 * or with a payment in progress.
 */
export async function billsUnderWay(ctx: Ctx, billIds: readonly string[], since: Date): Promise<Set<string>> {
  const { rows } = await sql<{
    id: string;
  }>`select distinct coalesce(p.bill_id, x.bill_id) as id from payment p left join consolidated_bill_part x on x.consolidated_id = p.consolidated_id
    where coalesce(p.bill_id, x.bill_id) = any(${[...billIds]}::text[]) and p.state = 'pending' and (p.processing_at is not null or (p.created_at > ${since} and (p.expires_at is null or p.expires_at > ${ctx.now})))`.execute(
    ctx.db,
  );
  return new Set(rows.map((row) => row.id));
}

/** Returns the pending refunds of balances, by `organization currency`. */
export async function pendingRefundsOf(
  ctx: Ctx,
  organizationIds: readonly string[],
): Promise<Map<string, bigint>> {
  const { rows } = await sql<{
    key: string;
    minor: string;
  }>`select organization_id || ' ' || currency as key, sum(amount_minor) as minor from payment_refund
    where organization_id = any(${[...organizationIds]}::text[]) and state = 'pending' and origin = 'admin' group by 1`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [row.key, BigInt(row.minor)]));
}

/** A bill paid with the organization's prepaid money. */
export type PaidInside = {
  readonly id: string;
  readonly organizationId: string;
  readonly billId: string;
  readonly amount: Money;
  readonly parties: Parties;
  readonly language: ContentLanguage;
};

/** Adds completed payments from balances, or by prepaid credit. */
export async function insertPaid(
  ctx: Ctx,
  paid: readonly PaidInside[],
  method: 'balance' | 'prepaid_credit',
  by: string,
): Promise<void> {
  const of = <T>(pick: (each: PaidInside) => T): T[] => paid.map(pick);
  await sql`insert into payment (id, organization_id, bill_id, method, state, amount_minor, currency, note, created_at, created_by, settled_at, settled_by, language, received_minor, received_currency, to_bill_minor, parties)
    select id, organization_id, bill_id, ${method}, 'succeeded', minor, currency, '', ${ctx.now}::timestamptz, ${by}, ${ctx.now}::timestamptz, ${by}, language, minor, currency, minor, parties::jsonb
    from unnest(${of((each) => each.id)}::text[], ${of((each) => each.organizationId)}::text[], ${of((each) => each.billId)}::text[], ${of((each) => each.amount.minor)}::bigint[], ${of((each) => each.amount.currency)}::text[],
      ${of((each) => each.language)}::text[], ${of((each) => JSON.stringify(each.parties))}::text[]) as p (id, organization_id, bill_id, minor, currency, language, parties)`.execute(
    ctx.db,
  );
}

type Listed = { organizationId: Id<'org'>; organization: string; isPartial: boolean; changedAt: Date };

const order: ListOrder = {
  by: { organization: { expression: sql`o.name`, cast: 'text' } },
  usual: 'organization',
  id: sql`o.id`,
};

/** Returns the organizations that have it on. */
export function pageOfAutomatic(
  ctx: Ctx,
  input: In<typeof payments.adminListAutomatic>,
): Promise<Page<Listed>> {
  const list = {
    columns: sql<
      Listed & { id: string }
    >`o.id, o.id as "organizationId", o.name as organization, a.is_partial as "isPartial", a.changed_at as "changedAt"`,
    from: sql`automatic_payment a join organization o on o.id = a.organization_id`,
    where: allOf(sql`a.is_on`, input.q && sql`o.name ilike ${containsPattern(input.q)}`),
    order,
  };
  return readPage(ctx.db, input, list, ({ organizationId, organization, isPartial, changedAt }) => ({
    organizationId,
    organization,
    isPartial,
    changedAt,
  }));
}
