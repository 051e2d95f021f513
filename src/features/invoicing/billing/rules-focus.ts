// An issued bill in the columns of FOCUS 1.2: a row for each line and one for its tax, which add up to the
// bill exactly.
import { moneyText, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthPeriod } from '#kernel/time.ts';
import { focusRow, type FocusCharge, type FocusColumn } from '#features/metering/insights/rules.ts';
import type { lineKinds } from './contract.ts';

/** A line of an issued bill, or its tax, with the bill, buyer and service for its row. */
export type BilledCharge = {
  readonly kind: (typeof lineKinds)[number] | 'tax';
  /**
   * Set if the charge reverses an earlier one: by a credit note, whose number then replaces the bill's, or by
   * voiding the bill.
   */
  readonly takenBack: 'credit_note' | 'void' | null;
  readonly amount: Money;
  readonly quantity: string;
  readonly unit: string;
  readonly subscriptionId: string;
  readonly forMonth: BillingMonth | null;
  readonly service: {
    /** Without a service, the id and name of the term. */
    readonly id: string;
    readonly name: string;
    /** The charge of its rate card, or the term, in English. */
    readonly charge: string | null;
    readonly type: string;
    readonly category: string;
    readonly tags: readonly string[];
  };
  readonly bill: {
    readonly number: string;
    readonly periodStart: Date;
    readonly periodEnd: Date;
    readonly timeZone: string;
  };
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly user?: { readonly id: string; readonly name: string } | undefined;
  };
  /** The commitment that the line drew from, and the amount; null as amount for a reversal. */
  readonly commitment: {
    readonly id: string;
    readonly name: string;
    readonly drawn: Money | null;
  } | null;
  readonly issuer: string;
};

const ofCommitment: ReadonlySet<BilledCharge['kind']> = new Set([
  'committed_rate',
  'overage_rate',
  'true_up',
]);

/**
 * Usage that drew from a commitment. A fee that did is a purchase, and would look like the purchase of the
 * commitment.
 */
const isDrawing: ReadonlySet<BilledCharge['kind']> = new Set(['usage', 'adjustment']);

/** The commitment of a row: the one whose rate or true-up it is, or that it drew from. */
function commitmentOf({ kind, service, commitment }: BilledCharge): FocusCharge['commitment'] {
  if (ofCommitment.has(kind)) return { id: service.id, name: service.charge ?? '', used: null };
  if (!isDrawing.has(kind) || commitment === null) return undefined;
  const { id, name, drawn } = commitment;
  return { id, name, used: drawn && moneyText(drawn) };
}

/** The description of a row. */
function descriptionOf({ kind, service, takenBack }: BilledCharge): string {
  const part = service.charge ?? kind.replaceAll('_', ' ');
  const description = kind === 'tax' ? 'Tax' : service.name === '' ? part : `${service.name}: ${part}`;
  return takenBack === null ? description : `${takenBack === 'void' ? 'Voided' : 'Credited'}: ${description}`;
}

/**
 * Returns one charge in the columns of the standard (https://focus.finops.org/focus-specification/v1-2/),
 * with its bill as invoice. The charge period of late usage is the month in which it occurred; a reversal has
 * the month of the original charge.
 */
export function focusOfCharge(charge: BilledCharge): Readonly<Record<FocusColumn, string>> {
  const { account, amount, bill, forMonth, issuer, kind, quantity, service, subscriptionId, unit } = charge;
  const billingPeriod = { start: bill.periodStart, end: bill.periodEnd };
  return focusRow(
    {
      kind,
      cost: moneyText(amount),
      currency: amount.currency,
      quantity,
      unit,
      description: descriptionOf(charge),
      period: forMonth === null ? billingPeriod : monthPeriod(forMonth, bill.timeZone),
      billingPeriod,
      subscriptionId,
      service,
      commitment: commitmentOf(charge),
      invoiceId: bill.number,
      isTakenBack: charge.takenBack !== null,
    },
    { ...account, provider: issuer },
  );
}
