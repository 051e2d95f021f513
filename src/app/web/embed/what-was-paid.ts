// Interprets the answer of a payment call: the host page is told of money that has arrived, not of a payment
// that was started.
import { isId, type Id } from '#kernel/ids.ts';

/**
 * What the host page is told: one payment, or a consolidated bill whose bills were all paid from the balance,
 * each by its own payment.
 */
export type Paid = { readonly paymentId: Id<'pay'> } | { readonly consolidatedId: Id<'cbl'> };
export type PayAnswer =
  | { readonly isDone: true; readonly paid: Paid }
  /** The money arrives later; the provider has not confirmed yet. */
  | { readonly isDone: false; readonly paymentId: Id<'pay'> };

const fieldOf = (data: unknown, name: string): unknown =>
  typeof data === 'object' && data !== null
    ? Object.entries(data).find(([key]) => key === name)?.[1]
    : undefined;

/**
 * Reads the answer of paying one bill (its payment) or a consolidated bill (the bill, and the pending payment
 * or null).
 */
export function whatWasPaid(answer: unknown): PayAnswer | undefined {
  const waiting = fieldOf(answer, 'payment');
  if (waiting === null) {
    const id = fieldOf(fieldOf(answer, 'bill'), 'id');
    return isId('cbl', id) ? { isDone: true, paid: { consolidatedId: id } } : undefined;
  }
  const payment = waiting ?? answer;
  const id = fieldOf(payment, 'id');
  if (!isId('pay', id)) return undefined;
  return fieldOf(payment, 'state') === 'succeeded'
    ? { isDone: true, paid: { paymentId: id } }
    : { isDone: false, paymentId: id };
}
