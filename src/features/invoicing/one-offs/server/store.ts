// SQL of one-off charges: their list, state and history.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { LocalDay, Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  orderOf,
  readPage,
  readTotal,
  rowItself,
  rowsCounted,
  searchTotalCap,
  type List,
  type ListOrder,
  type PageInput,
} from '#platform/server/database/paging.ts';
import type { OneOff, OneOffDetail, OneOffOrigin, OneOffState, OneOffStep, OneOffTax } from '../contract.ts';

export type OneOffRow = {
  id: Id<'ooc'>;
  organizationId: Id<'org'>;
  organization: string;
  subscriptionId: Id<'sub'> | null;
  service: string | null;
  kind: OneOff['kind'];
  name: OneOff['name'];
  quantity: string;
  unitPrice: string;
  currency: Currency;
  amountMinor: bigint;
  chargeOn: LocalDay;
  billing: OneOff['billing'];
  note: string;
  state: OneOffState;
  version: bigint;
  createdById: Id<'usr'>;
  createdBy: string;
  createdAt: Date;
  approvedBy: string | null;
  approvedAt: Date | null;
  billId: Id<'bil'> | null;
  billNumber: string | null;
};
export type OneOffFilter = {
  q?: string | undefined;
  organizationId?: string | undefined;
  state?: OneOffState | undefined;
  currency?: Currency | undefined;
};

const personName = (column: string): RawBuilder<string> =>
  sql<string>`coalesce((select u.name from app_user u where u.id = ${sql.ref(column)}), '')`;
const columns = sql<OneOffRow>`c.id, c.organization_id as "organizationId", o.name as organization, c.subscription_id as "subscriptionId", s.name as service, c.kind, c.name, trim_scale(c.quantity)::text as quantity, trim_scale(c.unit_price)::text as "unitPrice", c.currency, c.amount_minor as "amountMinor",
  c.charge_on::text as "chargeOn", c.billing, c.note, c.state, c.version, c.created_by as "createdById", ${personName('c.created_by')} as "createdBy", c.created_at as "createdAt", case when c.approved_by is not null then ${personName('c.approved_by')} end as "approvedBy", c.approved_at as "approvedAt", c.bill_id as "billId", c.bill_number as "billNumber"`;
const tables = sql`one_off_charge c join organization o on o.id = c.organization_id left join subscription b on b.id = c.subscription_id left join service s on s.id = b.service_id`;

/** Converts a stored row to the form that Admins see. */
export const oneOffOf = ({
  currency,
  amountMinor,
  createdById,
  createdBy,
  version: _version,
  billId,
  billNumber,
  ...row
}: OneOffRow): OneOff => ({
  ...row,
  amount: money(amountMinor, currency),
  createdBy: { id: createdById, name: createdBy },
  bill: billId === null || billNumber === null ? null : { id: billId, number: billNumber },
});

const order: ListOrder = {
  by: {
    createdAt: { expression: sql`c.created_at`, cast: 'timestamptz' },
    chargeOn: { expression: sql`c.charge_on`, cast: 'date' },
    amount: { expression: sql`c.amount_minor`, cast: 'bigint' },
    organization: { expression: sql`o.name`, cast: 'text' },
  },
  usual: '-createdAt',
  id: sql`c.id`,
};

function listOf({ q, organizationId, state, currency }: OneOffFilter): List<OneOffRow> {
  const pattern = q ? containsPattern(q) : undefined;
  return {
    columns,
    from: tables,
    where: allOf(
      organizationId && sql`c.organization_id = ${organizationId}`,
      state && sql`c.state = ${sql.lit(state)}`,
      currency && sql`c.currency = ${sql.lit(currency)}`,
      pattern &&
        sql`(c.name ->> 'zhTW' ilike ${pattern} or c.name ->> 'enUS' ilike ${pattern} or o.name ilike ${pattern} or c.note ilike ${pattern} or c.bill_number ilike ${pattern})`,
    ),
    order,
    counter: q || organizationId ? undefined : rowsCounted('one_off_charge', state, currency ?? ''),
    cap: searchTotalCap,
  };
}

/** One page of one-offs with the exact total. */
export const pageOfOneOffs = (ctx: Ctx, input: OneOffFilter & PageInput): Promise<Page<OneOff>> =>
  readPage(ctx.db, input, listOf(input), (row) => oneOffOf(rowItself(row)));

/** Counts the one-offs that match a filter. */
export const countOneOffs = (ctx: Ctx, filter: OneOffFilter): Promise<number> =>
  readTotal(ctx.db, { ...listOf(filter), cap: undefined });

/** Returns the query for all one-offs that match a filter. */
export function oneOffsQuery(filter: OneOffFilter & { sort?: string | undefined }): RawBuilder<OneOffRow> {
  return sql<OneOffRow>`select ${columns} from ${tables} where ${listOf(filter).where} order by ${orderOf(order, filter.sort)}`;
}

/** Returns one of them; with `lock`, no other transaction can change its state until this one ends. */
export async function oneOffById(ctx: Ctx, id: string, lock = false): Promise<OneOffRow | undefined> {
  const { rows } =
    await sql<OneOffRow>`select ${columns} from ${tables} where c.id = ${id} ${lock ? sql`for update of c` : sql``}`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Returns its history, earliest step first. */
export async function stepsOf(ctx: Ctx, id: string): Promise<OneOffDetail['history']> {
  const { rows } = await sql<
    OneOffDetail['history'][number]
  >`select t.step, t.at, ${personName('t.by')} as by, t.reason, t.bill_number as "billNumber" from one_off_step t where t.one_off_id = ${id} order by t.version`.execute(
    ctx.db,
  );
  return rows;
}

/** Returns an organization's one-offs for its next bills, ordered by day. */
export async function upcomingOf(ctx: Ctx, organizationId: string): Promise<OneOffRow[]> {
  const { rows } =
    await sql<OneOffRow>`select ${columns} from ${tables} where c.organization_id = ${organizationId} and c.state = 'approved' order by c.charge_on, c.id`.execute(
      ctx.db,
    );
  return rows;
}

export type NewOneOff = {
  readonly id: Id<'ooc'>;
  readonly organizationId: Id<'org'>;
  readonly subscriptionId: Id<'sub'> | null;
  readonly kind: OneOff['kind'];
  readonly name: OneOff['name'];
  readonly quantity: string;
  readonly unitPrice: string;
  readonly amount: Money;
  readonly chargeOn: LocalDay;
  readonly billing: OneOff['billing'];
  readonly note: string;
  readonly state: 'awaiting_approval' | 'approved';
  readonly createdBy: Id<'usr'>;
  /** For those created by the console. */
  readonly origin?: OneOffOrigin;
  readonly taxedAs?: OneOffTax;
};

/** Stores a new one-off with the first step of its history. */
export async function insertOneOff(ctx: Ctx, made: NewOneOff): Promise<void> {
  await sql`insert into one_off_charge (id, organization_id, subscription_id, kind, name, quantity, unit_price, currency, amount_minor, charge_on, billing, note, state, created_by, created_at, origin, taxed_as)
    values (${made.id}, ${made.organizationId}, ${made.subscriptionId}, ${made.kind}, ${JSON.stringify(made.name)}::jsonb, ${made.quantity}::numeric, ${made.unitPrice}::numeric, ${made.amount.currency}, ${made.amount.minor}, ${made.chargeOn}::date, ${made.billing}, ${made.note}, ${made.state}, ${made.createdBy}, ${ctx.now}, ${made.origin ?? 'admin'}, ${made.taxedAs ?? 'standard'})`.execute(
    ctx.db,
  );
  await sql`insert into one_off_step (one_off_id, version, step, at, by, reason) values (${made.id}, 1, 'created', ${ctx.now}, ${made.createdBy}, '')`.execute(
    ctx.db,
  );
}

/** Moves a locked one-off to another state, and adds the step to its history. */
export async function moveOneOff(
  ctx: Ctx,
  id: string,
  move: {
    readonly state: OneOffState;
    readonly step: OneOffStep;
    /** Null for the console itself. */
    readonly by: Id<'usr'> | null;
    readonly reason: string;
  },
): Promise<void> {
  const approval =
    move.step === 'approved' ? sql`, approved_by = ${move.by}, approved_at = ${ctx.now}` : sql``;
  await sql`with moved as (update one_off_charge set state = ${move.state}, version = version + 1 ${approval} where id = ${id} returning id, version)
    insert into one_off_step (one_off_id, version, step, at, by, reason) select id, version, ${move.step}, ${ctx.now}, ${move.by}, ${move.reason} from moved`.execute(
    ctx.db,
  );
}

/** Returns the other active Admins, by name. */
export async function otherAdmins(
  ctx: Ctx,
  userId: string,
): Promise<{ readonly id: Id<'usr'>; readonly name: string }[]> {
  const { rows } = await sql<{
    id: Id<'usr'>;
    name: string;
  }>`select id, name from app_user where role = 'Admin' and status = 'active' and id <> ${userId} order by name, id`.execute(
    ctx.db,
  );
  return rows;
}
