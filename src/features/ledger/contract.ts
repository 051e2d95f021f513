// The ledger: append-only double entry behind every amount that is owed, paid or prepaid. The books column is where people read it.

/** Receivable and balance are an organization's own accounts; the others are the platform's. */
export const accountKinds = ['receivable', 'balance', 'revenue', 'tax', 'cash'] as const;
/** What made a transaction: its reference names the bill, payment or credit note. */
export const transactionKinds = ['bill', 'top_up', 'payment', 'refund', 'correction', 'credit_note', 'void'] as const;
