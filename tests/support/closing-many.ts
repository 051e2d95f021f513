// Thousands of customers, for tests that disturb a close, and the expected content of the database
// afterwards.
import { randomBytes } from 'node:crypto';
import { encodeId, type IdPrefix } from '#kernel/ids.ts';
import type { Query } from './closing.ts';
import { processApi as api, type ProcessConsole } from './process.ts';

/** Customers with two services each: a base fee, and usage at a price with fractions of a dollar. */
export async function fill(
  db: Query,
  console: ProcessConsole,
  admin: string,
  { organizations, months }: { readonly organizations: number; readonly months: readonly string[] },
): Promise<void> {
  const ids = (prefix: IdPrefix, count: number) =>
    Array.from({ length: count }, () =>
      encodeId(prefix, Date.parse('2009-12-01T00:00:00Z'), randomBytes(10)),
    );
  const made = await Promise.all(
    [
      { model: 'per_unit', currency: 'TWD', unitPrice: '0.37' },
      { model: 'flat', currency: 'TWD', baseFee: '333.5' },
    ].map((pricing, index) =>
      api(
        console,
        'POST',
        '/admin/services',
        {
          name: `Service ${index}`,
          type: 'Test',
          category: 'Test',
          pricing,
          meter: { eventType: 'call', aggregation: 'sum', unit: 'GB' },
        },
        admin,
      ),
    ),
  );
  const services = made.map((service) => service['id'] ?? '');
  const owners = ids('org', organizations);
  await db.query(
    `insert into organization (id, name, time_zone, language, created_at) select id, 'Customer ' || id, 'Asia/Taipei', 'zhTW', '2009-12-01' from unnest($1::text[]) as id`,
    [owners],
  );
  const subscribers = owners.flatMap((owner) => services.map(() => owner));
  await db.query(
    `insert into subscription (id, organization_id, service_id, state, started_at, created_at) select *, 'active', '2009-12-01', '2009-12-01' from unnest($1::text[], $2::text[], $3::text[])`,
    [ids('sub', subscribers.length), subscribers, owners.flatMap(() => services)],
  );
  await db.query(
    `insert into subscription_phase (subscription_id, from_at, service_id, quantity, is_applied) select id, started_at, service_id, 1, true from subscription`,
  );
  await db.query(
    `insert into usage_month (subscription_id, month, event_count, sum, max, last_value, last_at) select b.id, month, 100, (('x' || substr(md5(b.id || month), 1, 6))::bit(24)::int % 100000) / 7.0, 5, 5, now() from subscription b, unnest($1::text[]) as month where b.service_id = $2`,
    [months, services[0]],
  );
}

/**
 * Counts the database's content independently of the console: every wrong bill, number, booking or
 * notification increases a count.
 */
export async function countsOf(db: Query, month: string): Promise<Record<string, string>> {
  const { rows } = await db.query<Record<string, string>>(
    `
    with due as (select b.organization_id, sum(round(coalesce(u.sum * 0.37, 333.5))) as net from subscription b left join usage_month u on u.subscription_id = b.id and u.month = $1
        where b.started_at < '2010-01-01' group by 1),
      wrong as (select d.organization_id from due d full join (select * from bill where month = $1) b on b.organization_id = d.organization_id where b.net_minor is distinct from d.net or b.tax_minor is distinct from round(d.net * 0.05) or b.total_minor is distinct from d.net + round(d.net * 0.05)),
      numbered as (select sequence, row_number() over (order by organization_id) as place from bill where month = $1)
    select (select count(*) from bill where month = $1) as bills, (select count(*) from wrong) as wrong, (select count(*) from numbered where sequence <> place) as misplaced,
      (select last_number from bill_series where series = 'B-' || replace($1, '-', ''))::text as last_number, (select count(*) from bill_line l join bill b on b.id = l.bill_id where b.month = $1) as lines,
      (select count(*) from bill b where (select count(*) from ledger_transaction t where t.kind = 'bill' and t.reference = b.id) <> 1) as unbooked,
      (select coalesce(sum(balance_minor), 0) from ledger_account where kind = 'receivable') - (select coalesce(sum(total_minor), 0) from bill) as owed_wrong, (select coalesce(sum(amount_minor), 0) from ledger_entry) as unbalanced,
      (select count(*) from month_closed m join organization o on o.id = m.organization_id where m.month = $1 and o.created_at < '2010-01-01') as closed, (select count(*) from bill_parked) as parked, (select count(*) from audit_fault()) as audit_faults`,
    [month],
  );
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, String(value)]));
}
/** The result of {@link countsOf} for a month that was closed exactly once for all of them. */
export const rightCounts = (organizations: number): Record<string, string> => ({
  bills: String(organizations),
  wrong: '0',
  misplaced: '0',
  last_number: String(organizations),
  lines: String(2 * organizations),
  unbooked: '0',
  owed_wrong: '0',
  unbalanced: '0',
  closed: String(organizations),
  parked: '0',
  audit_faults: '0',
});
