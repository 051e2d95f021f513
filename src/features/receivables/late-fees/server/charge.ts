// Charges late fees: a percentage of the late amount once a month, and a fixed sum for each step of the
// schedule. Every charge is a one-off on the organization's next bill; the late bill itself is unchanged.
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { formatMoney } from '#kernel/format-money.ts';
import { dayFormat } from '#kernel/format-date.ts';
import { contentLanguages, type Language } from '#kernel/language.ts';
import { money, moneyText, type Money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays } from '#kernel/time.ts';
import { continueOnError } from '#platform/server/jobs/continue-on-error.ts';
import { inPages } from '#platform/server/jobs/in-pages.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { billById, dueChangesOf, type LoweredBills } from '#features/invoicing/billing/server/index.ts';
import { chargeLateFee, takeBackLateFee } from '#features/invoicing/one-offs/server/index.ts';
import { planSpansOf } from '#features/receivables/payment-plans/server/index.ts';
import {
  feeOfSteps,
  feeOfStretches,
  isFreeOn,
  lastOfMonthBefore,
  lateStretches,
  stretchesAfter,
  type FeeTerms,
  type Stretch,
} from '../rules.ts';
import { notifyCharged, publishLateFees } from './notices.ts';
import { termsOfBill, type BillTerms } from './settings.ts';
import {
  billsToLookAt,
  hasFee,
  insertFee,
  lateRow,
  pendingOf,
  storeProgress,
  versionsOf,
  type LateRow,
  type TermsVersion,
} from './store.ts';

const actor = { kind: 'system', name: 'late-fees' } as const;
const atOnce = 200;

/** The terms in minor units. */
export const feeTerms = ({ terms }: BillTerms): FeeTerms => ({
  percent: terms.percent,
  fixed: terms.fixed?.minor ?? 0n,
  minimum: terms.minimum.minor,
  cap: terms.cap?.minor ?? null,
});

/** Returns the late amounts of a bill by days, through a past day. */
export async function stretchesOf(
  ctx: Ctx,
  billId: string,
  row: LateRow,
  terms: BillTerms,
  through: LocalDay,
): Promise<Stretch[]> {
  return lateStretches(
    {
      total: row.total,
      dueOn: row.dueOn,
      changes: await dueChangesOf(ctx, billId),
      plans: await planSpansOf(ctx, billId),
      free: [...row.free, ...terms.off],
    },
    terms.graceDays,
    through,
  );
}

/**
 * Charges the late amounts of past months, once for every bill. Days missed by the job are charged with its
 * next run. A failure does not stop the others.
 */
export async function chargeLateFees(app: App, signal?: AbortSignal): Promise<void> {
  const versions = await unitOfWork(app, { actor, mode: 'read' }, versionsOf);
  const since = versions.find(({ terms }) => terms !== null)?.since;
  if (!since) return;
  await inPages(async (after) => {
    const bills = await unitOfWork(app, { actor, mode: 'read' }, (ctx) =>
      billsToLookAt(ctx, since, after, atOnce),
    );
    for (const billId of bills)
      await continueOnError(app, { billId }, 'the late fee of a bill could not be charged', () =>
        unitOfWork(app, { actor }, (ctx) => lookAt(ctx, billId, versions)),
      );
    return bills.at(-1);
  }, signal);
}

async function lookAt(ctx: Ctx, billId: Id<'bil'>, versions: readonly TermsVersion[]): Promise<void> {
  // Read again under the bill's lock: another process may have charged it, or it may have been voided in the
  // meantime.
  await billById(ctx, billId, null, true);
  const row = await lateRow(ctx, billId);
  const through = lastOfMonthBefore(row.today);
  const terms = termsOfBill(versions, row);
  if (row.state === 'void') return;
  const settled = { through, forgiven: row.forgiven, isSettled: row.state !== 'open' };
  if (!terms || terms.terms.percent === null)
    return storeProgress(ctx, billId, { ...settled, isSettled: true });
  const stretches = await stretchesOf(ctx, billId, row, terms, through);
  const minor = feeOfStretches(feeTerms(terms), stretches) - row.charged - row.forgiven;
  if (minor > 0n && row.isExempt) settled.forgiven += minor;
  else if (minor > 0n && !(await hasFee(ctx, billId, through)))
    await charge(ctx, billId, row, terms, {
      amount: money(minor, row.currency),
      period: through,
      stretches: row.chargedThrough === null ? stretches : stretchesAfter(stretches, row.chargedThrough),
      stepDay: null,
    });
  // A bill settled during this month has days that are not charged yet.
  const wasSettled = settled.isSettled && (await lateSince(ctx, billId, row, terms, through)).length === 0;
  await storeProgress(ctx, billId, { ...settled, isSettled: wasSettled });
}

/** The late days of the current month. */
async function lateSince(
  ctx: Ctx,
  billId: Id<'bil'>,
  row: LateRow,
  terms: BillTerms,
  through: LocalDay,
): Promise<Stretch[]> {
  return stretchesAfter(await stretchesOf(ctx, billId, row, terms, addDays(row.today, -1)), through);
}

type Charge = {
  readonly amount: Money;
  readonly period: string;
  readonly stretches: readonly Stretch[];
  readonly stepDay: number | null;
};

async function charge(
  ctx: Ctx,
  billId: Id<'bil'>,
  row: LateRow,
  terms: BillTerms,
  made: Charge,
): Promise<void> {
  const { organizationId, number } = row;
  const id = ctx.newId('lfe');
  const named = (language: Language): string => nameOf(ctx, language, number, terms, made);
  const oneOffId = await chargeLateFee(ctx, {
    organizationId,
    name: { zhTW: named('zhTW'), enUS: named('enUS') },
    amount: made.amount,
    chargeOn: row.today,
    note: contentLanguages.map((language) => arithmeticOf(ctx, language, terms, made)).join(' / '),
    taxedAs: terms.taxedAs,
    by: terms.by,
  });
  await insertFee(ctx, {
    id,
    billId,
    organizationId,
    period: made.period,
    currency: row.currency,
    minor: made.amount.minor,
    stretches: made.stretches,
    stepDay: made.stepDay,
    oneOffId,
  });
  ctx.audit('latefees.charged', id, {
    organizationId,
    bill: number,
    amount: moneyText(made.amount),
    currency: row.currency,
  });
  await notifyCharged(ctx, { id, organizationId, number, amount: made.amount });
  publishLateFees(ctx, organizationId);
}

/** Describes the calculation of a charge: (late × days + …) × percent ÷ 365. */
function arithmeticOf(ctx: Ctx, language: Language, { terms }: BillTerms, made: Charge): string {
  if (terms.percent === null)
    return ctx.text('latefees.arithmetic_step', { elapsed: made.stepDay ?? 0 }, language);
  const late = made.stretches
    .map(({ minor, days }) =>
      ctx.text(
        'latefees.arithmetic_part',
        { late: formatMoney(money(minor, made.amount.currency), language), count: days },
        language,
      ),
    )
    .join(' + ');
  return ctx.text(
    'latefees.arithmetic',
    { late: made.stretches.length > 1 ? `(${late})` : late, percent: terms.percent },
    language,
  );
}

function nameOf(ctx: Ctx, language: Language, number: string, terms: BillTerms, made: Charge): string {
  if (terms.terms.percent === null)
    return ctx.text('latefees.line_step', { number, elapsed: made.stepDay ?? 0 }, language);
  const [first, last] = [
    required(made.stretches[0], 'a late day'),
    required(made.stretches.at(-1), 'a late day'),
  ];
  const { day } = dayFormat(language);
  const arithmetic = arithmeticOf(ctx, language, terms, made);
  return ctx.text(
    'latefees.line',
    { number, from: day(first.from), until: day(last.until), arithmetic },
    language,
  );
}

/** A step of the schedule that was just taken, in the same transaction. */
export type FeeStep = {
  readonly billId: Id<'bil'>;
  /** Charged once for each. */
  readonly step: string;
  readonly day: number;
};

/**
 * Charges the fixed sums of steps after the grace period. The caller holds the bills' locks and takes each
 * step once.
 */
export async function chargeSteps(ctx: Ctx, steps: readonly FeeStep[]): Promise<void> {
  if (steps.length === 0) return;
  const versions = await versionsOf(ctx);
  if (versions.length === 0) return;
  for (const { billId, step, day } of steps) {
    const row = await lateRow(ctx, billId);
    const terms = termsOfBill(versions, row);
    if (!terms || terms.terms.fixed === null || day <= terms.graceDays || day < 1) continue;
    if (row.isExempt || isFreeOn([...row.free, ...terms.off], row.today)) continue;
    const { fixed, cap } = feeTerms(terms);
    const left = cap === null ? fixed : cap - row.charged;
    const minor = feeOfSteps({ ...feeTerms(terms), cap: left }, 1);
    if (minor > 0n && !(await hasFee(ctx, billId, step)))
      await charge(ctx, billId, row, terms, {
        amount: money(minor, row.currency),
        period: step,
        stretches: [],
        stepDay: day,
      });
  }
}

/** Withdraws unbilled late fees of void bills. Handles billing's event. */
export async function takeBackOfVoid(ctx: Ctx, { billIds, by }: LoweredBills): Promise<void> {
  if (by !== 'void') return;
  for (const id of await pendingOf(ctx, billIds))
    await takeBackLateFee(ctx, id, null, ctx.text('latefees.bill_void'));
}

/** Hourly, because months begin at different times in different time zones. */
export const lateFeesJob = job({
  name: 'late-fees',
  schedule: '3 * * * *',
  run: (app, _payload, signal) => chargeLateFees(app, signal),
});
