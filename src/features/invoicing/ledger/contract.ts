// The ledger: append-only double entry behind every amount that is owed, paid or prepaid. The books feature
// shows it to users.

/**
 * Receivable, balance and disputed are an organization's own accounts; the others are the platform's.
 * `disputed`: money that a provider withdrew because of a dispute and that is on no bill; `fees`: what
 * providers keep.
 */
export const accountKinds = ['receivable', 'balance', 'disputed', 'revenue', 'tax', 'cash', 'fees'] as const;
/** What made a transaction: its reference names the bill, payment, credit note or a movement of a dispute. */
export const transactionKinds = [
  'bill',
  'top_up',
  'payment',
  'refund',
  'correction',
  'credit_note',
  'void',
  'dispute',
] as const;
