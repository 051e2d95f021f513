// Sells a period: differences to the last sale become usage events, and corrections of earlier events. A
// closed month follows the rules for late usage, because the events are ordinary ones.
import { chunksOf } from '#kernel/chunks.ts';
import { required } from '#kernel/assert.ts';
import { dayOf, dayPeriod } from '#kernel/time.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { readEvent } from '#features/metering/usage/rules.ts';
import { recordUsage, type ItemResult } from '#features/metering/usage/server/index.ts';
import { resoldType } from '../contract.ts';
import { salesOf, type Sale } from './sales.ts';
import type { PayerRow, SourceRow } from './store.ts';
import { payersByIds } from './store.ts';
import { noteSold, type PeriodRow } from './store-imports.ts';
import { storeSold, soldOf, type SoldKey, type SoldRow } from './store-sold.ts';

const eventsAtOnce = 1000;
const keyOf = ({ subscriptionId, service, day, costCurrency }: SoldKey): string =>
  JSON.stringify([subscriptionId, service, day, costCurrency]);

/** The event source under which metering knows a cost source. */
export const eventSource = (sourceId: string): string => `/cost-imports/${sourceId}`;
const eventId = (periodStart: string, row: SoldKey, revision: number): string =>
  sha256(`${periodStart} ${keyOf(row)} ${revision}`).toString('hex');

/**
 * Sells the applied data of a period by the source's rules and mark-ups. The caller has locked the source.
 * Event ids consist of source, period, customer, service, day and revision, so repeating the same sale
 * records nothing.
 */
export async function sellPeriod(
  ctx: Ctx,
  source: SourceRow,
  { importId, periodStart }: Pick<PeriodRow, 'importId' | 'periodStart'>,
): Promise<void> {
  const { sales, totals, payers } = await salesOf(
    ctx,
    { ...source, sourceId: source.id },
    importId,
    periodStart,
  );
  const before = new Map((await soldOf(ctx, source.id, periodStart)).map((row) => [keyOf(row), row]));
  const wanted = new Map(sales.map((sale) => [keyOf(sale), sale]));
  const everyPayer = new Map([
    ...payers,
    ...(await payersByIds(
      ctx,
      [...before.values()].map(({ subscriptionId }) => subscriptionId).filter((id) => !payers.has(id)),
    )),
  ]);
  const kept = new Map<string, SoldRow>();
  for (const [key, sale] of wanted) kept.set(key, keptOf(sale, before.get(key)));
  for (const [key, row] of before)
    // Revisions of amounts that are no longer sold are kept, so that an event id is never reused.
    if (!wanted.has(key) && row.revision > 0)
      kept.set(key, { ...row, cost: '0', sold: '0', costSoldCurrency: '0', reason: null });
  const changed = [...kept].filter(([, row]) => valueWanted(row) !== row.eventValue);
  const withdrawn = await withdraw(
    ctx,
    source.id,
    periodStart,
    changed.filter(([, row]) => row.eventValue !== null),
  );
  for (const [key, row] of withdrawn) kept.set(key, row);
  const recorded = await record(
    ctx,
    source.id,
    periodStart,
    changed
      .map(([key]) => [key, required(kept.get(key), 'a kept row')] as const)
      .filter(([, row]) => row.eventValue === null && valueWanted(row) !== null),
    everyPayer,
  );
  for (const [key, row] of recorded) kept.set(key, row);
  await storeSold(ctx, source.id, periodStart, [...kept.values()]);
  await noteSold(ctx, source.id, periodStart, { terms: source.terms, totals });
}

const keptOf = (sale: Sale, before: SoldRow | undefined): SoldRow => ({
  ...sale,
  revision: before?.revision ?? 0,
  eventValue: before?.eventValue ?? null,
  eventAt: before?.eventAt ?? null,
});

/** The value that an event must have; null if no event is needed. */
const valueWanted = ({ sold }: Pick<SoldRow, 'sold'>): string | null =>
  sold === null || sold === '0' ? null : sold;

type Keyed = readonly (readonly [string, SoldRow])[];

/**
 * Cancels events. One that can no longer be canceled, because it is archived for good, keeps its amount and
 * records why.
 */
async function withdraw(ctx: Ctx, sourceId: string, periodStart: string, rows: Keyed): Promise<Keyed> {
  const results = await send(
    ctx,
    rows.map(([, row]) => {
      const id = eventId(periodStart, row, row.revision);
      return {
        id: `${id}.void`,
        source: eventSource(sourceId),
        type: `${resoldType}.void`,
        subject: row.subscriptionId,
        time: (row.eventAt ?? ctx.now).toISOString(),
        data: { id, source: eventSource(sourceId) },
      };
    }),
  );
  return rows.map(([key, row], place): Keyed[number] => {
    const result = required(results[place], 'the result of a correction');
    const isGone = result.outcome !== 'rejected' || result.code === 'usage.voided_already';
    return [
      key,
      isGone ? { ...row, eventValue: null, eventAt: null } : { ...row, sold: row.eventValue, reason: null },
    ];
  });
}

async function record(
  ctx: Ctx,
  sourceId: string,
  periodStart: string,
  rows: Keyed,
  payers: ReadonlyMap<string, PayerRow>,
): Promise<Keyed> {
  const next = rows.map(([key, row]) => {
    const payer = required(payers.get(row.subscriptionId), 'the payer');
    return [
      key,
      { ...row, revision: row.revision + 1, eventAt: eventTime(row.day, payer, ctx.now) },
    ] as const;
  });
  const results = await send(
    ctx,
    next.map(([, row]) => ({
      id: eventId(periodStart, row, row.revision),
      source: eventSource(sourceId),
      type: resoldType,
      subject: row.subscriptionId,
      time: row.eventAt.toISOString(),
      data: { value: row.sold, service: row.service === '' ? '-' : row.service.slice(0, 100) },
    })),
  );
  return next.map(([key, row], place): Keyed[number] => {
    const result = required(results[place], 'the result of an event');
    return [
      key,
      result.outcome === 'rejected'
        ? { ...row, sold: null, costSoldCurrency: null, eventValue: null, eventAt: null, reason: result.code }
        : { ...row, eventValue: row.sold },
    ];
  });
}

/**
 * Returns the time of a day's sale: the start of the day in the customer's time zone, or the start of the
 * subscription on that day. The cloud's UTC days are treated as the customer's own, so that the cloud's month
 * is the customer's month.
 */
export function eventTime(day: string, { timeZone, startedAt }: PayerRow, now: Date): Date {
  const { start } = dayPeriod(day as LocalDay, timeZone);
  const at = startedAt > start && dayOf(startedAt, timeZone) === day ? startedAt : start;
  return at > now ? now : at;
}

/** Records events through all of metering's checks; returns their results in order. */
async function send(ctx: Ctx, events: readonly object[]): Promise<ItemResult[]> {
  const results: ItemResult[] = [];
  for (const part of chunksOf(events, eventsAtOnce)) {
    results.push(
      ...(await recordUsage(
        ctx,
        part.map((event) => readEvent({ specversion: '1.0', ...event }, ctx.now)),
        { organizationId: null, keyId: null },
      )),
    );
  }
  return results;
}
