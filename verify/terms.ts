// Checks of what was agreed with organizations: discounts, one-off charges and credit are used up by just what the
// bills say, and the ledger says the same (I5).
import { booked, digits } from './bills.ts';
import { byStatement, owned, userOf, type Books, type Check } from './books.ts';

const nothing = { examined: '0', findings: [], found: 0, notes: [] };
/** A database older than a kind of terms has none of them. */
const onceThereIs =
  (column: string, run: Check['run']): Check['run'] =>
  (books) =>
    books.has(column) ? run(books) : Promise.resolve(nothing);

const discountsAreApplied: Check = {
  id: 'discounts-applied',
  invariants: ['I5'],
  title: 'Discount uses match the discount lines of bills, one to one, with the same amounts',
  unit: 'discount uses',
  isPerOrganization: true,
  run: onceThereIs(
    'discount_application.minor',
    byStatement(
      () =>
        `select count(*) from discount_application a join discount_redemption r on r.id = a.redemption_id where ${owned('r.organization_id')}`,
      (books) => `
      select 'discount_use_differs' as code, coalesce(l.number || ' ' || l.term, a.bill_number || ' ' || a.redemption_id) as subject, coalesce(l.said, '') as expected, coalesce(a.said, '') as actual
        from (select b.id, b.number, l.term ->> 'id' as term, -l.amount_minor || ' ' || b.currency || ' ' || b.month || case when b.state = 'void' then ' void' else '' end as said
            from bill_line l join bill b on b.id = l.bill_id where l.kind = 'discount' and ${owned(userOf(books, 'b'))}) l
          full join (select a.bill_id, a.bill_number, a.redemption_id, a.minor || ' ' || a.currency || ' ' || a.month || case when a.voided_at is null then '' else ' void' end as said
            from discount_application a join discount_redemption r on r.id = a.redemption_id where ${owned('r.organization_id')}) a
          on a.bill_id = l.id and a.redemption_id = l.term where l.said is distinct from a.said`,
    ),
  ),
};

const oneOffsAreBilled: Check = {
  id: 'one-offs-billed',
  invariants: ['I5'],
  title: 'Every billed one-off charge is on its bill once, with the same amount',
  unit: 'billed one-off charges',
  isPerOrganization: true,
  run: onceThereIs(
    'one_off_charge.amount_minor',
    byStatement(
      () => `select count(*) from one_off_charge where state = 'billed' and ${owned('organization_id')}`,
      (books) => `
      select 'one_off_differs' as code, coalesce(c.id, l.term) as subject, coalesce(c.said, '') as expected, coalesce(l.said, '') as actual
        from (select id, bill_id || ' ' || amount_minor || ' ' || currency || ' ' || organization_id as said from one_off_charge where state = 'billed' and ${owned('organization_id')}) c
          full join (select l.term ->> 'id' as term, string_agg(b.id || ' ' || l.amount_minor || ' ' || b.currency || ' ' || ${userOf(books, 'b')}, ', ') as said
            from bill_line l join bill b on b.id = l.bill_id where l.kind = 'one_off' and b.state <> 'void' and ${owned(userOf(books, 'b'))} group by 1) l
          on l.term = c.id where c.said is distinct from l.said`,
    ),
  ),
};

const grants = (): string => `select count(*) from credit_grant where ${owned('organization_id')}`;
/** What each bill used of each grant and was not given back. */
const used = `select m.bill_id, m.grant_id, g.kind, g.currency, g.organization_id, -sum(m.minor) as minor from credit_movement m join credit_grant g on g.id = m.grant_id where m.bill_id is not null group by 1, 2, 3, 4, 5`;

const creditAddsUp: Check = {
  id: 'credit-grants',
  invariants: ['I5'],
  title:
    'The remainder of every credit grant equals the sum of its movements, is never negative, and its uses match the bills',
  unit: 'credit grants',
  isPerOrganization: true,
  run: onceThereIs(
    'credit_movement.minor',
    byStatement(
      grants,
      (books) => `
      select 'credit_left_differs' as code, g.id as subject, coalesce(m.minor, 0)::text as expected, g.remaining_minor::text as actual
        from credit_grant g left join (select grant_id, sum(minor) as minor from credit_movement group by 1) m on m.grant_id = g.id
        where ${owned('g.organization_id')} and (g.remaining_minor <> coalesce(m.minor, 0) or coalesce(m.minor, 0) < 0)
      union all select 'credit_month_overdrawn', g.id || ' ' || m.month, '0', sum(m.minor)::text
        from credit_grant g join credit_movement m on m.grant_id = g.id where g.recurs and not g.rolls_over and ${owned('g.organization_id')} group by g.id, m.month having sum(m.minor) < 0
      union all select 'credit_use_differs', coalesce(l.number || ' ' || l.term, u.bill_id || ' ' || u.grant_id), coalesce(l.minor, 0)::text, coalesce(u.minor, 0)::text
        from (select b.id, b.number, l.term ->> 'id' as term, -l.amount_minor as minor from bill_line l join bill b on b.id = l.bill_id where l.kind = 'promotional_credit' and b.state <> 'void' and ${owned(userOf(books, 'b'))}) l
          full join (select * from (${used}) as every where kind = 'promotional' and minor <> 0 and ${owned('organization_id')}) u on u.bill_id = l.id and u.grant_id = l.term
        where coalesce(l.minor, 0) <> coalesce(u.minor, 0)
      union all select 'credit_payment_differs', coalesce(p.number, u.bill_id), coalesce(p.minor, 0)::text, coalesce(u.minor, 0)::text
        from (select b.id, b.number, sum(p.amount_minor) as minor from payment p join bill b on b.id = p.bill_id where p.method = 'prepaid_credit' and b.state <> 'void' and ${owned(userOf(books, 'b'))} group by 1, 2) p
          full join (select u.bill_id, sum(u.minor) as minor from (${used}) as u join bill b on b.id = u.bill_id where u.kind = 'paid' and b.state <> 'void' and ${owned('u.organization_id')} group by 1) u on u.bill_id = p.id
        where coalesce(p.minor, 0) <> coalesce(u.minor, 0)
      union all select 'credit_of_another', u.bill_id || ' ' || u.grant_id, ${userOf(books, 'b')} || ' ' || b.currency, u.organization_id || ' ' || u.currency
        from (${used}) as u join bill b on b.id = u.bill_id where ${owned('u.organization_id')} and (u.organization_id <> ${userOf(books, 'b')} or u.currency <> b.currency)`,
    ),
  ),
};

const usageLines = `'usage', 'minimum', 'maximum', 'adjustment'`;
/** Whether the grant `g` covers the line `p` of a bill. */
const covered = (books: Books): string =>
  `(not g.usage_only or p.kind in (${usageLines})) and (g.services is null or coalesce(p.service_id = any(g.services), false))${
    books.has('credit_grant.charges')
      ? ` and (not exists (select from jsonb_array_elements(g.charges) as c where c ->> 'serviceId' = p.service_id)
          or exists (select from jsonb_array_elements(g.charges) as c where c ->> 'serviceId' = p.service_id and c ->> 'chargeKey' = p.charge ->> 'key'))`
      : ''
  }`;
/** What terms took off the line `p` of the bill `b`. */
const termShares = `(select coalesce(sum(round((share -> 'amount' ->> 'amount')::numeric * power(10::numeric, ${digits('b')}))), 0)
  from bill_line t cross join lateral jsonb_array_elements(t.term -> 'shares') as share where t.bill_id = p.bill_id and (share ->> 'lineId')::int = p.position)`;

const creditStaysInScope: Check = {
  id: 'credit-scope',
  invariants: ['I5'],
  title: 'Credit is used only for lines that it covers, and prepaid credit for at most their amount with tax',
  unit: 'credit uses',
  isPerOrganization: true,
  run: onceThereIs(
    'credit_movement.minor',
    byStatement(
      () =>
        `select count(*) from credit_movement m join credit_grant g on g.id = m.grant_id where m.kind = 'used' and ${owned('g.organization_id')}`,
      (books) => `
      select 'credit_outside_scope' as code, b.number || ' ' || l.position || ' ' || p.position as subject, g.id as expected, coalesce(p.service_id, '') || coalesce(' ' || (p.charge ->> 'key'), '') as actual
        from bill_line l join bill b on b.id = l.bill_id join credit_grant g on g.id = l.term ->> 'id'
          cross join lateral jsonb_array_elements(l.term -> 'shares') as share
          join bill_line p on p.bill_id = l.bill_id and p.position = (share ->> 'lineId')::int
        where l.kind = 'promotional_credit' and ${owned(userOf(books, 'b'))} and not (${covered(books)})
      union all select 'prepaid_above_scope', b.number || ' ' || g.id, coalesce(c.most, 0)::text, u.minor::text
        from (${used}) as u join bill b on b.id = u.bill_id join credit_grant g on g.id = u.grant_id
          left join lateral (select sum(ceil(greatest(p.amount_minor - ${termShares}, 0) * (1 + b.tax_rate * 0.01))) as most
            from bill_line p
            where p.bill_id = b.id and p.kind not in ('discount', 'promotional_credit') and ${covered(books)}) c on true
        where u.kind = 'paid' and b.state <> 'void' and ${owned('u.organization_id')} and u.minor > coalesce(c.most, 0)`,
    ),
  ),
};

const creditIsBooked: Check = {
  id: 'credit-grants-booked',
  invariants: ['I5'],
  title: 'Granted, expired and withdrawn credit is in the ledger once, with the same amounts',
  unit: 'credit grants',
  isPerOrganization: true,
  // What bills used is booked with the bills.
  run: onceThereIs(
    'credit_movement.minor',
    byStatement(grants, () =>
      booked(
        `'credit_grant'`,
        `select m.id as reference, entry.kind, entry.owner, g.currency, entry.minor from credit_movement m join credit_grant g on g.id = m.grant_id
        cross join lateral (values (case g.kind when 'paid' then 'deferred_revenue' else 'promotional_credit' end, g.organization_id, -m.minor),
          (case when g.kind = 'promotional' then 'promotions' when m.kind in ('expired', 'reopened') then 'breakage' else 'balance' end, case when g.kind = 'paid' and m.kind not in ('expired', 'reopened') then g.organization_id end, m.minor)) as entry (kind, owner, minor)
        where m.kind in ('granted', 'expired', 'reopened', 'withdrawn') and ${owned('g.organization_id')}`,
        {
          missing: 'credit_grant_not_booked',
          extra: 'booking_without_credit_grant',
          differs: 'credit_grant_booked_differently',
        },
      ),
    ),
  ),
};

const creditAccounts: Check = {
  id: 'credit-accounts',
  invariants: ['I5'],
  title: 'Credit accounts in the ledger equal the remaining grants plus the fees deferred to later months',
  unit: 'credit accounts',
  isPerOrganization: true,
  run: onceThereIs(
    'credit_movement.minor',
    byStatement(
      () =>
        `select count(*) from ledger_account where kind in ('deferred_revenue', 'promotional_credit') and ${owned('organization_id')}`,
      (books) => `
      select 'credit_account_differs' as code, coalesce(g.account, l.account) as subject, coalesce(g.minor, 0)::text as expected, coalesce(l.minor, 0)::text as actual
        from (select organization_id || ' ' || kind || ' ' || currency as account, sum(minor) as minor from (
            select organization_id, kind, currency, remaining_minor as minor from credit_grant
            ${books.has('revenue_schedule.minor') ? `union all select organization_id, 'paid', currency, minor from revenue_schedule where recognition_id is null` : ''}) as owed
            where ${owned('organization_id')} group by 1) g
          full join (select a.organization_id || ' ' || case a.kind when 'deferred_revenue' then 'paid' else 'promotional' end || ' ' || a.currency as account, -sum(e.amount_minor) as minor
            from ledger_account a join ledger_entry e on e.account_id = a.id where a.kind in ('deferred_revenue', 'promotional_credit') and ${owned('a.organization_id')} group by 1) l on l.account = g.account
        where coalesce(g.minor, 0) <> coalesce(l.minor, 0)`,
    ),
  ),
};

const interimsAreTakenOff: Check = {
  id: 'interims-taken-off',
  invariants: ['I5'],
  title: 'Every monthly bill deducts each of its interim bills once',
  unit: 'interim bills',
  isPerOrganization: true,
  run: onceThereIs(
    'interim_threshold.currency',
    byStatement(
      (books) => `select count(*) from bill where kind = 'interim' and ${owned(userOf(books, 'bill'))}`,
      (books) => `
      select 'interim_differs' as code, coalesce(m.number, '') || ' ' || coalesce(i.number, m.term, '') as subject, coalesce(i.minor, 0)::text as expected, coalesce(m.minor, 0)::text as actual
        from (select i.id, i.number, i.net_minor as minor, b.id as month_bill from bill i join bill b on ${userOf(books, 'b')} = ${userOf(books, 'i')} and b.month = i.month and b.currency = i.currency and b.kind = 'month' and b.state <> 'void'${books.has('bill.by_subscription') ? ' and not b.by_subscription' : ''}
            where i.kind = 'interim' and i.state <> 'void' and ${owned(userOf(books, 'i'))}) i
          full join (select b.id as month_bill, b.number, l.term ->> 'id' as term, -sum(l.amount_minor) as minor from bill_line l join bill b on b.id = l.bill_id
            where l.kind = 'interim_deduction' and b.state <> 'void' and ${owned(userOf(books, 'b'))} group by 1, 2, 3) m on m.month_bill = i.month_bill and m.term = i.id
        where coalesce(i.minor, 0) <> coalesce(m.minor, 0)
      union all select 'interim_line_elsewhere', b.number || ' ' || l.position, case when l.kind = 'interim' then 'interim' else 'month' end, b.kind from bill_line l join bill b on b.id = l.bill_id
        where l.kind in ('interim', 'interim_deduction') and (l.kind = 'interim') <> (b.kind = 'interim') and ${owned(userOf(books, 'b'))}`,
    ),
  ),
};

export const termChecks: readonly Check[] = [
  discountsAreApplied,
  oneOffsAreBilled,
  creditAddsUp,
  creditStaysInScope,
  creditIsBooked,
  creditAccounts,
  interimsAreTakenOff,
];
