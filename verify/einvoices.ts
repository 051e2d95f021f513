// Checks of Taiwan's statutory e-invoices: what they say adds up, they are their bills less credit notes, and no number is used twice (I4, I5).
import { byStatement, owned, type Check, type Outcome } from './books.ts';

const nothing: Outcome = { examined: '0', findings: [], found: 0, notes: [] };
/** A database older than e-invoices has none. */
const onceThereAre =
  (run: Check['run']): Check['run'] =>
  (books) =>
    books.has('einvoice.number') ? run(books) : Promise.resolve(nothing);
const all = (): string =>
  `select (select count(*) from einvoice where ${owned('organization_id')}) + (select count(*) from einvoice_allowance where ${owned('organization_id')})`;

/** What counts: neither void nor dropped. */
const live = (alias: string): string => `${alias}.void_asked_at is null and ${alias}.state <> 'dropped'`;
const sumOf = (list: string, field: string): string =>
  `(select coalesce(sum((item ->> '${field}')::bigint), 0) from jsonb_array_elements(${list}) as item)`;

const sumsAreRight: Check = {
  id: 'einvoice-sums',
  invariants: ['I5'],
  title:
    'E-invoices and allowances equal the sum of their items, and allowances do not exceed their e-invoice',
  unit: 'e-invoices and allowances',
  isPerOrganization: true,
  run: onceThereAre(
    byStatement(
      all,
      () => `
      select 'einvoice_items_differ' as code, coalesce(i.number, i.id) as subject, i.total_minor::text as expected, (s.items + (i.document ->> 'tax')::bigint)::text as actual
        from einvoice i cross join lateral (select ${sumOf(`i.document -> 'items'`, 'amount')} as items) s where ${owned('i.organization_id')}
          and (s.items + (i.document ->> 'tax')::bigint <> i.total_minor or (i.document ->> 'total')::bigint <> i.total_minor)
      union all select 'einvoice_lines_differ', coalesce(i.number, i.id), i.net_minor || ' / ' || i.tax_minor, l.net || ' / ' || l.tax
        from einvoice i cross join lateral (select ${sumOf('i.lines', 'net')} as net, ${sumOf('i.lines', 'tax')} as tax) l where ${owned('i.organization_id')} and (l.net, l.tax) is distinct from (i.net_minor::numeric, i.tax_minor::numeric)
      union all select 'allowance_items_differ', coalesce(a.number, a.id), a.net_minor || ' / ' || a.tax_minor, s.net || ' / ' || s.tax
        from einvoice_allowance a cross join lateral (select ${sumOf(`a.document -> 'items'`, 'amount')} as net, ${sumOf(`a.document -> 'items'`, 'tax')} as tax) s where ${owned('a.organization_id')} and (s.net, s.tax) is distinct from (a.net_minor::numeric, a.tax_minor::numeric)
      union all select 'allowed_above_einvoice', coalesce(i.number, i.id), i.net_minor || ' / ' || i.tax_minor, sum(a.net_minor) || ' / ' || sum(a.tax_minor)
        from einvoice i join einvoice_allowance a on a.einvoice_id = i.id and ${live('a')} where ${owned('i.organization_id')} group by i.id having sum(a.net_minor) > i.net_minor or sum(a.tax_minor) > i.tax_minor`,
    ),
  ),
};

/**
 * Bills whose invoices are planned up to now and certain; those of bills that an Admin closed are left out, and those with an invoice that is being canceled,
 * which may still be refused.
 */
const settled = `
  covered as (select e.bill_id, e.timing, b.number, b.state, b.organization_id, b.net_minor - coalesce(n.net, 0) as net, b.tax_minor - coalesce(n.tax, 0) as tax, b.paid_minor - b.returned_minor as paid, n.net is not null as is_credited
    from einvoice_bill e join bill b on b.id = e.bill_id left join (select bill_id, sum(net_minor) as net, sum(tax_minor) as tax from credit_note group by 1) n on n.bill_id = b.id
    where e.look_at is null and not e.is_closed and not exists (select from einvoice i where i.bill_id = b.id and i.is_unsure and i.number is null)
      and not exists (select from einvoice i where i.bill_id = b.id and i.void_asked_at is not null and i.voided_at is null and i.state <> 'dropped')
      and not exists (select from einvoice_allowance a where a.bill_id = b.id and a.source = 'undone' and a.sent_at is null and ${live('a')})),
  allowed as (select einvoice_id, sum(net_minor) as net, sum(tax_minor) as tax from einvoice_allowance a where ${live('a')} group by 1),
  standing as (select i.bill_id, sum(i.net_minor - coalesce(a.net, 0)) as net, sum(i.tax_minor - coalesce(a.tax, 0)) as tax from einvoice i left join allowed a on a.einvoice_id = i.id where ${live('i')} group by 1),
  compared as (select c.*, coalesce(s.net, 0) as have_net, coalesce(s.tax, 0) as have_tax from covered c left join standing s on s.bill_id = c.bill_id where ${owned('c.organization_id')})`;
const billsAreCovered: Check = {
  id: 'einvoice-bills',
  invariants: ['I5'],
  title: 'E-invoices less allowances equal their bills less credit notes, for bills that are invoiced',
  unit: 'bills',
  isPerOrganization: true,
  run: onceThereAre(
    byStatement(
      () => `select count(*) from einvoice_bill where ${owned('organization_id')}`,
      () => `with ${settled}
      select 'einvoices_differ_from_bill' as code, number as subject, case when state = 'void' then '0 / 0' else net || ' / ' || tax end as expected, have_net || ' / ' || have_tax as actual from compared
        where (state = 'void' and (have_net, have_tax) is distinct from (0, 0)) or (state <> 'void' and timing = 'on_issue' and net + tax > 0 and (have_net, have_tax) is distinct from (net, tax))
      union all select 'einvoices_differ_from_payments', number, least(paid, net + tax)::text, (have_net + have_tax)::text from compared
        where state <> 'void' and timing = 'on_payment' and (have_net + have_tax < least(paid, net + tax) or have_net + have_tax > greatest(net + tax, 0) or (state = 'paid' and not is_credited and (have_net, have_tax) is distinct from (net, tax)))`,
    ),
  ),
};

/** The first month of the two in which a moment is in Taiwan. */
const periodOf = (moment: string): string =>
  `to_char(date_trunc('month', ${moment} at time zone 'Asia/Taipei') - case when extract(month from ${moment} at time zone 'Asia/Taipei')::int % 2 = 0 then interval '1 month' else interval '0' end, 'YYYY-MM')`;
const numbersAreRight: Check = {
  id: 'einvoice-numbers',
  invariants: ['I4'],
  title:
    'E-invoice numbers belong to the period of their date, are unique and in order of time, and have no gaps within their track',
  unit: 'numbers',
  isPerOrganization: false,
  run: onceThereAre(
    byStatement(
      () => 'select count(*) from einvoice where number is not null',
      () => `
      with placed as (select i.number, i.issued_at, i.track_id, substr(i.number, 3)::int as digits, lag(i.issued_at) over (partition by i.track_id order by i.number) as before from einvoice i where i.track_id is not null)
      select 'einvoice_period_differs' as code, number as subject, ${periodOf('issued_at')} as expected, period::text as actual from einvoice where number is not null and period <> ${periodOf('issued_at')}
      union all select 'einvoice_number_repeated', number, '1', count(*)::text from einvoice where number is not null group by period, number having count(*) > 1
      union all select 'einvoice_outside_track', i.number, t.letters || lpad(t.from_number::text, 8, '0') || '–' || lpad((t.next_number - 1)::text, 8, '0'), i.number from einvoice i join einvoice_track t on t.id = i.track_id
        where i.period <> t.period or left(i.number, 2) <> t.letters or substr(i.number, 3)::int not between t.from_number and t.next_number - 1
      union all select 'einvoice_numbers_missing', t.letters || lpad(t.from_number::text, 8, '0'), (t.next_number - t.from_number)::text, (select count(*) from einvoice i where i.track_id = t.id)::text from einvoice_track t
        where t.next_number - t.from_number <> (select count(*) from einvoice i where i.track_id = t.id)
      union all select 'einvoice_out_of_order', number, before::text, issued_at::text from placed where issued_at < before`,
    ),
  ),
};

export const einvoiceChecks: readonly Check[] = [sumsAreRight, billsAreCovered, numbersAreRight];
