// Checks of what resellers issue to their customers: bills, credit notes and their numbers (I1, I3, I4).
import { byStatement, owned, type Books, type Check, type Outcome } from './books.ts';

/** A database from before there were resellers has nothing to look at. */
const whereThere =
  (column: string, run: Check['run']): Check['run'] =>
  (books: Books) =>
    books.has(column)
      ? run(books)
      : Promise.resolve<Outcome>({ examined: '0', findings: [], found: 0, notes: [] });

/** Bills of resellers for a month and currency in which they sold. */
const retailBills: Check = {
  id: 'retail-bills',
  invariants: ['I1', 'I3'],
  title:
    'For every customer month billed to a reseller there is a bill from the reseller to the customer, and its lines, net and tax add up',
  unit: 'reseller bills',
  isPerOrganization: true,
  run: whereThere(
    'retail_bill.id',
    byStatement(
      () => `select count(*) from retail_bill where ${owned('organization_id')}`,
      (books) => `
      with span as (select * from (select organization_id, reseller_id, from_month, coalesce(lead(from_month) over (partition by organization_id order by from_month), '9999-12') as next_month from resold_organization) every where reseller_id is not null and ${owned('organization_id')}),
        line as (select l.retail_bill_id, sum(l.amount_minor) as minor from retail_bill_line l group by 1)
      select 'no_retail_bill' as code, b.number as subject, 'a bill of the reseller' as expected, 'none' as actual
        from bill b join span s on s.organization_id = b.used_by_id and s.reseller_id = b.organization_id and s.from_month <= b.month and s.next_month > b.month
        where b.kind = 'month' and b.state <> 'void' and exists (select from bill_line l where l.bill_id = b.id and l.term is null)
          and not exists (select from retail_bill t where t.organization_id = b.used_by_id and t.reseller_id = b.organization_id and t.month = b.month and t.currency = b.currency ${books.has('retail_bill.kind') ? `and t.kind = 'month'` : ''})
      union all select 'retail_net', t.number, coalesce(l.minor, 0)::text, t.net_minor::text from retail_bill t left join line l on l.retail_bill_id = t.id where ${owned('t.organization_id')} and coalesce(l.minor, 0) <> t.net_minor
      union all select 'retail_tax', t.number, round(t.net_minor * t.tax_rate / 100)::text, t.tax_minor::text from retail_bill t where ${owned('t.organization_id')} and round(t.net_minor * t.tax_rate / 100) <> t.tax_minor
      union all select 'retail_line', t.number || ' ' || l.position, a.exact::text, l.exact_amount::text
        from retail_bill t join retail_bill_line l on l.retail_bill_id = t.id cross join lateral (select coalesce(sum((step ->> 'amount')::numeric), 0) as exact from jsonb_array_elements(l.arithmetic) step) a
        where ${owned('t.organization_id')} and a.exact <> l.exact_amount
      union all select 'reseller_not_payer', s.organization_id || ' ' || s.from_month, s.reseller_id, coalesce(p.payer_id, '')
        from span s left join lateral (select o.payer_id from organization_payer o where o.organization_id = s.organization_id and o.from_month <= s.from_month order by o.from_month desc limit 1) p on true
        where p.payer_id is distinct from s.reseller_id`,
    ),
  ),
};

/** What is credited in steps has the tax of its share of the bill, rounded half up, so that the last step gives back the very rest. */
const retailCredits: Check = {
  id: 'retail-credits',
  invariants: ['I1'],
  title:
    'Reseller credit notes belong to the reseller’s own bills, do not exceed them, and contain their share of the tax',
  unit: 'reseller credit notes',
  isPerOrganization: true,
  run: whereThere(
    'retail_credit_note.id',
    byStatement(
      () =>
        `select count(*) from retail_credit_note c join retail_bill t on t.id = c.retail_bill_id where ${owned('t.organization_id')}`,
      () => `
      with credit as (select c.*, t.number as bill, t.reseller_id as seller_id, t.tax_minor as bill_tax, t.total_minor as bill_total,
          sum(c.total_minor) over upto as total_upto, sum(c.tax_minor) over upto as tax_upto
        from retail_credit_note c join retail_bill t on t.id = c.retail_bill_id where ${owned('t.organization_id')} window upto as (partition by c.retail_bill_id order by c.sequence))
      select 'retail_credit_parts' as code, number as subject, (net_minor + tax_minor)::text as expected, total_minor::text as actual from credit where net_minor + tax_minor <> total_minor
      union all select 'retail_credit_excess', number, bill_total::text, total_upto::text from credit where total_upto > bill_total
      union all select 'retail_credit_tax', number, div(2 * bill_tax::numeric * total_upto + bill_total, 2 * bill_total)::text, tax_upto::text from credit
        where total_upto <= bill_total and bill_total > 0 and div(2 * bill_tax::numeric * total_upto + bill_total, 2 * bill_total) <> tax_upto
      union all select 'retail_credit_of_another', number, seller_id, reseller_id from credit where reseller_id <> seller_id`,
    ),
  ),
};

/** Bills are numbered from 1 in each month of a reseller, credit notes through all time. */
const retailNumbers: Check = {
  id: 'retail-numbers',
  invariants: ['I4'],
  title: 'Reseller bill numbers run from 1 to N in each month, and reseller credit note numbers from 1 to N',
  unit: 'reseller numbers',
  isPerOrganization: false,
  run: whereThere(
    'retail_credit_note.id',
    byStatement(
      () => `select (select count(*) from retail_bill) + (select count(*) from retail_credit_note)`,
      () => `
      with numbered as (select reseller_id, month::text as series, sequence, number from retail_bill union all select reseller_id, '', sequence, number from retail_credit_note),
        placed as (select *, lag(sequence, 1, 0) over (partition by reseller_id, series order by sequence) as before from numbered)
      select 'retail_number' as code, number as subject, (before + 1)::text as expected, sequence::text as actual from placed where sequence <> before + 1`,
    ),
  ),
};

export const retailChecks: readonly Check[] = [retailBills, retailCredits, retailNumbers];
