// Rules of business metrics: the recurring part of a bill, the movement of a customer's recurring revenue,
// and the retention of a month's customers. Amounts are in minor units of one currency; a month's movements
// add up exactly to the difference from the previous month.
import { roundedQuotient } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import { absolute } from '#kernel/money.ts';
import { lineKinds } from '#features/invoicing/billing/contract.ts';
import { movementKinds, type AgingBucket, type MovementKind, type RevenuePart } from './contract.ts';

type LineKind = (typeof lineKinds)[number];

/**
 * Classifies a line. Fees of subscriptions, and what a change of plan credits of them, are recurring.
 * One-time charges are not. Everything else is usage, including top-ups to a minimum or a commitment, and
 * interim charges before the month is over.
 */
export function partOf(kind: LineKind): RevenuePart {
  if (kind === 'base_fee' || kind === 'credit') return 'recurring';
  return kind === 'one_time' || kind === 'one_off' ? 'once' : 'usage';
}
/** The kinds of lines of a class. */
export const kindsOf = (part: RevenuePart): readonly LineKind[] =>
  lineKinds.filter((kind) => partOf(kind) === part);

export type Movement = { readonly kind: MovementKind; readonly minor: bigint };

/**
 * How a customer's recurring revenue moved from the month `before` to `now`; null when it is equal. A
 * customer counts while it is above zero: one who had none in the previous month is new, or reactivated if it
 * had some earlier (`hadBefore`).
 */
export function movementOf(before: bigint, now: bigint, hadBefore: boolean): Movement | null {
  const minor = now - before;
  if (minor === 0n) return null;
  if (before <= 0n && now > 0n) return { kind: hadBefore ? 'reactivation' : 'new', minor };
  if (before > 0n && now <= 0n) return { kind: 'churn', minor };
  return { kind: minor > 0n ? 'expansion' : 'contraction', minor };
}

/** A month of one currency: its opening, its movements by kind, and its closing. */
export type MonthMovements = {
  readonly opening: bigint;
  readonly closing: bigint;
  readonly movements: Readonly<Record<MovementKind, { readonly minor: bigint; readonly customers: number }>>;
};

/**
 * The movements of each month of customers' histories (`histories[customer][month]`, all of one length).
 * Revenue before the first month is zero.
 */
export function movementsOf(histories: readonly (readonly bigint[])[]): MonthMovements[] {
  const length = histories[0]?.length ?? 0;
  return Array.from({ length }, (_, place) => {
    const movements = Object.fromEntries(
      movementKinds.map((kind) => [kind, { minor: 0n, customers: 0 }]),
    ) as Record<MovementKind, { minor: bigint; customers: number }>;
    let [opening, closing] = [0n, 0n];
    for (const history of histories) {
      const before = history[place - 1] ?? 0n;
      const now = required(history[place], 'a month of a history');
      opening += before;
      closing += now;
      const moved = movementOf(
        before,
        now,
        history.slice(0, place).some((minor) => minor > 0n),
      );
      if (!moved) continue;
      movements[moved.kind].minor += moved.minor;
      movements[moved.kind].customers += 1;
    }
    return { opening, closing, movements };
  });
}

/** `part / whole` in percent with one digit, rounded once, half away from zero; null if the whole is zero. */
export function percentText(part: bigint, whole: bigint): string | null {
  if (whole <= 0n) return null;
  const tenths = roundedQuotient(part * 1000n, whole);
  const size = absolute(tenths);
  return `${tenths < 0n ? '-' : ''}${size / 10n}.${size % 10n}`;
}

/** Net retention of a month's opening revenue, and the churn of revenue and customers, in percent. */
export function retentionOf(
  { opening, movements }: Pick<MonthMovements, 'opening' | 'movements'>,
  openingCustomers: number,
) {
  const { expansion, contraction, churn } = movements;
  return {
    netRetention: percentText(opening + expansion.minor + contraction.minor + churn.minor, opening),
    revenueChurn: percentText(-churn.minor, opening),
    customerChurn: percentText(BigInt(churn.customers), BigInt(openingCustomers)),
  };
}

/** Recurring revenue per customer, rounded half away from zero; null without customers. */
export const averageOf = (minor: bigint, customers: number): bigint | null =>
  customers === 0 ? null : roundedQuotient(minor, BigInt(customers));

/** The aging bucket of a bill that is this many days late; a bill that is due today is not late. */
export function bucketOf(daysLate: number): AgingBucket {
  if (daysLate <= 0) return 'current';
  if (daysLate <= 30) return 'd30';
  if (daysLate <= 60) return 'd60';
  return daysLate <= 90 ? 'd90' : 'older';
}
/** The number of days late at which each bucket begins. */
export const bucketStarts = { d30: 1, d60: 31, d90: 61, older: 91 } as const;
