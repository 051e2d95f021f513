// Checks of fees that were billed in advance: what of them is for later months is no more than they came to, becomes revenue once when its
// month is over, and is in the ledger (I5).
import { booked, digits } from './bills.ts';
import { byStatement, owned, userOf, type Books, type Check } from './books.ts';

const nothing = { examined: '0', findings: [], found: 0, notes: [] };
const onceThereIs =
  (run: Check['run'], column = 'revenue_schedule.minor'): Check['run'] =>
  (books: Books) =>
    books.has(column) ? run(books) : Promise.resolve(nothing);

/** What bills say, with what was moved because a subscription ended or a bill was replaced; the rest took credit notes and voids back. */
const fromBills = `source in ('', 'ended', 'replaced')`;
/** What was charged for the line `l` of the bill `b` in the end, and of it what credit notes and a void took back. */
const charged = `l.amount_minor - (select coalesce(sum(round((share -> 'amount' ->> 'amount')::numeric * power(10::numeric, ${digits('b')}))), 0)
    from bill_line t cross join lateral jsonb_array_elements(t.term -> 'shares') as share where t.bill_id = l.bill_id and (share ->> 'lineId')::int = l.position)`;

const scheduleFits: Check = {
  id: 'revenue-schedule',
  invariants: ['I5'],
  title: 'The amounts deferred to later months do not exceed their fee, and none is reversed twice',
  unit: 'deferred amounts',
  isPerOrganization: true,
  run: onceThereIs(
    byStatement(
      () => `select count(*) from revenue_schedule where ${owned('organization_id')}`,
      (books) => `
      select 'schedule_above_line' as code, b.number || ' ' || s.position as subject, (${charged})::text as expected, s.minor::text as actual
        from (select bill_id, position, sum(minor) as minor from revenue_schedule where source = '' group by 1, 2) s join bill b on b.id = s.bill_id join bill_line l on l.bill_id = s.bill_id and l.position = s.position
        where ${owned(userOf(books, 'b'))} and l.kind <> 'credit' and (abs(s.minor) > abs(${charged}) or sign(s.minor) <> sign(${charged}))
      union all select 'schedule_taken_twice', b.number || ' ' || s.position || ' ' || s.month, s.billed::text, s.taken::text
        from (select bill_id, position, month, coalesce(sum(minor) filter (where ${fromBills}), 0) as billed, coalesce(-sum(minor) filter (where not ${fromBills}), 0) as taken from revenue_schedule group by 1, 2, 3) s join bill b on b.id = s.bill_id
        where ${owned(userOf(books, 'b'))} and (abs(s.taken) > abs(s.billed) or (s.taken <> 0 and sign(s.taken) <> sign(s.billed)))
      union all select 'schedule_month_wrong', b.number || ' ' || s.position || ' ' || s.month, b.month, s.month
        from revenue_schedule s join bill b on b.id = s.bill_id where ${owned(userOf(books, 'b'))} and (s.month < b.month or (s.month = b.month and s.source not in ('ended', 'replaced')) or s.organization_id <> ${userOf(books, 'b')} or s.currency <> b.currency)
      union all select 'schedule_of_void_left', o.number || ' ' || o.month, '0', least(o.minor + coalesce(g.minor, 0), t.minor)::text
        from (select b.id, b.number, b.month as bill_month, s.organization_id, s.currency, s.month, l.subscription_id, l.charge ->> 'key' as charge, sum(s.minor) as minor from revenue_schedule s join bill b on b.id = s.bill_id join bill_line l on l.bill_id = s.bill_id and l.position = s.position
            where ${owned(userOf(books, 'b'))} and b.state = 'void' and s.recognition_id is null and s.month > b.month group by 1, 2, 3, 4, 5, 6, 7, 8) o
          cross join lateral (select sum(x.minor) as minor from revenue_schedule x join bill_line y on y.bill_id = x.bill_id and y.position = x.position
            where x.organization_id = o.organization_id and x.currency = o.currency and x.month = o.month and x.recognition_id is null and y.subscription_id is not distinct from o.subscription_id and y.charge ->> 'key' is not distinct from o.charge) t
          -- What later bills gave back of it stays on it.
          cross join lateral (select sum(x.minor) as minor from revenue_schedule x join bill_line y on y.bill_id = x.bill_id and y.position = x.position join bill z on z.id = x.bill_id
            where x.organization_id = o.organization_id and x.currency = o.currency and x.month = o.month and x.recognition_id is null and y.subscription_id is not distinct from o.subscription_id and y.charge ->> 'key' is not distinct from o.charge
              and x.minor < 0 and x.source = '' and z.state <> 'void' and z.month >= o.bill_month) g
        where o.minor + coalesce(g.minor, 0) > 0 and t.minor > 0
      union all select 'schedule_below_zero', s.organization_id || ' ' || coalesce(l.subscription_id, '') || ' ' || s.month, '0', sum(s.minor)::text
        from revenue_schedule s join bill_line l on l.bill_id = s.bill_id and l.position = s.position where ${owned('s.organization_id')} and s.recognition_id is null
        group by s.organization_id, l.subscription_id, l.charge ->> 'key', s.currency, s.month having sum(s.minor) < 0
      union all select 'schedule_moved_wrong', b.number || ' ' || s.position, '0', sum(s.minor)::text
        from revenue_schedule s join bill b on b.id = s.bill_id where s.source in ('ended', 'replaced') and ${owned('s.organization_id')} group by b.number, s.position, s.source having sum(s.minor) <> 0`,
    ),
  ),
};

const nothingAfterEnds: Check = {
  id: 'revenue-after-end',
  invariants: ['I5'],
  title: 'Nothing is deferred past the end of a subscription once its last month is closed',
  unit: 'ended subscriptions',
  isPerOrganization: true,
  run: onceThereIs(
    byStatement(
      () => `select count(*) from subscription where ends_at is not null and ${owned('organization_id')}`,
      // A bill that was voided gave months back to what is deferred; the one in its place takes them.
      () => `
      select 'schedule_after_end' as code, u.id || ' ' || s.month as subject, '0' as expected, sum(s.minor)::text as actual
        from subscription u join organization o on o.id = u.organization_id
          join month_closed c on c.organization_id = u.organization_id and c.month = to_char(u.ends_at at time zone o.time_zone, 'YYYY-MM') and c.is_released
          join bill_line l on l.subscription_id = u.id join revenue_schedule s on s.bill_id = l.bill_id and s.position = l.position
        where ${owned('u.organization_id')} and s.recognition_id is null and s.month > c.month
          and not exists (select from bill_line y join revenue_schedule x on x.bill_id = y.bill_id and x.position = y.position where y.subscription_id = u.id and x.source = 'void')
        group by u.id, l.charge ->> 'key', s.currency, s.month having sum(s.minor) <> 0`,
    ),
    'month_closed.is_released',
  ),
};

const recognitionsAreBooked: Check = {
  id: 'revenue-recognitions',
  invariants: ['I5'],
  title:
    'Recognized revenue equals the amounts deferred to its month, is recognized after the month ended, and is in the ledger once',
  unit: 'revenue recognitions',
  isPerOrganization: true,
  run: onceThereIs(async (books) => {
    const count = (): string => `select count(*) from revenue_recognition where ${owned('organization_id')}`;
    const [sums, bookings] = [
      await byStatement(
        count,
        () => `
        select 'recognition_differs' as code, r.id as subject, coalesce(s.minor, 0)::text as expected, r.minor::text as actual
          from revenue_recognition r left join (select recognition_id, organization_id, currency, month, sum(minor) as minor from revenue_schedule where recognition_id is not null group by 1, 2, 3, 4) s
            on s.recognition_id = r.id and s.organization_id = r.organization_id and s.currency = r.currency and s.month = r.month
          where ${owned('r.organization_id')} and r.minor <> coalesce(s.minor, 0)
        union all select 'recognition_too_early', r.id, r.month, to_char(r.at at time zone o.time_zone, 'YYYY-MM')
          from revenue_recognition r join organization o on o.id = r.organization_id where ${owned('r.organization_id')} and to_char(r.at at time zone o.time_zone, 'YYYY-MM') <= r.month`,
      )(books),
      await byStatement(count, () =>
        booked(
          `'recognition'`,
          `select r.id as reference, entry.kind, entry.owner, r.currency, entry.minor from revenue_recognition r
          cross join lateral (values ('deferred_revenue', r.organization_id, r.minor), ('revenue', null, -r.minor)) as entry (kind, owner, minor) where ${owned('r.organization_id')}`,
          {
            missing: 'recognition_not_booked',
            extra: 'booking_without_recognition',
            differs: 'recognition_booked_differently',
          },
        ),
      )(books),
    ];
    return {
      ...sums,
      findings: [...sums.findings, ...bookings.findings],
      found: sums.found + bookings.found,
    };
  }),
};

export const deferralChecks: readonly Check[] = [scheduleFits, nothingAfterEnds, recognitionsAreBooked];
