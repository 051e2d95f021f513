// Checks of rollups: hours from events, days and months from hours (I6).
import {
  byStatement,
  numberOf,
  owned,
  nonZero,
  findingsOf,
  type Books,
  type Check,
  type Note,
  type Outcome,
} from './books.ts';
import { asList, forgottenMonths } from './events.ts';

/** When organizations got another time zone: by themselves, by an Admin, or from a file. */
export const zoneChanges = `select a.subject as id, a.at from audit_log a where a.subject like 'org\\_%' and a.detail -> 'before' ? 'timeZone'`;
/**
 * Organizations whose time zone was changed while they had subscriptions: their older days and months were
 * cut in another zone.
 */
export const zoneMoved = `select z.id from (${zoneChanges}) z where exists (select from subscription s where s.organization_id = z.id and s.created_at <= z.at)`;
const zonedSubscriptions = `select s.id, o.time_zone as zone, o.id in (${zoneMoved}) as moved from subscription s join organization o on o.id = s.organization_id where ${owned('o.id')}`;
const movedNote = async (books: Books): Promise<Note> => ({
  code: 'zone_changed',
  count: await numberOf(books, `select count(*) from (${zonedSubscriptions}) as mine where moved`),
});
const slot = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')`;
const nothing = `'nothing'`;
/** Figures as one text: count, sum, maximum, last value, and optionally more. */
const figures = (of: string, more = ''): string =>
  `concat_ws(' / ', ${of}.event_count, trim_scale(${of}.sum), trim_scale(${of}.max), trim_scale(${of}.last_value)${more})`;

/** A console of an earlier release counted each subscription by one meter. */
const hasMeters = (books: Books): boolean => books.has('usage_hour.meter');
const meterOf = (books: Books, of: string): string => (hasMeters(books) ? `${of}.meter` : `''::text`);
const cellOf = (books: Books, of: string): string => (hasMeters(books) ? `${of}.cell` : `''::text`);
/** The meter under which an event counts once: '' is its service's own one, '*' are all others together. */
const countedUnder = (books: Books): string =>
  books.has('usage_event.type') ? `case when e.type is null then '' else '*' end` : `''::text`;
/** Names a stream and a slot of it, as findings say it. */
const streamName = (of: string, slot: string): string =>
  `concat_ws(' ', ${of}.subscription_id, ${slot}, nullif(${of}.meter, ''), nullif(${of}.cell, ''))`;

const event = (
  books: Books,
): string => `select e.subscription_id, ${countedUnder(books)} as meter, m.zone, m.moved, e.time, e.value, e.source_id, e.event_id, e.voided_event_id is not null as is_correction, e.voided_event_id is null and v.event_id is null as counts
  from usage_event e join mine m on m.id = e.subscription_id left join usage_void v on v.source_id = e.source_id and v.event_id = e.event_id`;

/** Hours whose events are all still stored. */
const hours = (books: Books, forgotten: readonly string[]): string => `
    with mine as (${zonedSubscriptions}), event as (${event(books)}),
      placed as (select *, date_trunc('hour', time, zone) as hour from event where not moved),
      summed as (select subscription_id, meter, hour, count(*) filter (where counts) as event_count, coalesce(sum(value) filter (where counts), 0) as sum, coalesce(max(value) filter (where counts), 0) as max, count(*) filter (where is_correction) as void_count from placed group by 1, 2, 3),
      latest as (select distinct on (p.subscription_id, p.meter, p.hour) p.subscription_id, p.meter, p.hour, p.value from placed p join usage_source s on s.id = p.source_id where counts order by 1, 2, 3, p.time desc, (s.source || chr(10) || p.event_id) collate "C" desc),
      counted as (select s.*, coalesce(l.value, 0) as last_value from summed s left join latest l on l.subscription_id = s.subscription_id and l.meter = s.meter and l.hour = s.hour),
      stored as (select h.subscription_id, ${meterOf(books, 'h')} as meter, h.hour, h.event_count, h.sum, h.max, h.last_value, h.void_count from usage_hour h join mine m on m.id = h.subscription_id where not m.moved and ${meterOf(books, 'h')} in ('', '*')
        and not exists (select from unnest(${asList(forgotten)}) as month where h.hour < (month + interval '1 month') at time zone 'UTC' and h.hour + interval '1 hour' > month at time zone 'UTC'))
    select 'hour_differs' as code, coalesce(c.subscription_id, k.subscription_id) || ' ' || ${slot('coalesce(c.hour, k.hour)')} as subject,
        case when c.hour is null then ${nothing} else ${figures('c', ', c.void_count')} end as expected, case when k.hour is null then ${nothing} else ${figures('k', ', k.void_count')} end as actual
      from counted c full join stored k on k.subscription_id = c.subscription_id and k.meter = c.meter and k.hour = c.hour
      where case when c.hour is null then k.event_count <> 0 or k.sum <> 0 or k.void_count <> 0 when k.hour is null then true
        else (c.event_count, c.sum, c.max, c.last_value, c.void_count) is distinct from (k.event_count, k.sum, k.max, k.last_value, k.void_count) end
        -- An hour that reaches into a forgotten month has lost some of its events.
        and not exists (select from unnest(${asList(forgotten)}) as month where coalesce(c.hour, k.hour) < (month + interval '1 month') at time zone 'UTC' and coalesce(c.hour, k.hour) + interval '1 hour' > month at time zone 'UTC')`;

/** Where a zone was changed, hours were cut in two zones, so only the total is compared. */
const totals = (books: Books): string => `
    select 'usage_total_differs' as code, m.id as subject, concat_ws(' / ', coalesce(e.event_count, 0), trim_scale(coalesce(e.sum, 0))) as expected, concat_ws(' / ', coalesce(h.event_count, 0), trim_scale(coalesce(h.sum, 0))) as actual
    from (${zonedSubscriptions}) m left join (select subscription_id, sum(event_count) as event_count, sum(sum) as sum from usage_hour h where ${meterOf(books, 'h')} in ('', '*') group by 1) h on h.subscription_id = m.id
      left join (select e.subscription_id, count(*) as event_count, sum(e.value) as sum from usage_event e left join usage_void v on v.source_id = e.source_id and v.event_id = e.event_id where e.voided_event_id is null and v.event_id is null group by 1) e on e.subscription_id = m.id
    where m.moved and (coalesce(h.event_count, 0), coalesce(h.sum, 0)) <> (coalesce(e.event_count, 0), coalesce(e.sum, 0))`;

async function runHours(books: Books): Promise<Outcome> {
  const forgotten = await forgottenMonths(books);
  const moved = await movedNote(books);
  return {
    examined: await numberOf(
      books,
      `select count(*) from usage_hour h join (${zonedSubscriptions}) m on m.id = h.subscription_id`,
    ),
    ...(await findingsOf(
      books,
      `select * from (${hours(books, forgotten)}) as by_hour${forgotten.length === 0 && moved.count !== '0' ? ` union all select * from (${totals(books)}) as whole` : ''}`,
    )),
    notes: nonZero([{ code: 'months_forgotten', count: String(forgotten.length) }, moved]),
  };
}

const hoursAreEvents: Check = {
  id: 'usage-hours',
  invariants: ['I6'],
  title: 'Hourly usage equals the sum of its events',
  unit: 'hours',
  isPerOrganization: true,
  run: runHours,
};

const ofHours = (
  books: Books,
  key: string,
): string => `select h.subscription_id, ${meterOf(books, 'h')} as meter, ${cellOf(books, 'h')} as cell, ${key} as slot, sum(h.event_count) as event_count, sum(h.sum) as sum, coalesce(max(h.max) filter (where h.event_count > 0), 0) as max,
    coalesce((array_agg(h.last_value order by h.last_at desc, h.last_event collate "C" desc) filter (where h.event_count > 0))[1], 0) as last_value from usage_hour h join mine m on m.id = h.subscription_id where not m.moved group by 1, 2, 3, 4`;
const differs = (
  code: string,
): string => `select '${code}' as code, case when c.slot is null then ${streamName('k', 'k.slot')} else ${streamName('c', 'c.slot')} end as subject,
      case when c.slot is null then ${nothing} else ${figures('c')} end as expected, case when k.slot is null then ${nothing} else ${figures('k')} end as actual
    from counted c full join stored k on k.subscription_id = c.subscription_id and k.meter = c.meter and k.cell = c.cell and k.slot = c.slot
    where c.slot is null or k.slot is null or (c.event_count, c.sum, c.max, c.last_value) is distinct from (k.event_count, k.sum, k.max, k.last_value)`;

const daysAreHours: Check = {
  id: 'usage-days',
  invariants: ['I6'],
  title: 'Daily usage equals the sum of its hours',
  unit: 'days',
  isPerOrganization: true,
  run: byStatement(
    () => `select count(*) from usage_day d join (${zonedSubscriptions}) m on m.id = d.subscription_id`,
    (books) =>
      `with mine as (${zonedSubscriptions}), counted as (${ofHours(books, '((h.hour at time zone m.zone)::date)::text')}), stored as (select d.subscription_id, ${meterOf(books, 'd')} as meter, ${cellOf(books, 'd')} as cell, d.event_count, d.sum, d.max, d.last_value, d.day::text as slot from usage_day d join mine m on m.id = d.subscription_id where not m.moved) ${differs('day_differs')}`,
    async (books) => nonZero([await movedNote(books)]),
  ),
};

const monthsAreHours: Check = {
  id: 'usage-months',
  invariants: ['I6'],
  title: 'Monthly usage equals the sum of its hours',
  unit: 'months',
  isPerOrganization: true,
  run: byStatement(
    () => `select count(*) from usage_month u join (${zonedSubscriptions}) m on m.id = u.subscription_id`,
    (
      books,
    ) => `with mine as (${zonedSubscriptions}), counted as (${ofHours(books, `to_char(h.hour at time zone m.zone, 'YYYY-MM')`)}), stored as (select u.subscription_id, ${meterOf(books, 'u')} as meter, ${cellOf(books, 'u')} as cell, u.event_count, u.sum, u.max, u.last_value, u.distinct_count, u.month::text as slot from usage_month u join mine m on m.id = u.subscription_id where not m.moved),
        seen as (select d.subscription_id, ${meterOf(books, 'd')} as meter, ${cellOf(books, 'd')} as cell, to_char(d.hour at time zone m.zone, 'YYYY-MM') as month, count(distinct d.value) as count from usage_distinct_hour d join mine m on m.id = d.subscription_id where not m.moved group by 1, 2, 3, 4),
        different as (select d.subscription_id, ${meterOf(books, 'd')} as meter, ${cellOf(books, 'd')} as cell, d.month::text as month, count(*) as count from usage_distinct d join mine m on m.id = d.subscription_id where not m.moved group by 1, 2, 3, 4)
      ${differs('month_differs')}
      union all select 'different_values_differ', ${streamName('k', 'k.slot')}, coalesce(s.count, 0) || ' / ' || coalesce(d.count, 0), k.distinct_count::text
        from stored k left join seen s on (s.subscription_id, s.meter, s.cell, s.month) = (k.subscription_id, k.meter, k.cell, k.slot) left join different d on (d.subscription_id, d.meter, d.cell, d.month) = (k.subscription_id, k.meter, k.cell, k.slot)
        where coalesce(s.count, 0) <> k.distinct_count or coalesce(d.count, 0) <> k.distinct_count`,
    async (books) => nonZero([await movedNote(books)]),
  ),
};

export const rollupChecks: readonly Check[] = [hoursAreEvents, daysAreHours, monthsAreHours];
