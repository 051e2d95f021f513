// Checks of commitments: what bills drew of them, and what they charged at the end of periods (I5).
import { byStatement, owned, userOf, type Books, type Check } from './books.ts';

const nothing = { examined: '0', findings: [], found: 0, notes: [] };
const hasCommitments = (books: Books): boolean => books.has('commitment_use.drawn_minor');
const uses = (): string =>
  `select count(*) from commitment_use u join commitment c on c.id = u.commitment_id where ${owned('c.organization_id')}`;

const drawsAddUp: Check = {
  id: 'commitment-draws',
  invariants: ['I5'],
  title:
    'The amount used of every commitment period equals the sum of its bills that are not void, and is between zero and the committed amount',
  unit: 'draws',
  isPerOrganization: true,
  run: (books) =>
    hasCommitments(books)
      ? byStatement(
          uses,
          (books) => `
      select 'commitment_sum_differs' as code, c.id || ' ' || coalesce(p.period, u.period) as subject, coalesce(u.said, '0 / 0') as expected, coalesce(p.said, '0 / 0') as actual
        from (select commitment_id, period, sum(drawn_minor) || ' / ' || sum(true_up_minor) as said from commitment_use where released_at is null group by 1, 2) u
          full join (select commitment_id, period, drawn_minor || ' / ' || true_up_minor as said from commitment_period) p on p.commitment_id = u.commitment_id and p.period = u.period
          join commitment c on c.id = coalesce(p.commitment_id, u.commitment_id)
        where ${owned('c.organization_id')} and coalesce(u.said, '0 / 0') <> coalesce(p.said, '0 / 0')
      union all select 'commitment_overdrawn', c.id || ' ' || u.period, c.amounts_minor[u.period + 1]::text, sum(u.drawn_minor)::text
        from commitment_use u join commitment c on c.id = u.commitment_id where u.released_at is null and ${owned('c.organization_id')}
        group by c.id, u.period having sum(u.drawn_minor) > c.amounts_minor[u.period + 1]
      union all select 'commitment_use_of_void', u.bill_number || ' ' || u.commitment_id, b.state, case when u.released_at is null then 'used' else 'released' end
        from commitment_use u join bill b on b.id = u.bill_id where ${owned(userOf(books, 'b'))} and (b.state = 'void') <> (u.released_at is not null)
      union all select 'commitment_of_another', u.bill_number || ' ' || u.commitment_id, ${userOf(books, 'b')} || ' ' || b.currency || ' ' || b.month, c.organization_id || ' ' || c.currency || ' ' || u.month
        from commitment_use u join commitment c on c.id = u.commitment_id join bill b on b.id = u.bill_id
        where ${owned('c.organization_id')} and (${userOf(books, 'b')}, b.currency, b.month) is distinct from (c.organization_id, c.currency, u.month)
      union all select 'true_up_differs', coalesce(l.number || ' ' || l.term, u.bill_number || ' ' || u.commitment_id), coalesce(l.minor, 0)::text, coalesce(u.true_up_minor, 0)::text
        from (select b.id, b.number, l.term ->> 'id' as term, sum(l.amount_minor) as minor from bill_line l join bill b on b.id = l.bill_id where l.kind = 'true_up' and ${owned(userOf(books, 'b'))} group by 1, 2, 3) l
          full join (select u.* from commitment_use u join commitment c on c.id = u.commitment_id where u.true_up_minor <> 0 and ${owned('c.organization_id')}) u on u.bill_id = l.id and u.commitment_id = l.term
        where coalesce(l.minor, 0) <> coalesce(u.true_up_minor, 0)${
          books.has('commitment_use.draws')
            ? `
      union all select 'draws_of_lines_differ', u.bill_number || ' ' || u.commitment_id, u.drawn_minor::text, coalesce(d.minor, 0)::text
        from commitment_use u join commitment c on c.id = u.commitment_id
          cross join lateral (select sum((x.of ->> 'minor')::bigint) as minor, count(*) as lines, count(l.position) as known from jsonb_array_elements(u.draws) as x (of) left join bill_line l on l.bill_id = u.bill_id and l.position = (x.of ->> 'position')::int) d
        where u.draws is not null and ${owned('c.organization_id')} and (coalesce(d.minor, 0) <> u.drawn_minor or d.lines <> d.known)`
            : ''
        }`,
        )(books)
      : Promise.resolve(nothing),
};

/** Shares of lines that come before what a commitment counts: discounts, and the rates themselves. */
const shared = (
  books: Books,
): string => `select l.bill_id, (share ->> 'lineId')::int as position, sum(minor.of) as whole
  from bill_line l join bill b on b.id = l.bill_id cross join lateral jsonb_array_elements(l.term -> 'shares') as share
    cross join lateral (select round((share -> 'amount' ->> 'amount')::numeric * power(10::numeric, case b.currency when 'TWD' then 0 when 'JPY' then 0 when 'KRW' then 0 when 'VND' then 0 when 'KWD' then 3 else 2 end))::bigint as of) as minor
  where l.kind in ('discount', 'committed_rate', 'overage_rate') and ${owned(userOf(books, 'b'))} group by 1, 2`;
/** Of a service with charges that a commitment names, those alone. */
const ofCharges = (c: string): string =>
  `(${c}.charges is null or not exists (select from jsonb_array_elements(${c}.charges) as n (of) where n.of ->> 'serviceId' = l.service_id)
        or exists (select from jsonb_array_elements(${c}.charges) as n (of) where n.of ->> 'serviceId' = l.service_id and n.of ->> 'chargeKey' = l.charge ->> 'key'))`;
/** What each bill has left of the lines that a commitment covers: a line belongs to the first commitment that covers it. */
const covered = (
  books: Books,
): string => `select u.commitment_id, u.bill_id, u.period, u.drawn_minor, u.bill_number, u.at, c.id, coalesce(sum(l.amount_minor - coalesce(s.whole, 0)), 0)::bigint as kept
  from commitment_use u join commitment c on c.id = u.commitment_id
    left join bill_line l on l.bill_id = u.bill_id and l.kind in ('base_fee', 'credit', 'usage', 'minimum', 'maximum', 'one_time', 'adjustment')
      and (not c.usage_only or l.kind in ('usage', 'minimum', 'maximum', 'adjustment')) and (c.services is null or l.service_id = any(c.services)) and ${ofCharges('c')}
      and not exists (select from commitment_use o join commitment d on d.id = o.commitment_id where o.bill_id = u.bill_id
        and (d.services is null, d.created_at, d.id) < (c.services is null, c.created_at, c.id)
        and (not d.usage_only or l.kind in ('usage', 'minimum', 'maximum', 'adjustment')) and (d.services is null or l.service_id = any(d.services)) and ${ofCharges('d')})
    left join (${shared(books)}) s on s.bill_id = l.bill_id and s.position = l.position
  where u.released_at is null and ${owned('c.organization_id')} group by 1, 2, 3, 4, 5, 6, 7`;

/** What is due at the end of a period: its amount, or what was agreed when the commitment ended early in it. */
const due = `case when c.ended_at is null or p.last_of_period < c.last_month then c.amounts_minor[p.period + 1]
    when c.settlement = 'none' then 0 when c.settlement = 'period' then c.amounts_minor[p.period + 1]
    when c.settlement = 'all' then (select sum(amount) from unnest(c.amounts_minor) with ordinality as a (amount, place) where place > p.period)
    else round(c.amounts_minor[p.period + 1] * (extract(year from age((c.last_month || '-01')::date, p.first)) * 12 + extract(month from age((c.last_month || '-01')::date, p.first)) + 1) / c.period_months) end`;

const trueUpsAreRight: Check = {
  id: 'commitment-true-ups',
  invariants: ['I5'],
  title:
    'Every bill uses its commitments by the amount of its lines, and the bill that ends a period charges the shortfall',
  unit: 'draws',
  isPerOrganization: true,
  // Bills that were voided left room that those after them had not: then only the bounds are known. Refunds on later
  // bills return what this one may have used up.
  run: (books) =>
    hasCommitments(books)
      ? byStatement(
          uses,
          (books) => `
      select 'draw_differs_from_lines' as code, k.bill_number || ' ' || k.commitment_id as subject, k.kept::text as expected, k.drawn_minor::text as actual
        from (${covered(books)}) k join commitment c on c.id = k.commitment_id join commitment_period p on p.commitment_id = k.commitment_id and p.period = k.period
        where k.kept >= 0 and (k.drawn_minor > k.kept and k.drawn_minor > 0 or k.drawn_minor < k.kept and p.drawn_minor <> c.amounts_minor[k.period + 1]
          and c.amounts_minor[k.period + 1] <> (select sum(o.drawn_minor) from commitment_use o where o.commitment_id = k.commitment_id and o.period = k.period and o.at <= k.at)
          and not exists (select from commitment_use r where r.commitment_id = k.commitment_id and r.period = k.period and r.released_at is not null))
      union all select 'true_up_wrong', c.id || ' ' || p.period, greatest(0, ${due} - p.drawn_minor)::text, p.true_up_minor::text
        from (select p.*, (c.starts_on || '-01')::date + make_interval(months => p.period * c.period_months) as first, to_char((c.starts_on || '-01')::date + make_interval(months => (p.period + 1) * c.period_months - 1), 'YYYY-MM') as last_of_period
            from commitment_period p join commitment c on c.id = p.commitment_id where p.settlements > 0 and ${owned('c.organization_id')}) p join commitment c on c.id = p.commitment_id
        where p.true_up_minor <> greatest(0, ${due} - p.drawn_minor) and not exists (select from commitment_use r where r.commitment_id = c.id and r.period = p.period and r.released_at is not null)`,
        )(books)
      : Promise.resolve(nothing),
};

export const commitmentChecks: readonly Check[] = [drawsAddUp, trueUpsAreRight];
