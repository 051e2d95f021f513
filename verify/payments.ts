// Checks of payments: each is booked once, counts once on its bill, and cash and withheld tax equal what came in less what
// went back (I5, I7).
import { booked, credited } from './bills.ts';
import { byStatement, numberOf, owned, nonZero, userOf, type Books, type Check } from './books.ts';

/** Payments that bring nothing from outside: what was prepaid pays. */
const inside = `'balance', 'prepaid_credit'`;
// A payment that was refunded later had come in first.
const wasReceived = `p.state in ('succeeded', 'refunded')`;
const payments = (): string =>
  `select count(*) from payment p where ${wasReceived} and ${owned('p.organization_id')}`;

/**
 * The amount that each payment brought, and how much of it paid a bill; the rest went to the balance.
 * Payments without a provider always brought their full amount.
 */
const came = (books: Books): string =>
  books.has('payment.received_minor')
    ? `select p.id, p.organization_id, p.bill_id, p.method, coalesce(p.received_currency, p.currency) as currency, coalesce(p.received_minor, p.amount_minor) as minor, p.to_bill_minor as to_bill from payment p where ${wasReceived}`
    : `select p.id, p.organization_id, p.bill_id, p.method, p.currency, p.amount_minor as minor, case when p.bill_id is null then 0 else p.amount_minor end as to_bill from payment p where ${wasReceived}`;

const paymentsAreBooked: Check = {
  id: 'payments-booked',
  invariants: ['I5', 'I7'],
  title: 'Every successful payment is in the ledger once, with the same amounts',
  unit: 'payments',
  isPerOrganization: true,
  run: byStatement(payments, (books) =>
    booked(
      `'payment', 'top_up'`,
      `select c.id as reference, entry.kind, entry.owner, c.currency, sum(entry.minor) as minor from (${came(books)}) c left join bill b on b.id = c.bill_id
      cross join lateral (values (case c.method when 'balance' then 'balance' when 'prepaid_credit' then 'deferred_revenue' when 'withholding' then 'withheld_tax' else 'cash' end, case c.method when 'balance' then c.organization_id when 'prepaid_credit' then ${userOf(books, 'b')} end, c.minor),
        ('receivable', c.organization_id, -c.to_bill), ('balance', c.organization_id, c.to_bill - c.minor)) as entry (kind, owner, minor)
      where ${owned('c.organization_id')} or c.method = 'prepaid_credit' and ${owned(userOf(books, 'b'))} group by 1, 2, 3, 4`,
      {
        missing: 'payment_not_booked',
        extra: 'booking_without_payment',
        differs: 'payment_booked_differently',
      },
    ),
  ),
};

/** What disputes withdrew, less what came back; a database older than disputes has none. */
const hasDisputes = (books: Books): boolean => books.has('payment_dispute_move.to_bill_minor');
const disowed = (books: Books): string =>
  hasDisputes(books)
    ? `union all select p.bill_id, -m.to_bill_minor from payment_dispute_move m join payment_dispute d on d.id = m.dispute_id join payment p on p.id = d.payment_id`
    : '';
/** Withheld tax that was recorded by mistake is due on its bill again. */
const takenBack = (books: Books): string =>
  hasRefunds(books)
    ? `union all select p.bill_id, -r.amount_minor from payment_refund r join payment p on p.id = r.payment_id where p.method = 'withholding' and r.state = 'succeeded'`
    : '';
const withdrawn = (books: Books): string =>
  hasDisputes(books)
    ? `union all select d.currency, -m.minor - m.fee_minor, 'cash' from payment_dispute_move m join payment_dispute d on d.id = m.dispute_id`
    : '';

const billsArePaidOnce: Check = {
  id: 'bills-paid',
  invariants: ['I7'],
  title:
    'The paid amount of a bill equals its payments less withdrawals and returns, and a bill is paid when nothing is due',
  unit: 'bills',
  isPerOrganization: true,
  run: byStatement(
    () => `select count(*) from bill where ${owned('organization_id')}`,
    // A bill of zero or less is settled when it is issued.
    (books) => `
      select 'paid_differs' as code, b.number as subject, coalesce(p.minor, 0)::text as expected, b.paid_minor::text as actual
        from bill b left join (select bill_id, sum(to_bill) as minor from (select c.bill_id, c.to_bill from (${came(books)}) c ${disowed(books)} ${takenBack(books)}) as counted group by 1) p on p.bill_id = b.id
        where ${owned('b.organization_id')} and b.total_minor > 0 and b.paid_minor <> coalesce(p.minor, 0)
      union all select 'state_differs', number, case when total_minor - paid_minor - ${credited(books, 'bill')} <= 0 then 'paid' else 'open' end, state
        from bill where ${owned('organization_id')} and state <> 'void' and (state = 'paid') <> (total_minor <= 0 or total_minor - paid_minor - ${credited(books, 'bill')} <= 0)
      union all select 'paid_by_another', c.id, b.organization_id || ' ' || b.currency, c.organization_id || ' ' || c.currency
        from (${came(books)}) c join bill b on b.id = c.bill_id where ${owned('b.organization_id')} and c.to_bill <> 0 and (c.organization_id <> b.organization_id or c.currency <> b.currency)`,
  ),
};

/** A database older than saved cards has no attempts. */
const hasAttempts = (books: Books): boolean => books.has('collection_attempt.number');

/** A database older than automatic top-ups has none of these. */
const hasTopUps = (books: Books): boolean => books.has('card_top_up_attempt.payment_id');
const topUpFindings = `
      union all select 'charged_twice', a.payment_id, '1', count(*)::text
        from card_top_up_attempt a join payment p on (p.id = a.payment_id or p.note = a.payment_id) and p.organization_id = a.organization_id
        where ${wasReceived} and ${owned('a.organization_id')} group by a.payment_id having count(*) > 1
      union all select 'charged_for_another', a.payment_id, a.organization_id, p.organization_id || coalesce(' ' || p.bill_id, '')
        from card_top_up_attempt a join payment p on p.id = a.payment_id where ${owned('a.organization_id')} and (p.organization_id <> a.organization_id or p.bill_id is not null)`;

const attemptsChargeOnce: Check = {
  id: 'card-charges',
  invariants: ['I7'],
  title: 'Every charge of a saved card was collected at most once, for its own bill',
  unit: 'card charges',
  isPerOrganization: true,
  // Money that came a second time is a payment of its own, whose note names the first.
  run: async (books) =>
    !hasAttempts(books)
      ? { examined: '0', findings: [], found: 0, notes: [] }
      : byStatement(
          () =>
            `select (select count(*) from collection_attempt a join payment p on p.id = a.payment_id where ${owned('p.organization_id')})${hasTopUps(books) ? ` + (select count(*) from card_top_up_attempt a where ${owned('a.organization_id')})` : ''} as count`,
          () => `
      select 'charged_twice' as code, b.number || ' ' || a.number as subject, '1' as expected, count(*)::text as actual
        from collection_attempt a join bill b on b.id = a.bill_id join payment p on (p.id = a.payment_id or p.note = a.payment_id) and p.organization_id = b.organization_id
        where ${wasReceived} and ${owned('b.organization_id')} group by b.number, a.number having count(*) > 1
      union all select 'charged_for_another', b.number || ' ' || a.number, a.bill_id, coalesce(p.bill_id, '')
        from collection_attempt a join bill b on b.id = a.bill_id join payment p on p.id = a.payment_id where ${owned('b.organization_id')} and p.bill_id is distinct from a.bill_id${hasTopUps(books) ? topUpFindings : ''}`,
        )(books),
};

const hasRefunds = (books: Books): boolean =>
  books.has('payment_refund.amount_minor') && books.has('payment.refunded_minor');

const refundsAreBooked: Check = {
  id: 'refunds',
  invariants: ['I5', 'I7'],
  title: 'Every refund is in the ledger and counted on its payment',
  unit: 'refunds',
  isPerOrganization: true,
  // A refund that failed after it was booked is reversed in the ledger, so its entries sum to zero.
  run: async (books) =>
    !hasRefunds(books)
      ? { examined: '0', findings: [], found: 0, notes: [] }
      : byStatement(
          () => `select count(*) from payment_refund where ${owned('organization_id')}`,
          () => `${booked(
            `'refund', 'correction'`,
            `select r.id as reference, entry.kind, entry.owner, r.currency, entry.minor from payment_refund r join payment p on p.id = r.payment_id
        cross join lateral (values (case p.method when 'withholding' then 'receivable' else 'balance' end, r.organization_id, r.amount_minor),
          (case p.method when 'withholding' then 'withheld_tax' else 'cash' end, null, -r.amount_minor)) as entry (kind, owner, minor) where r.state = 'succeeded' and ${owned('r.organization_id')}`,
            {
              missing: 'refund_not_booked',
              extra: 'booking_without_refund',
              differs: 'refund_booked_differently',
            },
            { references: 'select id from payment_refund', mayRepeat: true },
          )}
      union all select 'refunded_differs', p.id, coalesce(r.minor, 0)::text, p.refunded_minor::text
        from payment p left join (select payment_id, sum(amount_minor) as minor from payment_refund where state = 'succeeded' group by 1) r on r.payment_id = p.id where ${owned('p.organization_id')} and p.refunded_minor <> coalesce(r.minor, 0)`,
        )(books),
};

const disputesAreBooked: Check = {
  id: 'disputes',
  invariants: ['I5', 'I7'],
  title: 'Every dispute movement is in the ledger once, with the same amounts',
  unit: 'dispute movements',
  isPerOrganization: true,
  run: async (books) =>
    !hasDisputes(books)
      ? { examined: '0', findings: [], found: 0, notes: [] }
      : byStatement(
          () =>
            `select count(*) from payment_dispute_move m join payment_dispute d on d.id = m.dispute_id where ${owned('d.organization_id')}`,
          () =>
            booked(
              `'dispute'`,
              `select m.id as reference, entry.kind, entry.owner, d.currency, entry.minor from payment_dispute_move m join payment_dispute d on d.id = m.dispute_id
        cross join lateral (values ('cash', null, -m.minor - m.fee_minor), ('receivable', d.organization_id, m.to_bill_minor), ('balance', d.organization_id, m.to_balance_minor),
          ('disputed', d.organization_id, m.minor - m.to_bill_minor - m.to_balance_minor), ('fees', null, m.fee_minor)) as entry (kind, owner, minor) where ${owned('d.organization_id')}`,
              {
                missing: 'dispute_not_booked',
                extra: 'booking_without_dispute',
                differs: 'dispute_booked_differently',
              },
            ),
        )(books),
};

/** What was paid or given back, with where it came from. */
const refunded = (books: Books): string =>
  hasRefunds(books)
    ? `union all select r.currency, -r.amount_minor, ${placeOf} from payment_refund r join payment p on p.id = r.payment_id where r.state = 'succeeded'`
    : '';
/** The account that a payment from outside is on. */
const placeOf = `case p.method when 'withholding' then 'withheld_tax' else 'cash' end`;

const cashIsWhatCameIn: Check = {
  id: 'cash',
  invariants: ['I7'],
  title: 'Cash and withheld tax equal payments received less refunds and withdrawals',
  unit: 'external payments',
  isPerOrganization: false,
  run: byStatement(
    () => `select count(*) from payment p where ${wasReceived} and p.method not in (${inside})`,
    (
      books,
    ) => `with came as (select currency, sum(minor) as minor, kind from (select p.currency, p.minor, ${placeOf} from (${came(books)}) p where p.method not in (${inside}) ${refunded(books)} ${withdrawn(books)}) as moved (currency, minor, kind) group by 1, 3),
      held as (select e.currency, sum(e.amount_minor) as minor, a.kind from ledger_account a join ledger_entry e on e.account_id = a.id where a.kind in ('cash', 'withheld_tax') group by 1, 3),
      compared as (select coalesce(came.kind, held.kind) as kind, coalesce(came.currency, held.currency) as currency, coalesce(came.minor, 0) as expected, coalesce(held.minor, 0) as actual from came full join held on held.currency = came.currency and held.kind = came.kind)
      select 'cash_differs' as code, currency as subject, expected::text as expected, actual::text as actual from compared where kind = 'cash' and expected <> actual
      union all select 'withheld_tax_differs', currency, expected::text, actual::text from compared where kind = 'withheld_tax' and expected <> actual`,
    async (books) =>
      nonZero([
        {
          code: 'payments_pending',
          count: await numberOf(books, `select count(*) from payment where state = 'pending'`),
        },
      ]),
  ),
};

export const paymentChecks: readonly Check[] = [
  paymentsAreBooked,
  billsArePaidOnce,
  refundsAreBooked,
  disputesAreBooked,
  attemptsChargeOnce,
  cashIsWhatCameIn,
];
