// Checks of document numbers and uniqueness: no gap, no repeat, one bill per month, every month closed (I3,
// I4).
import { byStatement, numberOf, owned, nonZero, userOf, type Books, type Check } from './books.ts';
import { zoneChanges } from './rollups.ts';

/** A quote is numbered when its first version is sent; its number has fewer digits. */
const quotes = `select q.id, q.series, q.sequence, q.number, (select min(v.sent_at) from quote_version v where v.quote_id = q.id) as issued_at, 4 as digits from quote q where q.number is not null`;

/** Every document with a number of a series, from whichever table: bills, credit notes, quotes and future kinds. */
function numbered(books: Books): string {
  const tables = books.tablesWith('id', 'series', 'sequence', 'number', 'issued_at');
  return [
    ...tables.map((table) => `select id, series, sequence, number, issued_at, 6 as digits from "${table}"`),
    ...(books.has('quote.number') ? [quotes] : []),
  ].join(' union all ');
}

/** The last number of every series, whatever table keeps it. */
const lastNumbers = (books: Books): string =>
  books
    .tablesWith('series', 'last_number')
    .map((table) => `select series, last_number from "${table}"`)
    .join(' union all ');

const numbersHaveNoGap: Check = {
  id: 'numbers',
  invariants: ['I4'],
  title: 'Bill, credit note and quote numbers run from 1 to N in each series, in the order of issue',
  unit: 'numbers',
  isPerOrganization: false,
  run: byStatement(
    (books) => `select count(*) from (${numbered(books)}) as document`,
    (books) => `
      with document as (${numbered(books)}),
        placed as (select *, lag(sequence, 1, 0) over in_series as before, lag(issued_at) over in_series as issued_before from document window in_series as (partition by series order by sequence, id)),
        last as (select series, max(sequence) as sequence from document group by 1)
      select case when sequence = before then 'number_repeated' else 'number_missing' end as code, number as subject, (before + 1)::text as expected, sequence::text as actual from placed where sequence <> before + 1
      union all select 'number_out_of_order', number, issued_before::text, issued_at::text from placed where issued_at < issued_before
      union all select 'number_text', id, series || '-' || lpad(sequence::text, greatest(digits, length(sequence::text)), '0'), number from document where number <> series || '-' || lpad(sequence::text, greatest(digits, length(sequence::text)), '0')
      union all select 'series_end', coalesce(l.series, s.series), coalesce(l.sequence, 0)::text, coalesce(s.last_number::text, 'none') from last l full join (${lastNumbers(books)}) s on s.series = l.series where coalesce(l.sequence, 0) is distinct from s.last_number`,
  ),
};

/** A one-off charge may have a bill of its own beside the month's; a database older than that has none. */
const ofMonths = (books: Books, bill: string): string =>
  books.has('bill.kind') ? `${bill}.kind = 'month'` : 'true';

/** Whether the bill of an alias is of single subscriptions that somebody else pays for; in a database older than that none is. */
const bySubscription = (books: Books, bill: string): string =>
  books.has('bill.by_subscription') ? `${bill}.by_subscription` : 'false';

const oneBillAMonth: Check = {
  id: 'one-bill-a-month',
  invariants: ['I3'],
  title:
    'An organization has at most one bill for each closed month, currency and payer, not counting void bills',
  unit: 'bills that are not void',
  isPerOrganization: true,
  run: byStatement(
    (books) => `select count(*) from bill where state <> 'void' and ${owned(userOf(books, 'bill'))}`,
    (books) => `
      select 'bill_twice' as code, ${userOf(books, 'bill')} || ' ' || month || ' ' || currency as subject, '1' as expected, string_agg(number, ', ' order by number) as actual
        from bill where state <> 'void' and ${ofMonths(books, 'bill')} and ${owned(userOf(books, 'bill'))} group by ${userOf(books, 'bill')}, case when ${bySubscription(books, 'bill')} then organization_id end, month, currency having count(*) > 1
      union all select 'bill_of_open_month', b.number, b.month, 'not closed' from bill b
        where b.state <> 'void' and ${ofMonths(books, 'b')} and ${owned(userOf(books, 'b'))} and not exists (select from month_closed c where c.organization_id = ${userOf(books, 'b')} and c.month = b.month)`,
  ),
};

/**
 * The moment up to which each month was closed: the latest of the finished closes, minus the grace of
 * scheduled ones. A preview closes nothing; a database older than previews has none.
 */
const closesOf = (
  books: Books,
): string => `select month, max(started_at - case when started_by = 'close-month' then coalesce((select (value #>> '{}')::numeric from setting where key = 'billing.graceHours'), 72) * interval '1 hour' else interval '0' end) as until, max(started_at) as started
  from close_run where state = 'done'${books.has('close_run.kind') ? ` and kind <> 'preview'` : ''} group by month`;
/**
 * Every month of an organization that such a close had to settle, because of usage or a subscription in it. An
 * organization that was moved to another time zone since is settled by the next close: its month may not have
 * been over in the time zone that it had.
 */
const due = `select o.id as organization_id, r.month from closes r join organization o on o.created_at < r.until and ${owned('o.id')}
    cross join lateral (select (r.month || '-01')::timestamp at time zone o.time_zone as starts, ((r.month || '-01')::timestamp + interval '1 month') at time zone o.time_zone as ends) as period
  where period.ends <= r.until and not exists (select from (${zoneChanges}) z where z.id = o.id and z.at >= r.started) and (exists (select from subscription s join usage_month u on u.subscription_id = s.id and u.month = r.month and u.event_count > 0 where s.organization_id = o.id)
    or exists (select from subscription s where s.organization_id = o.id and s.created_at < r.until and s.started_at < period.ends and (s.ends_at is null or s.ends_at > period.starts)))`;

const monthsAreClosed: Check = {
  id: 'months-closed',
  invariants: ['I3'],
  title: 'A closed month is closed for every organization with usage or subscriptions in it',
  unit: 'organization months',
  isPerOrganization: true,
  run: byStatement(
    (books) => `with closes as (${closesOf(books)}) select count(*) from (${due}) as due`,
    (books) => `with closes as (${closesOf(books)}), due as (${due})
      select 'month_not_closed' as code, d.organization_id || ' ' || d.month as subject, 'closed' as expected, 'not closed' as actual from due d
        where not exists (select from month_closed c where c.organization_id = d.organization_id and c.month = d.month)
          and not exists (select from bill_parked p where p.organization_id = d.organization_id and p.month = d.month)`,
    async (books) =>
      nonZero([
        {
          code: 'parked',
          count: await numberOf(books, `select count(*) from bill_parked where ${owned('organization_id')}`),
        },
      ]),
  ),
};

/** Who pays for whom, from a month until before another. */
const payerSpans = `select * from (select organization_id, payer_id, from_month, coalesce(lead(from_month) over (partition by organization_id order by from_month), '9999-12') as next_month from organization_payer) every where payer_id is not null`;

/** The same with those who pay for single subscriptions alone. */
const everySpan = (books: Books): string =>
  books.has('subscription_payer.payer_id')
    ? `${payerSpans} union all select organization_id, payer_id, from_month, next_month from (select organization_id, payer_id, from_month, coalesce(lead(from_month) over (partition by subscription_id order by from_month), '9999-12') as next_month from subscription_payer) single where payer_id is not null`
    : payerSpans;

/** Lines of subscriptions on the bill of somebody else than who paid for them in the bill's month: charges alone, as terms and one-off charges are of the organization. */
const linesOfOthers = (books: Books): string =>
  books.has('subscription_payer.payer_id')
    ? `union all select 'subscription_billed_to_another', b.number || ' ' || l.position, coalesce(t.payer_id, o.payer_id, ${userOf(books, 'b')}), b.organization_id
        from bill b join bill_line l on l.bill_id = b.id and l.subscription_id is not null and l.term is null
          left join lateral (select s.payer_id from subscription_payer s where s.subscription_id = l.subscription_id and s.from_month <= b.month order by s.from_month desc limit 1) t on true
          left join lateral (select s.payer_id from organization_payer s where s.organization_id = ${userOf(books, 'b')} and s.from_month <= b.month order by s.from_month desc limit 1) o on true
        where b.kind = 'month' and b.state <> 'void' and ${owned(userOf(books, 'b'))} and coalesce(t.payer_id, o.payer_id, ${userOf(books, 'b')}) <> b.organization_id
      union all select 'terms_of_another', b.number || ' ' || l.position, 'none', l.kind from bill b join bill_line l on l.bill_id = b.id and l.term is not null where b.by_subscription and ${owned(userOf(books, 'b'))}`
    : '';

const billsGoToPayers: Check = {
  id: 'payers',
  invariants: ['I3'],
  title: 'Every bill went to the payer of its month, and no payer has a payer itself',
  unit: 'months with another payer',
  isPerOrganization: true,
  run: (books) =>
    books.has('bill.used_by_id')
      ? byStatement(
          () => `select count(*) from bill where used_by_id is not null and ${owned('used_by_id')}`,
          () => `
      select 'billed_to_another' as code, b.number as subject, coalesce(p.payer_id, ${userOf(books, 'b')}) as expected, b.organization_id as actual
        from bill b left join lateral (select t.payer_id from organization_payer t where t.organization_id = ${userOf(books, 'b')} and t.from_month <= b.month order by t.from_month desc limit 1) p on true
        where b.kind <> 'one_off' and b.state <> 'void' and not ${bySubscription(books, 'b')} and ${owned(userOf(books, 'b'))} and coalesce(p.payer_id, ${userOf(books, 'b')}) <> b.organization_id
      union all select 'payer_is_paid_for', s.organization_id || ' ' || s.from_month, '', s.payer_id
        from (${everySpan(books)}) s join (${everySpan(books)}) o on o.organization_id = s.payer_id and o.from_month < s.next_month and s.from_month < o.next_month where ${owned('s.organization_id')}
      ${linesOfOthers(books)}`,
        )(books)
      : Promise.resolve({ examined: '0', findings: [], found: 0, notes: [] }),
};

export const numberChecks: readonly Check[] = [
  numbersHaveNoGap,
  oneBillAMonth,
  monthsAreClosed,
  billsGoToPayers,
];
