// Checks of consolidated bills: each is exactly its bills of one payer, month and currency; their numbers are looked at with all others.
import { byStatement, owned, type Books, type Check } from './books.ts';

/** A database older than consolidated bills has none. */
const hasConsolidated = (books: Books): boolean => books.has('consolidated_bill.supplement');

const consolidatedIsItsBills: Check = {
  id: 'consolidated-bills',
  invariants: ['I5'],
  title: 'Every consolidated bill equals the sum of its bills, and every bill is on only one',
  unit: 'bills',
  isPerOrganization: true,
  run: async (books) =>
    !hasConsolidated(books)
      ? { examined: '0', findings: [], found: 0, notes: [] }
      : byStatement(
          () => `select count(*) from consolidated_bill where ${owned('organization_id')}`,
          () => `
      select 'consolidated_total_differs' as code, c.number as subject, coalesce(sum(b.total_minor), 0)::text as expected, c.total_minor::text as actual
        from consolidated_bill c left join consolidated_bill_part x on x.consolidated_id = c.id left join bill b on b.id = x.bill_id
        where ${owned('c.organization_id')} group by c.id having c.total_minor <> coalesce(sum(b.total_minor), 0)
      union all select 'consolidated_foreign_bill', c.number, c.organization_id || ' ' || c.month || ' ' || c.currency, b.number || ' ' || b.organization_id || ' ' || b.month || ' ' || b.currency
        from consolidated_bill_part x join consolidated_bill c on c.id = x.consolidated_id join bill b on b.id = x.bill_id
        where ${owned('c.organization_id')} and ((b.organization_id, b.month, b.currency) is distinct from (c.organization_id, c.month, c.currency) or b.kind <> 'month')
      union all select 'consolidated_due_differs', c.number, max(b.due_at)::text, c.due_at::text
        from consolidated_bill c join consolidated_bill_part x on x.consolidated_id = c.id join bill b on b.id = x.bill_id
        where ${owned('c.organization_id')} group by c.id having c.due_at <> max(b.due_at)
      union all select 'consolidated_bill_missing', b.number, '1', '0'
        from consolidated_bill c join bill b on b.organization_id = c.organization_id and b.month = c.month and b.currency = c.currency and b.kind = 'month' and b.state <> 'void' and b.issued_at <= c.issued_at
        where ${owned('c.organization_id')} and not exists (select from consolidated_bill_part x where x.bill_id = b.id)`,
        )(books),
};

export const consolidatedChecks: readonly Check[] = [consolidatedIsItsBills];
