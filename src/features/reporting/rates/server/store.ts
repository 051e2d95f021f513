// SQL of exchange rates: versions by pair and day, and the rates in effect on a day.
import { sql } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Currency } from '#kernel/money.ts';
import type { LocalDay, Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf, containsPattern, readPage, type ListOrder } from '#platform/server/database/paging.ts';
import type { ExchangeRate, RateSource, rates } from '../contract.ts';
import type { Rate } from '../rules.ts';

type NewRate = Omit<Rate, 'source'>;

/**
 * Stores rates that differ from the newest version of their pair and day, as its next version; returns how
 * many. The bank's rates do not replace manual ones.
 */
export async function insertRates(
  ctx: Ctx,
  given: readonly NewRate[],
  source: RateSource,
  by: { readonly userId: string; readonly name: string },
): Promise<number> {
  const of = <T>(pick: (rate: NewRate) => T): T[] => given.map(pick);
  // Serialized, so that two concurrent imports do not assign the same version.
  await sql`lock table exchange_rate in share row exclusive mode`.execute(ctx.db);
  const { rows } = await sql<{ count: number }>`with added as (
      insert into exchange_rate (id, currency, against, day, version, rate, source, set_at, set_by, setter_name)
      select g.id, g.currency, g.against, g.day, coalesce(n.version, 0) + 1, g.rate, ${source}, ${ctx.now}, ${by.userId}, ${by.name}
      from unnest(${of(() => ctx.newId('fxr'))}::text[], ${of((one) => one.currency)}::bpchar[], ${of((one) => one.against)}::bpchar[], ${of((one) => one.day)}::date[], ${of((one) => one.rate)}::numeric[]) as g (id, currency, against, day, rate)
        left join lateral (select version, rate, source from exchange_rate x where x.currency = g.currency and x.against = g.against and x.day = g.day order by version desc limit 1) n on true
      where n.rate is distinct from g.rate and not (${source} = 'ecb' and n.source is not distinct from 'manual') returning 1)
    select count(*)::int as count from added`.execute(ctx.db);
  return rows[0]?.count ?? 0;
}

type RateRow = ExchangeRate;
const columns = sql<RateRow>`x.id, x.currency, x.against, to_char(x.day, 'YYYY-MM-DD') as day, trim_scale(x.rate)::text as rate, x.source, x.version, x.setter_name as "setBy", x.set_at as "setAt"`;
const order: ListOrder = {
  by: { day: { expression: sql`x.day`, cast: 'date' } },
  usual: '-day',
  id: sql`x.id`,
};
/** Returns one page of current rates: the newest version of each pair and day. */
export function pageOfRates(ctx: Ctx, input: In<typeof rates.listRates>): Promise<Page<ExchangeRate>> {
  return readPage(
    ctx.db,
    input,
    {
      columns,
      from: sql`exchange_rate x`,
      where: allOf(
        sql`not exists (select from exchange_rate y where y.currency = x.currency and y.against = x.against and y.day = x.day and y.version > x.version)`,
        input.source && sql`x.source = ${input.source}`,
        input.q && sql`x.currency || ' ' || x.against || ' ' || x.day ilike ${containsPattern(input.q)}`,
      ),
      order,
      cap: 1000,
    },
    ({ id, currency, against, day, rate, source, version, setBy, setAt }) => ({
      id,
      currency,
      against,
      day,
      rate,
      source,
      version,
      setBy,
      setAt,
    }),
  );
}

/** Returns the newest version for a pair and day. */
export async function rateOfDay(
  ctx: Ctx,
  currency: Currency,
  against: Currency,
  day: LocalDay,
): Promise<ExchangeRate | undefined> {
  const { rows } =
    await sql<RateRow>`select ${columns} from exchange_rate x where x.currency = ${currency} and x.against = ${against} and x.day = ${day}::date order by x.version desc limit 1`.execute(
      ctx.db,
    );
  return rows[0];
}

/** How many days a rate covers later days without one. */
const daysOfUse = 366;
/**
 * Returns the rate of every pair in effect on a day: that of the day itself or the last earlier one, as known
 * at a moment.
 */
export async function ratesOn(ctx: Ctx, day: LocalDay, knownAt: Date): Promise<Rate[]> {
  const { rows } = await sql<Rate>`
    select distinct on (currency, against) currency, against, to_char(day, 'YYYY-MM-DD') as day, trim_scale(rate)::text as rate, source
    from exchange_rate where day <= ${day}::date and day > ${day}::date - ${sql.lit(daysOfUse)}::int and set_at <= ${knownAt}
    order by currency, against, day desc, version desc`.execute(ctx.db);
  return rows;
}

/** Returns the day of the ledger's first transaction; undefined if there is none. */
export async function firstBooking(ctx: Ctx, zone: string): Promise<LocalDay | undefined> {
  const { rows } = await sql<{
    day: LocalDay;
  }>`select to_char(at at time zone ${zone}, 'YYYY-MM-DD') as day from ledger_transaction order by id limit 1`.execute(
    ctx.db,
  );
  return rows[0]?.day;
}
