// API calls of exchange rates, and the conversion that reports use.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { decimal, isZero, trimDecimal } from '#kernel/decimal.ts';
import { domainError } from '#kernel/errors.ts';
import { currencyCodes, type Currency, type Money } from '#kernel/money.ts';
import { currency as currencyShape, type LocalDay } from '#kernel/shape.ts';
import { addDays, dayOf } from '#kernel/time.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { setting, storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { ratesErrors, type ExchangeRate, type rates, type UsedRate } from '../contract.ts';
import { converted, dayOfSteps, rateText, stepsBetween } from '../rules.ts';
import { readRatesFile } from './read-file.ts';
import { firstBooking, insertRates, pageOfRates, rateOfDay, ratesOn } from './store.ts';

/** The reporting currency. */
export const reportingCurrency = setting<Currency>('rates.reporting', currencyShape, currencyCodes[0]);
/** Rates before the first booking are useless, except to cover later days without one. */
const daysBefore = 31;

export async function listRates(
  ctx: Ctx,
  input: In<typeof rates.listRates>,
): Promise<Out<typeof rates.listRates>> {
  return pageOfRates(ctx, input);
}

/**
 * Sets a rate by hand. @throws DomainError for a rate of a currency against itself, a rate of zero, or a
 * future day
 */
export async function setRate(
  ctx: Ctx,
  { currency, against, day, rate }: In<typeof rates.setRate>,
): Promise<ExchangeRate> {
  if (currency === against) throw domainError(ratesErrors, 'rates.same_currency', {}, ['against']);
  if (isZero(decimal(rate))) throw domainError(ratesErrors, 'rates.not_positive', {}, ['rate']);
  if (day > dayOf(ctx.now, await ctx.setting(timeZoneSetting)))
    throw domainError(ratesErrors, 'rates.future_day', {}, ['day']);
  const before = await rateOfDay(ctx, currency, against, day);
  await insertRates(ctx, [{ currency, against, day, rate: trimDecimal(rate) }], 'manual', person(ctx));
  const after = required(await rateOfDay(ctx, currency, against, day), 'the rate that was set');
  ctx.audit('rates.setRate', after.id, {
    currency,
    against,
    day,
    before: before?.rate ?? null,
    after: after.rate,
  });
  ctx.publish('system/billing', { kind: 'rates' });
  return after;
}

/** Imports a file of rates. @throws DomainError when the file has no rates */
export async function importRates(
  ctx: Ctx,
  _input: object,
  { raw }: Reply,
): Promise<Out<typeof rates.importRates>> {
  const found = await readRatesFile(raw?.bytes ?? Buffer.alloc(0));
  const zone = await ctx.setting(timeZoneSetting);
  const since = addDays((await firstBooking(ctx, zone)) ?? dayOf(ctx.now, zone), -daysBefore);
  const wanted = found.filter(({ day }) => day >= since);
  const days = [...new Set(wanted.map(({ day }) => day))].toSorted();
  const added = await insertRates(
    ctx,
    wanted.map((rate) => ({ ...rate, currency: 'EUR' as const })),
    'ecb',
    person(ctx),
  );
  ctx.audit('rates.importRates', undefined, { days: days.length, added });
  ctx.publish('system/billing', { kind: 'rates' });
  return { added, days: days.length, firstDay: days[0] ?? null, lastDay: days.at(-1) ?? null };
}

export async function getReporting(ctx: Ctx): Promise<Out<typeof rates.getReporting>> {
  return { currency: await ctx.setting(reportingCurrency) };
}

export async function saveReporting(
  ctx: Ctx,
  { currency }: In<typeof rates.saveReporting>,
): Promise<Out<typeof rates.saveReporting>> {
  const before = await ctx.setting(reportingCurrency);
  await storeSetting(ctx.db, reportingCurrency, currency, ctx.now, person(ctx).userId);
  ctx.audit('rates.saveReporting', undefined, { before, after: currency });
  ctx.publish('system/billing', { kind: 'rates' });
  return { currency };
}

/** Converts amounts at the rates of a day, each rounded once. Undefined if no rates lead to the currency. */
export type Converter = (
  amount: Money,
) => { readonly amount: Money; readonly rate: UsedRate | null } | undefined;

/**
 * The conversion into a currency at the rates of a day, as they were known at a moment; a day without a rate
 * uses the previous one.
 */
export async function converterOn(
  ctx: Ctx,
  day: LocalDay,
  to: Currency,
  knownAt: Date = ctx.now,
): Promise<Converter> {
  const known = await ratesOn(ctx, day, knownAt);
  return (amount) => {
    const steps = stepsBetween(known, amount.currency, to);
    if (steps === undefined) return undefined;
    const oldest = dayOfSteps(steps);
    return {
      amount: converted(amount, to, steps),
      rate:
        oldest === undefined
          ? null
          : { text: rateText(steps), day: oldest, steps: steps.map(({ rate }) => ({ ...rate })) },
    };
  };
}
