// The ledger: append-only double-entry bookkeeping of every amount that is owed, paid or prepaid. The books
// feature shows it to users.

/** An organization's own accounts. */
const ownAccountKinds = [
  'receivable',
  'balance',
  'disputed',
  'deferred_revenue',
  'promotional_credit',
] as const;
/**
 * The organizations' own accounts and those of the platform. `disputed`: money that a payment provider
 * withdrew because of a dispute and that is on no bill; `fees`: what payment providers keep;
 * `deferred_revenue`: unused prepaid credit, and amounts billed in advance for future months;
 * `promotional_credit`: unused promotional credit; `promotions`: the cost of granting it; `discounts`: what
 * discounts deducted from revenue; `breakage`: expired prepaid credit; `withheld_tax`: tax that customers
 * withheld and paid to the tax office on our behalf.
 */
export const accountKinds = [
  ...ownAccountKinds,
  'revenue',
  'discounts',
  'promotions',
  'breakage',
  'tax',
  'cash',
  'fees',
  'withheld_tax',
] as const;
/**
 * The origin of a transaction: its reference names the bill, payment, credit note, dispute movement, credit
 * grant movement or recognition of deferred revenue.
 */
export const transactionKinds = [
  'bill',
  'top_up',
  'payment',
  'refund',
  'correction',
  'credit_note',
  'void',
  'dispute',
  'credit_grant',
  'recognition',
] as const;
