// Checks of bills: they add up, their tax and rounding are right, and the ledger says the same (I5).
import { byStatement, owned, nonZero, numberOf, userOf, type Books, type Check } from './books.ts';

/** Fraction digits of the currency of a bill; named where a statement joins what has one, too. */
export const digits = (bill?: string): string =>
  `case ${bill === undefined ? '' : `${bill}.`}currency when 'TWD' then 0 when 'JPY' then 0 when 'KRW' then 0 when 'VND' then 0 when 'KWD' then 3 else 2 end`;
const bills = (): string => `select count(*) from bill where ${owned('organization_id')}`;
/** The amount that credit notes took back of a bill, if the database has any. */
export const credited = (books: Books, bill: string): string =>
  books.has('bill.credited_minor') ? `${bill}.credited_minor` : '0';

const billsAddUp: Check = {
  id: 'bill-sums',
  invariants: ['I5'],
  title: 'The lines of every bill add up to net, and net and tax add up to the total',
  unit: 'bills',
  isPerOrganization: true,
  run: byStatement(
    bills,
    () => `
      select 'lines_differ_from_net' as code, b.number as subject, b.net_minor::text as expected, coalesce(l.minor, 0)::text as actual
        from bill b left join (select bill_id, sum(amount_minor) as minor from bill_line group by 1) l on l.bill_id = b.id where ${owned('b.organization_id')} and b.net_minor <> coalesce(l.minor, 0)
      union all select 'total_differs', number, (net_minor + tax_minor)::text, total_minor::text from bill where ${owned('organization_id')} and total_minor <> net_minor + tax_minor
      union all select 'line_missing', b.number, max(l.position)::text, count(*)::text from bill b join bill_line l on l.bill_id = b.id where ${owned('b.organization_id')} group by b.number having max(l.position) <> count(*)
      union all select 'line_without_bill', l.bill_id || ' ' || l.position, l.bill_id, '' from bill_line l where $1::text is null and not exists (select from bill b where b.id = l.bill_id)`,
  ),
};

/** What the schedule of deferred revenue has of a bill: one row with `deferred`. A database older than it has none. */
export const deferredOf = (books: Books, bill: string, which: string): string =>
  books.has('revenue_schedule.minor')
    ? `select coalesce(sum(s.minor), 0)::bigint as deferred from revenue_schedule s where s.bill_id = ${bill} ${which}`
    : 'select 0::bigint as deferred';

/** A database older than terms has none. */
const hasTerms = (books: Books): boolean => books.has('bill_line.term');
/** What was missing of commitments, which a database older than those has not. */
export const trueUp = (books: Books, bill = 'b.'): string =>
  books.has('bill.true_up_minor') ? `${bill}true_up_minor` : '0::bigint';
const shareMinor = `round((share -> 'amount' ->> 'amount')::numeric * power(10::numeric, ${digits()}))::bigint`;
/** What each line of a discount, a commitment's rate or promotional credit took of which line; a rate above the price adds. */
const shares = `select b.id as bill_id, b.number, l.kind, l.position as by_line, (share ->> 'lineId')::int as position, ${shareMinor} as minor
  from bill_line l join bill b on b.id = l.bill_id cross join lateral jsonb_array_elements(l.term -> 'shares') as share where ${owned('b.organization_id')}`;

const termsAddUp: Check = {
  id: 'bill-terms',
  invariants: ['I5'],
  title:
    'Discounts, agreed rates and promotional credit equal the changes to their lines, and no line is reduced by more than its amount',
  unit: 'discount and credit lines',
  isPerOrganization: true,
  run: (books) =>
    hasTerms(books)
      ? byStatement(
          () => `select count(*) ${line(`l.term is not null`)}`,
          () => `
      select 'shares_differ_from_line' as code, b.number || ' ' || l.position as subject, coalesce(s.minor, 0)::text as expected, (-l.amount_minor)::text as actual
        from bill_line l join bill b on b.id = l.bill_id left join (select bill_id, by_line, sum(minor) as minor from (${shares}) as share group by 1, 2) s on s.bill_id = b.id and s.by_line = l.position
        where l.kind in ('discount', 'committed_rate', 'overage_rate', 'promotional_credit') and ${owned('b.organization_id')} and coalesce(s.minor, 0) <> -l.amount_minor
      union all select 'share_above_line', s.number || ' ' || s.position, coalesce(l.amount_minor::text, ''), s.minor::text
        from (select bill_id, number, position, sum(minor) as minor, bool_or(kind = 'overage_rate') as raised from (${shares}) as share group by 1, 2, 3) s left join bill_line l on l.bill_id = s.bill_id and l.position = s.position
        where l.position is null or (l.term -> 'shares') is not null or case when l.amount_minor >= 0 then s.minor > l.amount_minor or s.minor < 0 and not s.raised else s.minor < l.amount_minor or s.minor > 0 and not s.raised end
      union all select 'term_sums_differ', b.number, coalesce(t.discount, 0) || ' / ' || coalesce(t.promotional, 0) || ' / ' || coalesce(t.true_up, 0), b.discount_minor || ' / ' || b.promotional_minor || ' / ' || ${trueUp(books)}
        from bill b left join (select bill_id, -sum(amount_minor) filter (where kind = 'discount') as discount, -sum(amount_minor) filter (where kind = 'promotional_credit') as promotional, sum(amount_minor) filter (where kind = 'true_up') as true_up from bill_line where term is not null group by 1) t on t.bill_id = b.id
        where ${owned('b.organization_id')} and (b.discount_minor, b.promotional_minor, ${trueUp(books)}) is distinct from (coalesce(t.discount, 0), coalesce(t.promotional, 0), coalesce(t.true_up, 0))`,
        )(books)
      : Promise.resolve({ examined: '0', findings: [], found: 0, notes: [] }),
};

/** The taxes that a bill states by category and rate, in minor units; a database of before there were several has none. */
const taxMinor = (part: string): string =>
  `round((t.tax -> '${part}' ->> 'amount')::numeric * power(10::numeric, ${digits('b')}))::bigint`;
const stated = `select b.id, b.number, t.place, t.tax, ${taxMinor('net')} as net, ${taxMinor('tax')} as minor
  from bill b cross join lateral jsonb_array_elements(b.taxes) with ordinality as t (tax, place) where ${owned('b.organization_id')}`;
const statedTaxes = `
  union all select 'tax_of_rate_differs', number || ' ' || place, round(net * (tax ->> 'rate')::numeric * 0.01)::text, minor::text
    from (${stated}) s where minor <> round(net * (tax ->> 'rate')::numeric * 0.01)
  union all select 'taxes_differ_from_bill', b.number, b.net_minor || ' / ' || b.tax_minor, coalesce(s.net, 0) || ' / ' || coalesce(s.minor, 0)
    from bill b left join (select id, sum(net) as net, sum(minor) as minor from (${stated}) each group by 1) s on s.id = b.id
    where b.taxes is not null and ${owned('b.organization_id')} and (coalesce(s.net, 0), coalesce(s.minor, 0)) is distinct from (b.net_minor, b.tax_minor)
  union all select 'taxed_amount_differs', s.number || ' ' || s.place, l.minor::text, s.net::text
    from (${stated}) s cross join lateral (select coalesce(sum(l.amount_minor - coalesce(taken.minor, 0)), 0) as minor from bill_line l
        left join (select position, sum(minor) as minor from (${shares}) x where x.bill_id = s.id group by 1) taken on taken.position = l.position
      where l.bill_id = s.id and s.tax -> 'lines' ? l.position::text) l where l.minor <> s.net`;

const taxIsRight: Check = {
  id: 'bill-tax',
  invariants: ['I5'],
  title:
    'The tax of every bill is net times rate, rounded half away from zero, for each rate on its own lines',
  unit: 'bills',
  isPerOrganization: true,
  // numeric multiplies exactly and rounds half away from zero.
  run: byStatement(
    bills,
    (
      books,
    ) => `select 'tax_differs' as code, number as subject, round(net_minor * tax_rate * 0.01)::text as expected, tax_minor::text as actual
    from bill where ${owned('organization_id')} and ${books.has('bill.taxes') ? 'taxes is null and' : ''} tax_minor <> round(net_minor * tax_rate * 0.01)${books.has('bill.taxes') ? statedTaxes : ''}`,
  ),
};

const line = (where: string): string =>
  `from bill_line l join bill b on b.id = l.bill_id where ${owned('b.organization_id')} and ${where}`;

const linesAreRounded: Check = {
  id: 'line-rounding',
  invariants: ['I5'],
  title: 'Every line equals the sum of its steps, rounded once',
  unit: 'lines',
  isPerOrganization: true,
  run: byStatement(
    () => `select count(*) ${line('true')}`,
    (books) => `
      select 'line_rounded_wrong' as code, b.number || ' ' || l.position as subject, round(l.exact_amount * power(10::numeric, ${digits()}))::bigint::text as expected, l.amount_minor::text as actual
        ${line(`l.kind <> 'adjustment' and l.amount_minor <> round(l.exact_amount * power(10::numeric, ${digits()}))`)}
      union all select 'steps_differ_from_line', b.number || ' ' || l.position, trim_scale(s.exact)::text, trim_scale(l.exact_amount)::text
        from bill_line l join bill b on b.id = l.bill_id cross join lateral (select coalesce(sum((step ->> 'amount')::numeric), 0) as exact from jsonb_array_elements(l.arithmetic) as step) as s
        where ${owned('b.organization_id')} and s.exact <> l.exact_amount ${hasTerms(books) ? `and (l.term -> 'shares') is null` : ''}`,
    // An adjustment is a difference of rounded amounts, which no single line shows.
    async (books) =>
      nonZero([
        {
          code: 'adjustments_not_rounded_anew',
          count: await numberOf(books, `select count(*) ${line(`l.kind = 'adjustment'`)}`),
        },
      ]),
  ),
};

/** Compares, by document, the entries that the ledger must have with those that it has, both as texts. */
export function booked(
  kinds: string,
  expected: string,
  codes: { missing: string; extra: string; differs: string },
  which: { references?: string; mayRepeat?: true } = {},
): string {
  const actual = (from: string): string =>
    `select reference, string_agg(kind || coalesce(' ' || owner, '') || ' ' || minor || ' ' || currency, ', ' order by kind collate "C", owner collate "C", currency collate "C") as entries from ${from} group by reference`;
  return `with expected as (select * from (${expected}) as e where minor <> 0), actual as (
      select t.reference, a.kind, a.organization_id as owner, e.currency, sum(e.amount_minor) as minor
      from ledger_transaction t join ledger_entry e on e.transaction_id = t.id join ledger_account a on a.id = e.account_id where t.kind in (${kinds}) ${which.references ? `and t.reference in (${which.references})` : ''}
        and ($1::text is null or t.id in (select o.transaction_id from ledger_entry o join ledger_account oa on oa.id = o.account_id where oa.organization_id = $1)) group by 1, 2, 3, 4 having sum(e.amount_minor) <> 0
    ), want as (${actual('expected')}), have as (${actual('actual')}), times as (select reference, count(*) as number from ledger_transaction where kind in (${kinds}) group by 1)
    select case when have.reference is null then '${codes.missing}' when want.reference is null then '${codes.extra}' else '${codes.differs}' end as code,
        coalesce(want.reference, have.reference) as subject, want.entries as expected, have.entries as actual
      from want full join have on have.reference = want.reference where want.entries is distinct from have.entries
    ${which.mayRepeat ? '' : `union all select 'booked_twice', want.reference, '1', times.number::text from want join times on times.reference = want.reference where times.number > 1`}`;
}

const billsAreBooked: Check = {
  id: 'bills-booked',
  invariants: ['I5'],
  title: 'Every issued bill is in the ledger once, with the same amounts',
  unit: 'bills',
  isPerOrganization: true,
  // A negative bill is owed to the customer and goes to their prepaid balance.
  run: byStatement(bills, (books) =>
    booked(
      `'bill'`,
      `select id as reference, entry.kind, owner, currency, minor from bill cross join lateral (${deferredOf(books, `bill.id`, `and s.source = ''`)}) d
      cross join lateral (values (case when total_minor < 0 then 'balance' else 'receivable' end, organization_id, total_minor), ('tax', null, -tax_minor),
        ${hasTerms(books) ? `('revenue', null, deferred - net_minor - discount_minor - promotional_minor + ${trueUp(books, '')}), ('breakage', null, -${trueUp(books, '')}), ('deferred_revenue', ${userOf(books, 'bill')}, -deferred), ('discounts', null, discount_minor), ('promotional_credit', ${userOf(books, 'bill')}, promotional_minor)` : `('revenue', null, -net_minor)`}) as entry (kind, owner, minor)
      where ${owned('organization_id')}${hasTerms(books) ? ` or (deferred <> 0 or promotional_minor <> 0) and ${owned(userOf(books, 'bill'))}` : ''}`,
      { missing: 'bill_not_booked', extra: 'booking_without_bill', differs: 'bill_booked_differently' },
    ),
  ),
};

const receivablesAreOpenBills: Check = {
  id: 'receivables',
  invariants: ['I5'],
  title: 'Receivables in the ledger equal the amount due on open bills',
  unit: 'receivable accounts',
  isPerOrganization: true,
  run: byStatement(
    () => `select count(*) from ledger_account where kind = 'receivable' and ${owned('organization_id')}`,
    (
      books,
    ) => `select 'receivable_differs' as code, coalesce(b.organization_id, l.organization_id) || ' ' || coalesce(b.currency, l.currency) as subject, coalesce(b.minor, 0)::text as expected, coalesce(l.minor, 0)::text as actual
      from (select organization_id, currency, sum(total_minor - paid_minor - ${credited(books, 'bill')}) as minor from bill where state = 'open' and ${owned('organization_id')} group by 1, 2) b
      full join (select a.organization_id, e.currency, sum(e.amount_minor) as minor from ledger_account a join ledger_entry e on e.account_id = a.id where a.kind = 'receivable' and ${owned('a.organization_id')} group by 1, 2) l
        on l.organization_id = b.organization_id and l.currency = b.currency
      where coalesce(b.minor, 0) <> coalesce(l.minor, 0)`,
  ),
};

export const billChecks: readonly Check[] = [
  billsAddUp,
  taxIsRight,
  linesAreRounded,
  termsAddUp,
  billsAreBooked,
  receivablesAreOpenBills,
];
