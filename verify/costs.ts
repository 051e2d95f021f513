// Checks of imported cloud costs: their lines add up to what the files said, and what was sold of them is what metering counts.
import { byStatement, type Check, type Outcome } from './books.ts';

const nothing: Outcome = { examined: '0', findings: [], found: 0, notes: [] };
/** A database older than cost imports has none. */
const onceThereAre =
  (run: Check['run']): Check['run'] =>
  (books) =>
    books.has('cost_sold.sold') ? run(books) : Promise.resolve(nothing);

const linesAddUp: Check = {
  id: 'cost-lines',
  invariants: ['I6'],
  title: 'Lines of imported costs add up to the totals of their files',
  unit: 'billing periods',
  isPerOrganization: false,
  run: onceThereAre(
    byStatement(
      () => 'select count(*) from cost_period',
      () => `
      select 'cost_lines_differ' as code, p.source_id || ' ' || p.period_start || ' ' || coalesce(x.total_currency, x.currency) as subject, concat_ws(' / ', x.total_billed, x.total_effective, x.total_list) as expected, concat_ws(' / ', x.billed, x.effective, x.list) as actual
        from cost_period p cross join lateral (select * from (
          select currency, trim_scale(sum(billed)) as billed, trim_scale(sum(effective)) as effective, trim_scale(sum(list)) as list, sum(rows) as rows from cost_line c where c.import_id = p.import_id and c.period_start = p.period_start group by 1
        ) l full join (
          select currency as total_currency, trim_scale(billed) as total_billed, trim_scale(effective) as total_effective, trim_scale(list) as total_list, rows as total_rows from cost_import_total c where c.import_id = p.import_id and c.period_start = p.period_start
        ) t on t.total_currency = l.currency) as x where (x.total_billed, x.total_effective, x.total_list, x.total_rows::numeric) is distinct from (x.billed, x.effective, x.list, x.rows)`,
    ),
  ),
};

// Events of months that are not in the database any more cannot be added up.
const isThere = (time: string): string =>
  `to_regclass('usage_event_' || to_char(${time} at time zone 'UTC', 'YYYYMM')) is not null`;

const soldIsMetered: Check = {
  id: 'cost-sold',
  invariants: ['I6'],
  title: 'Resold amounts of imported costs equal metered usage',
  unit: 'subscriptions',
  isPerOrganization: false,
  run: onceThereAre(
    byStatement(
      () => 'select count(distinct (source_id, subscription_id)) from cost_sold',
      () => `
      with kept as (
        select '/cost-imports/' || source_id as source, subscription_id, sum(event_value) as value from cost_sold where event_value is not null and ${isThere('event_at')} group by 1, 2
      ), metered as (
        select s.source, e.subscription_id, sum(e.value) as value from usage_source s join usage_event e on e.source_id = s.id where s.source like '/cost-imports/%' group by 1, 2
      )
      select 'cost_sold_differs' as code, source || ' ' || subscription_id as subject, trim_scale(coalesce(k.value, 0))::text as expected, trim_scale(coalesce(m.value, 0))::text as actual
        from kept k full join metered m using (source, subscription_id) where coalesce(k.value, 0) <> coalesce(m.value, 0)
      union all select 'cost_sold_unmetered', source_id || ' ' || subscription_id || ' ' || day || ' ' || service, trim_scale(sold)::text, coalesce(trim_scale(event_value)::text, '')
        from cost_sold where reason is null and sold is distinct from coalesce(event_value, 0)`,
    ),
  ),
};

export const costChecks: readonly Check[] = [linesAddUp, soldIsMetered];
