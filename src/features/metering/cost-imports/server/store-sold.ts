// SQL of sales: lines by who pays for them, and both stored sides.
import { sql } from 'kysely';
import { chunksOf } from '#kernel/chunks.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { LineKind } from '../contract.ts';
import type { Scope } from '../rules-line.ts';

export type ScopeRow = Scope & { readonly id: string };

/** Returns the scopes of an import's lines in a period. */
export async function scopesOf(ctx: Ctx, importId: string, periodStart: string): Promise<ScopeRow[]> {
  const { rows } =
    await sql<ScopeRow>`select s.id::text as id, s.provider, s.account, s.sub_account as "subAccount", s.sub_account_name as "subAccountName", s.resource_group as "resourceGroup", s.tags
    from cost_scope s where s.id in (select scope_id from cost_line where import_id = ${importId} and period_start = ${periodStart}) order by s.id`.execute(
      ctx.db,
    );
  return rows;
}

type Sums = { readonly billed: string; readonly effective: string; readonly list: string };
/** The cost of a scope by line kind. */
export type ScopeCost = Sums & {
  readonly scopeId: string;
  readonly kind: LineKind;
  readonly currency: string;
};

export async function costOfScopes(ctx: Ctx, importId: string, periodStart: string): Promise<ScopeCost[]> {
  const { rows } =
    await sql<ScopeCost>`select scope_id::text as "scopeId", kind, currency, sum(billed)::text as billed, sum(effective)::text as effective, sum(list)::text as list
    from cost_line where import_id = ${importId} and period_start = ${periodStart} group by 1, 2, 3`.execute(
      ctx.db,
    );
  return rows;
}

export type PayerLine = Sums & {
  readonly subscriptionId: string;
  readonly service: string;
  readonly day: string;
  readonly kind: LineKind;
  readonly currency: string;
};

/** Sums the lines of some scopes by the subscription that pays for each. */
export async function linesOfPayers(
  ctx: Ctx,
  importId: string,
  periodStart: string,
  payers: readonly { readonly scopeId: string; readonly subscriptionId: string }[],
): Promise<PayerLine[]> {
  const { rows } =
    await sql<PayerLine>`select x.sub as "subscriptionId", l.service, l.day::text as day, l.kind, l.currency, sum(l.billed)::text as billed, sum(l.effective)::text as effective, sum(l.list)::text as list
    from unnest(${payers.map(({ scopeId }) => scopeId)}::bigint[], ${payers.map(({ subscriptionId }) => subscriptionId)}::text[]) as x (scope_id, sub) join cost_line l on l.scope_id = x.scope_id
    where l.import_id = ${importId} and l.period_start = ${periodStart} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`.execute(
      ctx.db,
    );
  return rows;
}

export type SoldKey = {
  readonly subscriptionId: string;
  readonly service: string;
  readonly day: string;
  readonly costCurrency: string;
};
export type SoldRow = SoldKey & {
  readonly cost: string;
  readonly sold: string | null;
  readonly soldCurrency: string;
  readonly costSoldCurrency: string | null;
  readonly revision: number;
  /** The value of this revision's event; null if it has none. */
  readonly eventValue: string | null;
  readonly eventAt: Date | null;
  readonly reason: string | null;
};

/** Returns what was sold in a period. */
export async function soldOf(ctx: Ctx, sourceId: string, periodStart: string): Promise<SoldRow[]> {
  const { rows } =
    await sql<SoldRow>`select subscription_id as "subscriptionId", service, day::text as day, cost_currency as "costCurrency", cost::text as cost, sold::text as sold, sold_currency as "soldCurrency", cost_sold_currency::text as "costSoldCurrency",
    revision, trim_scale(event_value)::text as "eventValue", event_at as "eventAt", reason from cost_sold where source_id = ${sourceId} and period_start = ${periodStart}`.execute(
      ctx.db,
    );
  return rows;
}

const rowsAtOnce = 2000;

/** Replaces the stored sales of a period. */
export async function storeSold(
  ctx: Ctx,
  sourceId: string,
  periodStart: string,
  rows: readonly SoldRow[],
): Promise<void> {
  await sql`delete from cost_sold where source_id = ${sourceId} and period_start = ${periodStart}`.execute(
    ctx.db,
  );
  for (const part of chunksOf(rows, rowsAtOnce)) {
    const of = <K extends keyof SoldRow>(name: K): SoldRow[K][] => part.map((row) => row[name]);
    await sql`insert into cost_sold (source_id, period_start, subscription_id, service, day, cost_currency, cost, sold, sold_currency, cost_sold_currency, revision, event_value, event_at, reason)
      select ${sourceId}, ${periodStart}::date, * from unnest(${of('subscriptionId')}::text[], ${of('service')}::text[], ${of('day')}::date[], ${of('costCurrency')}::bpchar[], ${of('cost')}::numeric[], ${of('sold')}::numeric[], ${of('soldCurrency')}::bpchar[],
        ${of('costSoldCurrency')}::numeric[], ${of('revision')}::integer[], ${of('eventValue')}::numeric[], ${of('eventAt')}::timestamptz[], ${of('reason')}::text[])`.execute(
      ctx.db,
    );
  }
}

/** Returns the totals of what was sold in some sources' periods, and of what could not be sold, by reason. */
export async function soldTotals(
  ctx: Ctx,
  sourceIds: readonly string[],
): Promise<
  {
    readonly sourceId: string;
    readonly periodStart: string;
    readonly reason: string | null;
    readonly currency: string;
    readonly amount: string;
  }[]
> {
  const { rows } = await sql<{
    sourceId: string;
    periodStart: string;
    reason: string | null;
    currency: string;
    amount: string;
  }>`select source_id as "sourceId", period_start::text as "periodStart", reason, case when reason is null then sold_currency else cost_currency end as currency,
    trim_scale(sum(case when reason is null then sold else cost end))::text as amount from cost_sold where source_id = any(${[...sourceIds]}::text[]) group by 1, 2, 3, 4 having sum(case when reason is null then sold else cost end) <> 0 order by 1, 2, 3, 4`.execute(
    ctx.db,
  );
  return rows;
}

/** Both sides of a month by customer and cloud service. */
export type MarginSums = {
  readonly subscriptionId: string;
  readonly organization: string;
  readonly organizationId: string;
  readonly service: string;
  readonly currency: string;
  readonly sold: string;
  readonly cost: string;
};

/** Selects by the days of the month, which are also days of the customer's calendar. */
export async function marginSums(ctx: Ctx, month: string): Promise<MarginSums[]> {
  const { rows } =
    await sql<MarginSums>`select s.subscription_id as "subscriptionId", o.name as organization, o.id as "organizationId", s.service, s.sold_currency as currency, sum(s.sold)::text as sold, sum(s.cost_sold_currency)::text as cost
    from cost_sold s join subscription b on b.id = s.subscription_id join organization o on o.id = b.organization_id
    where s.day >= ${`${month}-01`}::date and s.day < ${`${month}-01`}::date + interval '1 month' and s.reason is null group by 1, 2, 3, 4, 5 having sum(s.sold) <> 0 or sum(s.cost_sold_currency) <> 0 order by 2, 3, 4, 1`.execute(
      ctx.db,
    );
  return rows;
}

/** Returns the subscriptions that anything was ever sold to: a month's bill may adjust earlier sales. */
export async function resoldSubscriptions(
  ctx: Ctx,
): Promise<
  { readonly subscriptionId: string; readonly organization: string; readonly organizationId: string }[]
> {
  const { rows } = await sql<{
    subscriptionId: string;
    organization: string;
    organizationId: string;
  }>`select b.id as "subscriptionId", o.name as organization, o.id as "organizationId" from subscription b join organization o on o.id = b.organization_id where b.id in (select distinct subscription_id from cost_sold) order by 1`.execute(
    ctx.db,
  );
  return rows;
}
