// Checks of usage events: every accepted event is stored, in a file of its month, or was deleted on purpose, and those that are stored
// are unchanged (I6).
import {
  byStatement,
  findingsOf,
  numberOf,
  rowsOf,
  nonZero,
  type Books,
  type Check,
  type Outcome,
} from './books.ts';

/** The first days of the months (UTC) whose events are known but no longer stored. */
export async function forgottenMonths(books: Books): Promise<readonly string[]> {
  // A correction is stored in the month of the event it takes back, not in that of its arrival.
  const months = await rowsOf<{ month: string }>(
    books,
    `select to_char(month, 'YYYY-MM-DD') as month from (select distinct date_trunc('month', k.time at time zone 'UTC') as month from usage_key k
      where not exists (select from usage_void v where v.by_source_id = k.source_id and v.by_event_id = k.event_id)) as known where to_regclass('usage_event_' || to_char(month, 'YYYYMM')) is null`,
  );
  return months.map(({ month }) => month);
}

/** The same as an SQL list; months are digits and dashes. */
export const asList = (months: readonly string[]): string =>
  `array[${months.map((month) => `'${month}'`).join(', ')}]::timestamp[]`;

/** How many events of each month (its first day, UTC) were moved to files. */
const archived = (books: Books): string =>
  books.has('usage_archive_part.event_count')
    ? `select (a.month || '-01')::timestamp as month, sum(p.event_count) as events from usage_archive a join usage_archive_part p on p.archive_id = a.id where a.completed_at is not null group by 1`
    : 'select null::timestamp as month, 0::numeric as events where false';

const findings = (books: Books, forgotten: readonly string[]): string => {
  // An event of another meter than its service's own has its type in its digest, too.
  const ofType = books.has('usage_event.type') ? 'coalesce(hashtextextended(e.type, 0), 0)' : '0::bigint';
  const isForgotten = (time: string): string =>
    `date_trunc('month', ${time} at time zone 'UTC') = any(${asList(forgotten)})`;
  return `
    with archived as (${archived(books)}), known as (
      select k.source_id, k.event_id, k.time, k.digest, v.by_event_id is not null as is_correction, coalesce(t.time, k.time) as happened_at
      from usage_key k left join usage_void v on v.by_source_id = k.source_id and v.by_event_id = k.event_id left join usage_key t on t.source_id = v.source_id and t.event_id = v.event_id
    )
    select 'event_lost' as code, k.source_id || ' ' || k.event_id as subject, to_char(k.happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as expected, '' as actual
      from known k where not ${isForgotten('k.happened_at')} and not exists (select from archived a where a.month = date_trunc('month', k.happened_at at time zone 'UTC')) and not exists (select from usage_event e where e.source_id = k.source_id and e.event_id = k.event_id)
    union all select 'event_unknown', e.source_id || ' ' || e.event_id, e.subscription_id, '' from usage_event e where not exists (select from usage_key k where k.source_id = e.source_id and k.event_id = e.event_id)
    union all select 'event_changed', e.source_id || ' ' || e.event_id, k.digest::text, (hash_record_extended(row(e.subscription_id, e.time, e.value, e.properties), 0) # ${ofType})::text
      from usage_event e join usage_key k on k.source_id = e.source_id and k.event_id = e.event_id
      where e.voided_event_id is null and (k.time <> e.time or k.digest # ${ofType} not in (hash_record_extended(row(e.subscription_id, e.time, e.value, e.properties), 0), hash_record_extended(row(e.subscription_id, null::timestamptz, e.value, e.properties), 0)))
    union all select 'event_twice', e.source_id || ' ' || e.event_id, '1', count(*)::text from usage_event e group by e.source_id, e.event_id having count(*) > 1
    union all select 'correction_differs', c.source_id || ' ' || c.event_id, (-e.value)::text, c.value::text
      from usage_event c join usage_event e on e.source_id = c.voided_source_id and e.event_id = c.voided_event_id and e.voided_event_id is null where c.value <> -e.value or c.subscription_id <> e.subscription_id
    union all select 'correction_unknown', c.source_id || ' ' || c.event_id, c.voided_source_id || ' ' || c.voided_event_id, ''
      from usage_event c where c.voided_event_id is not null and not exists (select from usage_void v where v.by_source_id = c.source_id and v.by_event_id = c.event_id and v.source_id = c.voided_source_id and v.event_id = c.voided_event_id)
    union all select 'month_vanished', to_char(month, 'YYYY-MM'), 'deleted by the retention settings', 'no such deletion in the audit log'
      from unnest(${asList(forgotten)}) as months (month) where not exists (select from archived a where a.month = months.month) and not exists (select from audit_log where action = 'usage.forgetEvents' and subject >= to_char(month, 'YYYY-MM'))
    union all select 'archive_incomplete', to_char(a.month, 'YYYY-MM'), 'at least ' || k.count, (a.events + e.count)::text from archived a
      cross join lateral (select count(*) from known k where k.happened_at >= a.month at time zone 'UTC' and k.happened_at < (a.month + interval '1 month') at time zone 'UTC') as k
      cross join lateral (select count(*) from usage_event e where e.time >= a.month at time zone 'UTC' and e.time < (a.month + interval '1 month') at time zone 'UTC') as e
      where k.count > a.events + e.count`;
};

async function run(books: Books): Promise<Outcome> {
  const forgotten = await forgottenMonths(books);
  return {
    examined: await numberOf(books, 'select count(*) from usage_key'),
    ...(await findingsOf(books, findings(books, forgotten))),
    notes: nonZero([
      { code: 'months_forgotten', count: String(forgotten.length) },
      {
        code: 'events_archived',
        count: await numberOf(books, `select coalesce(sum(events), 0) from (${archived(books)}) as a`),
      },
      {
        code: 'events_rejected',
        count: books.has('rejected_event.times')
          ? await numberOf(books, 'select coalesce(sum(times), 0) from rejected_event')
          : '0',
      },
    ]),
  };
}

const eventsAreStored: Check = {
  id: 'events',
  invariants: ['I6'],
  title:
    'Every accepted event is stored unchanged or archived, unless its month was deleted by the retention settings',
  unit: 'events',
  isPerOrganization: false,
  run,
};

const countersAreRight: Check = {
  id: 'event-sources',
  invariants: ['I6'],
  title: 'Every event belongs to a source and a subscription',
  unit: 'sources',
  isPerOrganization: false,
  run: byStatement(
    () => 'select count(*) from usage_source',
    () => `select 'source_unknown' as code, k.source_id::text as subject, '' as expected, count(*) || ' events' as actual from usage_key k where not exists (select from usage_source s where s.id = k.source_id) group by k.source_id
      union all select 'subscription_unknown', e.subscription_id, '', count(*) || ' events' from usage_event e where not exists (select from subscription s where s.id = e.subscription_id) group by e.subscription_id`,
  ),
};

export const eventChecks: readonly Check[] = [eventsAreStored, countersAreRight];
