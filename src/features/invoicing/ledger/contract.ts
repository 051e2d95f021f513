// The ledger: append-only double entry behind every amount that is owed, paid or prepaid. The books feature
// shows it to users.

/** An organization's own accounts. */
const ownAccountKinds = [
  'receivable',
  'balance',
  'disputed',
  'deferred_revenue',
  'promotional_credit',
] as const;
/**
 * Besides the organizations' own accounts those of the platform. `disputed`: money that a provider withdrew
 * because of a dispute and that is on no bill; `fees`: what providers keep; `deferred_revenue`: prepaid credit
 * that was not used yet, and what was billed in advance for months to come; `promotional_credit`: credit that was given away and not used yet; `promotions`: what
 * giving it away costs; `discounts`: what discounts took off revenue; `breakage`: prepaid credit that expired;
 * `withheld_tax`: what customers withheld and gave to the tax office in our name.
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
 * What made a transaction: its reference names the bill, payment, credit note, movement of a dispute, movement of
 * a credit grant or recognition of deferred revenue.
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
