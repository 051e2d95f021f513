// SQL of the sources of cost files.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { Page } from '#kernel/shape.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  type ListOrder,
  type SearchInput,
  readTotal,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { AssignRule, Place, Rate, Selling } from '../contract.ts';

export type SourceRow = {
  id: Id<'csr'>;
  name: string;
  place: Place;
  assumedCurrency: Currency | null;
  secret: Buffer | null;
  isPaused: boolean;
  rules: AssignRule[];
  selling: Selling;
  nextPullAt: Date | null;
  lastPullAt: Date | null;
  failures: number;
  failureCode: string | null;
  failureDetail: string | null;
  version: number;
  terms: number;
  createdAt: Date;
};
type ListInput = SearchInput;

const columns = sql<SourceRow>`s.id, s.name, s.place, s.assumed_currency as "assumedCurrency", s.secret, s.is_paused as "isPaused", s.rules, s.selling, s.next_pull_at as "nextPullAt", s.last_pull_at as "lastPullAt",
  s.failures, s.failure_code as "failureCode", s.failure_detail as "failureDetail", s.version, s.terms, s.created_at as "createdAt"`;
const order: ListOrder = {
  by: {
    name: { expression: sql`s.name`, cast: 'text' },
    createdAt: { expression: sql`s.created_at`, cast: 'timestamptz' },
  },
  usual: 'name',
  id: sql`s.id`,
};

export const pageOfSources = (ctx: Ctx, input: ListInput): Promise<Page<SourceRow>> =>
  readPage(
    ctx.db,
    input,
    {
      columns,
      from: sql`cost_source s`,
      where: allOf(input.q && sql`s.name ilike ${containsPattern(input.q)}`),
      order,
    },
    rowItself,
  );

export async function sourceById(ctx: Ctx, id: string): Promise<SourceRow | undefined> {
  const { rows } = await sql<SourceRow>`select ${columns} from cost_source s where s.id = ${id}`.execute(
    ctx.db,
  );
  return rows[0];
}

/** Returns one source, locked: until the transaction ends, no one else can import or sell from it. */
export async function lockSource(ctx: Ctx, id: string): Promise<SourceRow | undefined> {
  const { rows } =
    await sql<SourceRow>`select ${columns} from cost_source s where s.id = ${id} for update`.execute(ctx.db);
  return rows[0];
}

export const countSources = (ctx: Ctx): Promise<number> =>
  readTotal(ctx.db, { from: sql`cost_source`, where: sql`true` });

export type SourceSettings = Pick<
  SourceRow,
  'name' | 'place' | 'assumedCurrency' | 'secret' | 'rules' | 'selling'
>;

export async function insertSource(
  ctx: Ctx,
  made: SourceSettings & Pick<SourceRow, 'id' | 'nextPullAt'>,
): Promise<void> {
  await sql`insert into cost_source (id, name, place, assumed_currency, secret, rules, selling, next_pull_at, created_at) values (${made.id}, ${made.name}, ${JSON.stringify(made.place)}::jsonb, ${made.assumedCurrency}, ${made.secret},
    ${JSON.stringify(made.rules)}::jsonb, ${JSON.stringify(made.selling)}::jsonb, ${made.nextPullAt}, ${ctx.now})`.execute(
    ctx.db,
  );
}

/** Stores an Admin's settings; with new terms, past sales are outdated. */
export async function changeSource(
  ctx: Ctx,
  id: string,
  to: SourceSettings & Pick<SourceRow, 'isPaused' | 'nextPullAt'> & { readonly hasNewTerms: boolean },
): Promise<void> {
  await sql`update cost_source set name = ${to.name}, place = ${JSON.stringify(to.place)}::jsonb, assumed_currency = ${to.assumedCurrency}, secret = ${to.secret}, rules = ${JSON.stringify(to.rules)}::jsonb, selling = ${JSON.stringify(to.selling)}::jsonb,
    is_paused = ${to.isPaused}, next_pull_at = ${to.nextPullAt}, version = version + 1, terms = terms + ${to.hasNewTerms ? 1 : 0} where id = ${id}`.execute(
    ctx.db,
  );
}

/** Whether anything was ever sold or billed from a source; its history must then be kept. */
export async function hasSold(ctx: Ctx, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from cost_sold where source_id = ${id} limit 1`.execute(ctx.db);
  return rows.length > 0;
}

export async function deleteSourceRow(ctx: Ctx, id: string): Promise<void> {
  await sql`delete from cost_period where source_id = ${id}`.execute(ctx.db);
  await sql`delete from cost_import where source_id = ${id}`.execute(ctx.db);
  await sql`delete from cost_source where id = ${id}`.execute(ctx.db);
}

/** Claims sources that are due for a look; no other process claims them before `until`. */
export async function claimPulls(ctx: Ctx, until: Date): Promise<SourceRow[]> {
  const { rows } = await sql<SourceRow>`update cost_source s set next_pull_at = ${until} where s.id in
    (select id from cost_source where not is_paused and next_pull_at <= ${ctx.now} order by next_pull_at limit 10 for update skip locked) returning ${columns}`.execute(
    ctx.db,
  );
  return rows;
}

export async function askPull(ctx: Ctx, id: string): Promise<void> {
  await sql`update cost_source set next_pull_at = ${ctx.now} where id = ${id}`.execute(ctx.db);
}

/** Records how a look for new files ended. */
export async function endPull(
  ctx: Ctx,
  id: string,
  nextPullAt: Date,
  failure: { readonly code: string; readonly detail: string } | null,
): Promise<void> {
  await sql`update cost_source set last_pull_at = ${ctx.now}, next_pull_at = ${nextPullAt}, failures = ${failure ? sql`failures + 1` : sql`0`}, failure_code = ${failure?.code ?? null}, failure_detail = ${failure?.detail ?? null} where id = ${id}`.execute(
    ctx.db,
  );
}

/** Returns the rates of some sources. */
export async function ratesOf(
  ctx: Ctx,
  sourceIds: readonly string[],
): Promise<(Rate & { readonly sourceId: string })[]> {
  const { rows } = await sql<
    Rate & { sourceId: string }
  >`select source_id as "sourceId", period_start::text as "periodStart", from_currency as "from", to_currency as "to", trim_scale(rate)::text as rate, as_of::text as "asOf"
    from cost_rate where source_id = any(${[...sourceIds]}::text[]) order by period_start desc, from_currency, to_currency`.execute(
    ctx.db,
  );
  return rows;
}

export async function storeRate(ctx: Ctx, sourceId: string, rate: Rate): Promise<void> {
  await sql`insert into cost_rate (source_id, period_start, from_currency, to_currency, rate, as_of, set_at) values (${sourceId}, ${rate.periodStart}, ${rate.from}, ${rate.to}, ${rate.rate}, ${rate.asOf}, ${ctx.now})
    on conflict (source_id, period_start, from_currency, to_currency) do update set rate = excluded.rate, as_of = excluded.as_of, set_at = excluded.set_at`.execute(
    ctx.db,
  );
  await sql`update cost_source set terms = terms + 1 where id = ${sourceId}`.execute(ctx.db);
}

/** The data of a subscription that determines how cost is sold to it. */
export type PayerRow = {
  readonly id: Id<'sub'>;
  readonly name: string;
  readonly organization: string;
  readonly organizationId: Id<'org'>;
  readonly currency: string;
  readonly timeZone: string;
  readonly startedAt: Date;
};

/** Returns subscriptions with their service, organization and currency. */
export async function payersByIds(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, PayerRow>> {
  if (ids.length === 0) return new Map();
  const { rows } =
    await sql<PayerRow>`select b.id, v.name, o.name as organization, o.id as "organizationId", b.started_at as "startedAt",
    coalesce(o.time_zone, (select value #>> '{}' from setting where key = 'general.timeZone'), 'Asia/Taipei') as "timeZone",
    (select p.currency from price_version p where p.service_id = b.service_id order by p.effective_from limit 1) as currency
    from subscription b join service v on v.id = b.service_id join organization o on o.id = b.organization_id where b.id = any(${[...new Set(ids)]}::text[]) and b.parent_id is null`.execute(
      ctx.db,
    );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns those of some organizations that exist. */
export async function organizationsByIds(
  ctx: Ctx,
  ids: readonly string[],
): Promise<{ id: Id<'org'>; name: string }[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{
    id: Id<'org'>;
    name: string;
  }>`select id, name from organization where id = any(${[...new Set(ids)]}::text[])`.execute(ctx.db);
  return rows;
}
