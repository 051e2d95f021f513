// SQL of reconciliation's runs, sources and settings, and of its queries of connectors' resources.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { Page } from '#kernel/shape.ts';
import { readPage, rowItself, type PageInput } from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { FailureCode, ItemKind } from '#features/metering/connectors/contract-sources.ts';
import type { FindingKind, Overview, Run, RunSource, Settings } from '../contract.ts';
import type { KindTotal } from './store-findings.ts';

type RunRow = Omit<Run, 'totals'> & { totals: [FindingKind, Currency, string][] };
const runColumns = sql<RunRow>`r.id, r.state, (select u.name from app_user u where u.id = r.asked_by) as "askedBy", r.asked_at as "askedAt", r.started_at as "startedAt", r.ended_at as "endedAt", r.sources, r.unbilled, r.ghosts, r.differs,
  (select coalesce(jsonb_agg(jsonb_build_array(t.kind, t.currency, t.amount_minor::text) order by t.kind, t.currency), '[]') from reconciliation_total t where t.run_id = r.id) as totals`;
const toRun = ({ totals, ...row }: RunRow): Run => ({
  ...row,
  totals: totals.map(([kind, currency, minor]) => ({ kind, amount: money(BigInt(minor), currency) })),
});

export async function insertRun(ctx: Ctx, askedBy: string | null): Promise<Id<'rcr'>> {
  const id = ctx.newId('rcr');
  await sql`insert into reconciliation_run (id, state, asked_by, asked_at) values (${id}, 'waiting', ${askedBy}, ${ctx.now})`.execute(
    ctx.db,
  );
  return id;
}

export async function runById(ctx: Ctx, runId: string): Promise<Run | undefined> {
  const { rows } =
    await sql<RunRow>`select ${runColumns} from reconciliation_run r where r.id = ${runId}`.execute(ctx.db);
  return rows[0] && toRun(rows[0]);
}

/** Returns the latest run, optionally with a given state. */
export async function newestRun(ctx: Ctx, state?: Run['state']): Promise<Run | undefined> {
  const { rows } =
    await sql<RunRow>`select ${runColumns} from reconciliation_run r ${state ? sql`where r.state = ${state}` : sql``} order by r.asked_at desc, r.id desc limit 1`.execute(
      ctx.db,
    );
  return rows[0] && toRun(rows[0]);
}

/** Starts a run; earlier ones that never ended are marked as failed. */
export async function beginRun(ctx: Ctx, runId: string): Promise<void> {
  await sql`update reconciliation_run set state = 'failed', ended_at = ${ctx.now} where state = 'running' and id <> ${runId}`.execute(
    ctx.db,
  );
  await sql`update reconciliation_run set state = 'running', started_at = ${ctx.now} where id = ${runId}`.execute(
    ctx.db,
  );
}

export async function endRun(
  ctx: Ctx,
  runId: string,
  sources: readonly RunSource[],
  counts: Overview['counts'],
  totals: readonly KindTotal[],
): Promise<void> {
  await sql`update reconciliation_run set state = 'done', ended_at = ${ctx.now}, sources = ${JSON.stringify(sources)}::jsonb, unbilled = ${counts.unbilled}, ghosts = ${counts.ghost}, differs = ${counts.differs} where id = ${runId}`.execute(
    ctx.db,
  );
  await sql`delete from reconciliation_total where run_id = ${runId}`.execute(ctx.db);
  await sql`insert into reconciliation_total (run_id, kind, currency, amount_minor)
    select ${runId}, * from unnest(${totals.map(({ kind }) => kind)}::text[], ${totals.map(({ amount }) => amount.currency)}::text[], ${totals.map(({ amount }) => String(amount.minor))}::bigint[])`.execute(
    ctx.db,
  );
}

/** Returns the unbilled amount in a currency at the end of the previous run; 0 if there was none. */
export async function unbilledBefore(ctx: Ctx, runId: string, currency: Currency): Promise<bigint> {
  const { rows } = await sql<{
    amount: bigint | null;
  }>`select (select t.amount_minor from reconciliation_total t where t.run_id = r.id and t.kind = 'unbilled' and t.currency = ${currency}) as amount
    from reconciliation_run r where r.state = 'done' and r.id <> ${runId} order by r.ended_at desc, r.id desc limit 1`.execute(
    ctx.db,
  );
  return rows[0]?.amount ?? 0n;
}

export const pageOfRuns = (ctx: Ctx, input: PageInput): Promise<Page<Run>> =>
  readPage(
    ctx.db,
    input,
    {
      columns: runColumns,
      from: sql`reconciliation_run r`,
      where: sql`true`,
      order: {
        by: { askedAt: { expression: sql`r.asked_at`, cast: 'timestamptz' } },
        usual: '-askedAt',
        id: sql`r.id`,
      },
    },
    (row) => toRun(rowItself(row) as RunRow),
  );

export async function forgetRuns(ctx: Ctx, before: Date): Promise<void> {
  await sql`delete from reconciliation_run where asked_at < ${before}`.execute(ctx.db);
}

/** Records the result of an inventory. A failed one keeps the time of the last success. */
export async function noteSource(
  ctx: Ctx,
  connectorId: string,
  state:
    | { readonly items: number; readonly failure: null }
    | { readonly failure: { readonly code: FailureCode; readonly detail: string } },
): Promise<void> {
  if (state.failure)
    await sql`insert into reconciliation_source (connector_id, items, failure_code, failure_detail) values (${connectorId}, 0, ${state.failure.code}, ${state.failure.detail})
      on conflict (connector_id) do update set failure_code = excluded.failure_code, failure_detail = excluded.failure_detail`.execute(
      ctx.db,
    );
  else
    await sql`insert into reconciliation_source (connector_id, items, read_at) values (${connectorId}, ${state.items}, ${ctx.now})
      on conflict (connector_id) do update set items = excluded.items, read_at = excluded.read_at, failure_code = null, failure_detail = null`.execute(
      ctx.db,
    );
}

export async function sourceStates(ctx: Pick<Ctx, 'db'>): Promise<Overview['sources']> {
  const { rows } = await sql<{
    connectorId: Id<'con'>;
    name: string;
    items: number;
    readAt: Date | null;
    code: FailureCode | null;
    detail: string | null;
  }>`select c.id as "connectorId", c.name, s.items, s.read_at as "readAt", s.failure_code as code, s.failure_detail as detail from reconciliation_source s join connector c on c.id = s.connector_id order by c.name, c.id`.execute(
    ctx.db,
  );
  return rows.map(({ code, detail, ...row }) => ({
    ...row,
    failure: code && { code, detail: detail ?? '' },
  }));
}

/** Deletes the data of connectors that no longer have an inventory. */
export async function forgetSources(ctx: Ctx, keep: readonly string[]): Promise<void> {
  await sql`delete from reconciliation_source where connector_id <> all(${[...keep]}::text[])`.execute(
    ctx.db,
  );
  await sql`delete from reconciliation_finding where connector_id <> all(${[...keep]}::text[])`.execute(
    ctx.db,
  );
}

export type KnownRow = {
  resource: string;
  subscriptionId: Id<'sub'> | null;
  isIgnored: boolean;
  isWaiting: boolean;
  fields: Record<string, unknown>;
  firstSeenAt: Date;
  lastSeenAt: Date;
};
/** Returns the resources for which a connector has readings. */
export async function knownResources(ctx: Ctx, connectorId: string): Promise<KnownRow[]> {
  const { rows } =
    await sql<KnownRow>`select r.resource, coalesce(r.assigned_to, r.subscription_id) as "subscriptionId", r.is_ignored as "isIgnored", exists (select 1 from connector_waiting w where w.connector_id = r.connector_id and w.resource = r.resource) as "isWaiting", r.fields, r.first_seen_at as "firstSeenAt", r.last_seen_at as "lastSeenAt"
    from connector_resource r where r.connector_id = ${connectorId} order by r.resource`.execute(ctx.db);
  return rows;
}

/** Returns who pays for resources at some connectors, by resource. */
export async function paidAt(
  ctx: Ctx,
  connectorIds: readonly string[],
): Promise<ReadonlyMap<string, Id<'sub'>>> {
  const { rows } = await sql<{
    resource: string;
    subscriptionId: Id<'sub'>;
  }>`select resource, subscription_id as "subscriptionId" from connector_resource where connector_id = any(${[...connectorIds]}::text[]) and subscription_id is not null and not is_ignored`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ resource, subscriptionId }) => [resource, subscriptionId]));
}

/** Returns the fields of waiting readings since a given time, for some resources. */
export async function waitingFields(
  ctx: Ctx,
  connectorId: string,
  resources: readonly string[],
  since: Date,
): Promise<{ resource: string; fields: Record<string, unknown> }[]> {
  const { rows } = await sql<{
    resource: string;
    fields: Record<string, unknown>;
  }>`select resource, fields from connector_waiting where connector_id = ${connectorId} and resource = any(${[...resources]}::text[]) and start_at >= ${since} order by resource, start_at limit 20000`.execute(
    ctx.db,
  );
  return rows;
}

export async function missingSince(ctx: Ctx, connectorId: string): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await sql<{
    resource: string;
    at: Date;
  }>`select resource, missing_since as at from reconciliation_missing where connector_id = ${connectorId}`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ resource, at }) => [resource, at]));
}

export async function replaceMissing(
  ctx: Ctx,
  connectorId: string,
  missing: ReadonlyMap<string, Date>,
): Promise<void> {
  const resources = [...missing.keys()];
  await sql`delete from reconciliation_missing where connector_id = ${connectorId} and resource <> all(${resources}::text[])`.execute(
    ctx.db,
  );
  await sql`insert into reconciliation_missing (connector_id, resource, missing_since)
    select ${connectorId}, * from unnest(${resources}::text[], ${[...missing.values()]}::timestamptz[]) on conflict do nothing`.execute(
    ctx.db,
  );
}

export async function readSettings(ctx: Pick<Ctx, 'db'>): Promise<Settings> {
  const { rows } = await sql<{
    ghostHours: number;
    noticeMinor: bigint | null;
    noticeCurrency: Currency | null;
    version: number;
    prices: Settings['prices'];
  }>`select g.ghost_hours as "ghostHours", g.notice_minor as "noticeMinor", g.notice_currency as "noticeCurrency", g.version,
    (select coalesce(jsonb_agg(jsonb_build_object('connectorId', p.connector_id, 'connectorName', c.name, 'itemKind', p.item_kind, 'serviceId', p.service_id, 'serviceName', s.name) order by c.name, p.item_kind), '[]')
      from reconciliation_price p join connector c on c.id = p.connector_id join service s on s.id = p.service_id) as prices
    from reconciliation_setting g`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw new Error('reconciliation has no settings');
  const { noticeMinor, noticeCurrency, ...settings } = row;
  return {
    ...settings,
    noticeAbove: noticeMinor === null || noticeCurrency === null ? null : money(noticeMinor, noticeCurrency),
  };
}

export async function storeSettings(
  ctx: Ctx,
  to: {
    readonly ghostHours: number;
    readonly noticeAbove: Money | null;
    readonly prices: readonly {
      readonly connectorId: string;
      readonly itemKind: ItemKind;
      readonly serviceId: string;
    }[];
  },
): Promise<void> {
  await sql`update reconciliation_setting set ghost_hours = ${to.ghostHours}, notice_minor = ${to.noticeAbove && String(to.noticeAbove.minor)}, notice_currency = ${to.noticeAbove?.currency ?? null}, version = version + 1`.execute(
    ctx.db,
  );
  await sql`delete from reconciliation_price`.execute(ctx.db);
  await sql`insert into reconciliation_price (connector_id, item_kind, service_id)
    select * from unnest(${to.prices.map((each) => each.connectorId)}::text[], ${to.prices.map((each) => each.itemKind)}::text[], ${to.prices.map((each) => each.serviceId)}::text[])`.execute(
    ctx.db,
  );
}
