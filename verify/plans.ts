// Checks of payment plans: instalments are exactly what was due as they were agreed, part by part, and what is left of them is what is due.
import { byStatement, owned, type Books, type Check } from './books.ts';

/** A database older than payment plans has none. */
const hasPlans = (books: Books): boolean => books.has('payment_plan_part.until_minor');

/** What was paid of the bill `b` by the moment `l.agreed_at`; with `<` what came at that very moment is left out, because it may have come after. */
const paidBy = (by: '<' | '<='): string =>
  `(select coalesce(sum(p.to_bill_minor), 0) from payment p where p.bill_id = b.id and p.state in ('succeeded', 'refunded') and p.settled_at ${by} l.agreed_at)
    - (select coalesce(sum(m.to_bill_minor), 0) from payment_dispute_move m join payment_dispute d on d.id = m.dispute_id join payment p on p.id = d.payment_id where p.bill_id = b.id and m.at ${by} l.agreed_at)
    - (select coalesce(sum(r.amount_minor), 0) from payment_refund r join payment p on p.id = r.payment_id where p.bill_id = b.id and p.method = 'withholding' and r.state = 'succeeded' and r.settled_at ${by} l.agreed_at)`;
const creditedBy = (by: '<' | '<='): string =>
  `(select coalesce(sum(n.to_due_minor), 0) from credit_note n where n.bill_id = b.id and n.issued_at ${by} l.agreed_at)`;

/** One row for each bill of a plan: its parts together, and what was due of it then. */
const bills = `select l.id, l.organization_id, b.id as bill_id, b.number, b.total_minor,
    (select max(i.until_minor) from payment_plan_part i where i.plan_id = l.id and i.bill_id = b.id) as until,
    b.total_minor - ${creditedBy('<=')} as least_total, b.total_minor - ${creditedBy('<')} as most_total,
    ${paidBy('<')} as least_paid, ${paidBy('<=')} as most_paid
  from payment_plan l join payment_plan_bill x on x.plan_id = l.id join bill b on b.id = x.bill_id`;

const planned = (table: string): string =>
  `select i.*, coalesce(lag(i.until_minor) over (partition by ${table === 'payment_plan_part' ? 'i.plan_id, ' : ''}i.bill_id order by i.position), 0) as before from ${table} i`;

const instalmentsAddUp: Check = {
  id: 'plan-instalments',
  invariants: ['I7'],
  title:
    'Instalments add up to the amount due when they were agreed, and the remaining ones to the amount due now',
  unit: 'plans',
  isPerOrganization: true,
  run: async (books) =>
    !hasPlans(books)
      ? { examined: '0', findings: [], found: 0, notes: [] }
      : byStatement(
          () => `select count(*) from payment_plan where ${owned('organization_id')}`,
          () => `
      select 'instalments_differ' as code, p.id as subject, (sum(p.until) - sum(p.least_paid))::text as expected, max(t.minor)::text as actual
        from (${bills}) p join (select plan_id, sum(amount_minor) as minor from payment_plan_instalment group by 1) t on t.plan_id = p.id
        where ${owned('p.organization_id')} group by p.id having max(t.minor) not between sum(p.until) - sum(p.most_paid) and sum(p.until) - sum(p.least_paid)
      union all select 'plan_is_not_the_bill', p.number, p.least_total::text, coalesce(p.until, 0)::text
        from (${bills}) p where ${owned('p.organization_id')} and coalesce(p.until, 0) not between p.least_total and p.most_total
      union all select 'instalment_gap', b.number || ' ' || i.position, i.before::text, i.from_minor::text
        from (${planned('payment_plan_part')}) i join bill b on b.id = i.bill_id where ${owned('b.organization_id')} and i.from_minor <> i.before
      union all select 'instalment_day_differs', b.number || ' ' || i.position, coalesce(t.due_on::text, ''), i.due_on::text
        from payment_plan_part i join bill b on b.id = i.bill_id left join payment_plan_instalment t on t.plan_id = i.plan_id and t.position = i.position
        where ${owned('b.organization_id')} and t.due_on is distinct from i.due_on
      union all select 'instalment_changed', b.number || ' ' || coalesce(i.position, k.position), coalesce(k.due_on || ' ' || k.from_minor || '-' || k.until_minor, ''), coalesce(i.due_on || ' ' || i.from_minor || '-' || i.until_minor, '')
        from (select k.* from payment_plan_part k join payment_plan_bill x on x.plan_id = k.plan_id and x.bill_id = k.bill_id and x.ended_on is null) k
        full join bill_instalment i on i.bill_id = k.bill_id and i.position = k.position join bill b on b.id = coalesce(i.bill_id, k.bill_id)
        where ${owned('b.organization_id')} and (i.due_on, i.from_minor, i.until_minor) is distinct from (k.due_on, k.from_minor, k.until_minor)
      union all select 'instalments_left_differ', b.number, (b.total_minor - b.paid_minor - b.credited_minor)::text,
          sum(greatest(0, least(i.until_minor, b.total_minor - b.credited_minor) - greatest(i.from_minor, b.paid_minor)))::text
        from bill_instalment i join bill b on b.id = i.bill_id where ${owned('b.organization_id')} and b.state = 'open' group by b.id
        having sum(greatest(0, least(i.until_minor, b.total_minor - b.credited_minor) - greatest(i.from_minor, b.paid_minor))) <> b.total_minor - b.paid_minor - b.credited_minor`,
        )(books),
};

export const planChecks: readonly Check[] = [instalmentsAddUp];
