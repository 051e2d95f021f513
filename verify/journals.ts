// The check of journals: what was exported for the accounting program is what the ledger has of the same transactions, and every voucher balances.
import { byStatement, type Books, type Check } from './books.ts';

const isThere = (books: Books): boolean => books.has('journal_line.debit_minor');

const journalsAddUp: Check = {
  id: 'journals',
  invariants: ['I5'],
  title: 'Exported journals balance and equal the ledger entries of their transactions',
  unit: 'journal lines',
  isPerOrganization: false,
  run: async (books) => {
    if (!isThere(books)) return { examined: '0', findings: [], found: 0, notes: [] };
    return byStatement(
      () => 'select count(*) from journal_line',
      () => `
      select 'journal_unbalanced' as code, v.number as subject, v.total_minor::text as expected, sum(l.debit_minor)::text || ' / ' || sum(l.credit_minor)::text as actual
        from journal_voucher v join journal_line l on l.export_id = v.export_id and l.voucher = v.position group by v.number, v.total_minor having sum(l.debit_minor) <> sum(l.credit_minor) or sum(l.debit_minor) <> v.total_minor
      union all select 'journal_ledger_differs', period || ' (' || sequence || ') ' || day || ' ' || kind || ' ' || account_kind || ' ' || currency, sum(booked)::text, sum(exported)::text
        from (select x.period, x.sequence, v.day::text as day, v.kind, l.account_kind, v.currency, 0::numeric as booked, l.debit_minor - l.credit_minor as exported
            from journal_export x join journal_voucher v on v.export_id = x.id join journal_line l on l.export_id = v.export_id and l.voucher = v.position where x.withdrawn_at is null
          union all select x.period, x.sequence, to_char(t.at at time zone x.time_zone, 'YYYY-MM-DD'), t.kind, a.kind, e.currency, e.amount_minor, 0
            from journal_exported j join journal_export x on x.id = j.export_id join ledger_transaction t on t.id = j.transaction_id join ledger_entry e on e.transaction_id = t.id join ledger_account a on a.id = e.account_id) as parts
        group by period, sequence, day, kind, account_kind, currency having sum(booked) <> sum(exported)
      union all select 'journal_withdrawn_counts', x.period || ' (' || x.sequence || ')', '0', count(*)::text
        from journal_exported j join journal_export x on x.id = j.export_id where x.withdrawn_at is not null group by x.period, x.sequence`,
    )(books);
  },
};

export const journalChecks: readonly Check[] = [journalsAddUp];
