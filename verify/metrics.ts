// The check of business metrics: months are what bills came to less credit notes, and what the ledger booked for them; movements come to the
// difference between months. Metrics that wait to be worked out again are not compared.
import { byStatement, nonZero, numberOf, type Books, type Check } from './books.ts';

const isThere = (books: Books): boolean => books.has('metric_revenue.recurring_minor');
const stale = 'select count(*) from metric_stale';

const metricsAddUp: Check = {
  id: 'metrics',
  invariants: ['I5'],
  title: 'Monthly revenue equals the bills and the ledger, and movements add up to its change',
  unit: 'customer months',
  isPerOrganization: false,
  run: async (books) => {
    if (!isThere(books)) return { examined: '0', findings: [], found: 0, notes: [] };
    const waiting = await numberOf(books, stale);
    if (waiting !== '0')
      return {
        examined: '0',
        findings: [],
        found: 0,
        notes: nonZero([{ code: 'metrics_waiting', count: waiting }]),
      };
    return byStatement(
      () => `select count(*) from metric_revenue`,
      () => `
      select 'metrics_bills_differ' as code, currency as subject, sum(billed)::text as expected, sum(kept)::text as actual
        from (select currency, net_minor as billed, 0 as kept from bill where state <> 'void'
          union all select n.currency, -n.net_minor, 0 from credit_note n join bill b on b.id = n.bill_id and b.state <> 'void'
          union all select currency, 0, recurring_minor + usage_minor + once_minor from metric_revenue) as sums group by currency having sum(billed) <> sum(kept)
      union all select 'metrics_ledger_differs', currency, sum(booked)::text, sum(kept)::text
        from (select e.currency, -e.amount_minor as booked, 0 as kept from ledger_transaction t join ledger_entry e on e.transaction_id = t.id join ledger_account a on a.id = e.account_id
            where t.kind in ('bill', 'credit_note', 'void', 'recognition') and a.kind in ('revenue', 'discounts', 'breakage', 'promotional_credit', 'deferred_revenue')
          union all select currency, -to_prepaid_minor, 0 from bill_void
          union all select currency, 0, recurring_minor + usage_minor + once_minor from metric_revenue) as sums group by currency having sum(booked) <> sum(kept)
      union all select 'metrics_movements_differ', currency || ' ' || (month_no / 12) || '-' || lpad((month_no % 12 + 1)::text, 2, '0'), sum(difference)::text, sum(moved)::text
        from (select currency, month_no, recurring_minor as difference, 0 as moved from metric_revenue
          union all select currency, month_no + 1, -recurring_minor, 0 from metric_revenue
          union all select currency, month_no, 0, minor from metric_movement) as sums group by currency, month_no having sum(difference) <> sum(moved)
      union all select 'metrics_month_differs', currency || ' ' || (month_no / 12) || '-' || lpad((month_no % 12 + 1)::text, 2, '0'), sum(own)::text, sum(kept)::text
        from (select currency, month_no, recurring_minor + usage_minor + once_minor as own, 0 as kept from metric_revenue
          union all select currency, month_no, 0, recurring_minor + usage_minor + once_minor from metric_month) as sums group by currency, month_no having sum(own) <> sum(kept)`,
    )(books);
  },
};

export const metricChecks: readonly Check[] = [metricsAddUp];
