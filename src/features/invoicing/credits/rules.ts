// Rules of credit notes: what a credit note takes from each line, where the amount goes, and the ledger
// entries. Only shares of stored amounts are used.
import { roundedQuotient } from '#kernel/decimal.ts';
import { money, percentOf, type Currency, type Money, absolute } from '#kernel/money.ts';
import { assert, required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { grossAmounts } from '#features/invoicing/billing/rules.ts';
import { balanced, type Entry } from '#features/invoicing/ledger/rules.ts';
import type { CreditAsk, creditsErrors } from './contract.ts';

/**
 * A line's stored net amount with its share of the stored tax, and how much of both has been credited so far;
 * in minor units.
 */
export type StoredLine = {
  readonly id: string;
  readonly net: bigint;
  readonly tax: bigint;
  readonly creditedNet: bigint;
  readonly creditedTax: bigint;
};
/** The amount taken from a line. */
export type CreditedAmount = { readonly id: string; readonly net: bigint; readonly tax: bigint };
export type Amounts = { readonly net: bigint; readonly tax: bigint; readonly total: bigint };
export type CreditMistake = Extract<
  keyof typeof creditsErrors,
  | 'credits.nothing_asked'
  | 'credits.line_unknown'
  | 'credits.currency_differs'
  | 'credits.above_rest'
  | 'credits.nothing_left'
>;

/**
 * Each line's share of a bill's tax. The tax was rounded once over all lines, so the shares are cut from it
 * and add up to it.
 */
export function storedTaxes(nets: readonly Money[], tax: Money): bigint[] {
  return grossAmounts(nets, tax).map((gross, index) => gross.minor - (nets[index]?.minor ?? 0n));
}

/**
 * The same for a bill with several taxes: each is divided among its own lines, so that a credit returns the
 * rate that a line was charged. `ids` are the lines' ids, in order.
 */
export function storedTaxesOf(
  nets: readonly Money[],
  ids: readonly string[],
  taxes: readonly { readonly tax: Money; readonly lines: readonly string[] }[],
): bigint[] {
  const byLine = nets.map(() => 0n);
  for (const { tax, lines } of taxes) {
    const places = ids.flatMap((id, place) => (lines.includes(id) ? [place] : []));
    const parts = storedTaxes(
      places.map((place) => required(nets[place], 'a line’s amount')),
      tax,
    );
    for (const [index, place] of places.entries()) byLine[place] = parts[index] ?? 0n;
  }
  return byLine;
}

/** `whole × part / of`, rounded half away from zero; zero when `of` is zero. */
const share = (whole: bigint, part: bigint, of: bigint): bigint =>
  of === 0n ? 0n : roundedQuotient(whole * part, of);
const restNet = (line: StoredLine): bigint => line.net - line.creditedNet;

/** The amounts of a bill that no credit note has taken yet. */
export function restOf(lines: readonly StoredLine[]): Amounts {
  return sumOf(lines.map((line) => ({ net: restNet(line), tax: line.tax - line.creditedTax })));
}

export function sumOf(amounts: readonly { readonly net: bigint; readonly tax: bigint }[]): Amounts {
  const net = amounts.reduce((sum, each) => sum + each.net, 0n);
  const tax = amounts.reduce((sum, each) => sum + each.tax, 0n);
  return { net, tax, total: net + tax };
}

/** Takes the entire remainder of every line. */
export function takeRest(lines: readonly StoredLine[]): CreditedAmount[] {
  return lines
    .map((line) => ({ id: line.id, net: restNet(line), tax: line.tax - line.creditedTax }))
    .filter(isSomething);
}

const isSomething = (taken: CreditedAmount): boolean => taken.net !== 0n || taken.tax !== 0n;

/**
 * Takes a net amount from a line, with the share of its stored tax that belongs to the net credited so far,
 * so that the last credit gets the rounding remainder.
 */
function takeNet(line: StoredLine, net: bigint): CreditedAmount {
  return { id: line.id, net, tax: share(line.tax, line.creditedNet + net, line.net) - line.creditedTax };
}

/**
 * Divides a net amount over the remaining amounts of the lines, cumulatively: the parts add up to it, and
 * none exceeds its line's remaining amount.
 */
function distributeNet(lines: readonly StoredLine[], net: bigint): CreditedAmount[] {
  const whole = restOf(lines).net;
  let [soFar, cut] = [0n, 0n];
  return lines
    .map((line) => {
      soFar += restNet(line);
      const upToHere = share(net, soFar, whole);
      const taken = takeNet(line, upToHere - cut);
      cut = upToHere;
      return taken;
    })
    .filter(isSomething);
}

/**
 * Returns what a credit note takes from a bill's lines (stored amounts in `currency`), or why it is not
 * allowed. A line never gives more than its remaining amount, and the note is positive and at most the
 * remaining amount of the bill.
 */
export function creditOf(
  lines: readonly StoredLine[],
  currency: Currency,
  ask: CreditAsk,
): CreditedAmount[] | CreditMistake {
  const rest = restOf(lines);
  if (rest.total <= 0n) return 'credits.nothing_left';
  const taken = takenFor(lines, currency, ask);
  if (typeof taken === 'string') return taken;
  const { total } = sumOf(taken);
  if (total <= 0n) return 'credits.nothing_asked';
  return total > rest.total ? 'credits.above_rest' : taken;
}

function takenFor(
  lines: readonly StoredLine[],
  currency: Currency,
  ask: CreditAsk,
): CreditedAmount[] | CreditMistake {
  if (ask.kind === 'rest') return takeRest(lines);
  if (ask.kind === 'lines') return ofLines(lines, currency, ask.lines);
  const whole = lines.reduce((sum, line) => sum + line.net, 0n);
  if (ask.kind === 'amount' && ask.net.currency !== currency) return 'credits.currency_differs';
  const net = ask.kind === 'amount' ? ask.net.minor : percentOf(money(whole, currency), ask.percent).minor;
  if (net <= 0n) return 'credits.nothing_asked';
  return net > restOf(lines).net ? 'credits.above_rest' : distributeNet(lines, net);
}

function ofLines(
  lines: readonly StoredLine[],
  currency: Currency,
  wanted: readonly { readonly lineId: string; readonly net: Money }[],
): CreditedAmount[] | CreditMistake {
  const byId = new Map(lines.map((line) => [line.id, line]));
  const taken: CreditedAmount[] = [];
  for (const { lineId, net } of wanted) {
    const line = byId.get(lineId);
    // A line named twice is treated as unknown the second time.
    if (!line || !byId.delete(lineId)) return 'credits.line_unknown';
    if (net.currency !== currency) return 'credits.currency_differs';
    if (net.minor === 0n) continue;
    if (net.minor > 0n !== line.net > 0n || absolute(net.minor) > absolute(restNet(line)))
      return 'credits.above_rest';
    taken.push(takeNet(line, net.minor));
  }
  return taken;
}

/**
 * Splits a credited amount: it first reduces the amount due; the rest was already paid and goes to the
 * balance.
 */
export function splitCredit(total: bigint, due: bigint): { toDue: bigint; toBalance: bigint } {
  assert(due >= 0n, 'nothing below zero is due');
  const toDue = total < due ? total : due;
  // A bill with a negative total has nothing due: it credited the balance, which is now debited.
  return toDue > 0n ? { toDue, toBalance: total - toDue } : { toDue: 0n, toBalance: total };
}

/**
 * The discounts and promotional credit of a voided bill, which no credit note returns, and the prepaid credit
 * that is restored.
 */
export type UndoneTerms = {
  readonly discount: bigint;
  readonly promotional: bigint;
  /** The part of `promotional` that was deducted from commitments' true-ups. */
  readonly promotionalOfTrueUps: bigint;
  readonly toPrepaid: bigint;
};
export const noUndoneTerms: UndoneTerms = {
  discount: 0n,
  promotional: 0n,
  promotionalOfTrueUps: 0n,
  toPrepaid: 0n,
};

/**
 * The ledger entries: revenue and tax decrease, and with them the receivable, or the customer's balance
 * grows. Voiding also restores prepaid and promotional credit and reverses what discounts deducted from
 * revenue. The part that is not revenue yet (`deferred`) reduces deferred revenue instead.
 */
export function creditEntries(
  credit: {
    organizationId: string;
    /**
     * The organization that used the services, if another one pays: it owns the credit and the deferred
     * revenue.
     */
    usedBy?: { readonly organizationId: string } | undefined;
    currency: Currency;
    net: bigint;
    /** The part of `net` charged as commitments' true-ups. */
    trueUp: bigint;
    tax: bigint;
    toDue: bigint;
    toBalance: bigint;
    deferred: bigint;
  },
  { discount, promotional, promotionalOfTrueUps, toPrepaid }: UndoneTerms = noUndoneTerms,
): Entry[] {
  const { organizationId, currency } = credit;
  const userId = credit.usedBy?.organizationId ?? organizationId;
  const trueUp = credit.trueUp + promotionalOfTrueUps;
  return balanced([
    {
      account: { kind: 'revenue', organizationId: null, currency },
      minor: credit.net + discount + promotional - trueUp - credit.deferred,
    },
    { account: { kind: 'breakage', organizationId: null, currency }, minor: trueUp },
    { account: { kind: 'discounts', organizationId: null, currency }, minor: -discount },
    { account: { kind: 'tax', organizationId: null, currency }, minor: credit.tax },
    { account: { kind: 'receivable', organizationId, currency }, minor: -credit.toDue },
    { account: { kind: 'balance', organizationId, currency }, minor: -credit.toBalance },
    {
      account: { kind: 'deferred_revenue', organizationId: userId, currency },
      minor: credit.deferred - toPrepaid,
    },
    { account: { kind: 'promotional_credit', organizationId: userId, currency }, minor: -promotional },
  ]);
}

/** The series of a month's credit notes. */
export function creditSeries(month: BillingMonth): string {
  return `C-${month.replace('-', '')}`;
}
/** The number of a credit note: `C-YYYYMM-000001`, gapless in its series. */
export function creditNumber(series: string, sequence: number): string {
  return `${series}-${String(sequence).padStart(6, '0')}`;
}
