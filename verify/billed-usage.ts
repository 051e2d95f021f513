// Whether bills charged what was used, for each subscription and month (I6).
import {
  findingsOf,
  numberOf,
  owned,
  rowsOf,
  type Books,
  type Check,
  type Note,
  type Outcome,
} from './books.ts';
import { zoneMoved } from './rollups.ts';

/** Before the first month whose events are still kept, the arrival time of events is unknown. */
const forgottenUntil = `coalesce((select to_timestamp(right(min(c.relname), 6), 'YYYYMM') from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'usage_event'::regclass), 'infinity')`;

/** Usage of services' own meters; '*' are all events of other meters, each once. An earlier release had none. */
const ofMeters = (books: Books, which: string): string =>
  books.has('usage_month.meter') ? ` and u.meter ${which}` : '';
/** Whether other meters than the service's own counted something in the month, or report a level that goes on. */
const ofOtherMeters = (books: Books): string =>
  books.has('usage_month.meter')
    ? ` or exists (select from usage_month x where x.subscription_id = u.id and x.month = u.month and x.meter <> '') or exists (select from usage_level_hour x where x.subscription_id = u.id and x.meter <> '' and x.hour < u.ends)`
    : '';
/** Whether a price charges no usage: a flat one, or a rate card of fees alone. */
const withoutUsage = (price: string): string =>
  `(${price}.pricing ->> 'model' = 'flat' or ${price}.pricing ->> 'model' = 'rate_card' and not ${price}.pricing @? '$.charges[*] ? (@.kind == "usage")')`;

/*
 * The closed months of subscriptions, with what was used, what was charged, and why the two cannot be
 * compared where they cannot. Not comparable: a flat price charges no usage; days of a trial are free; a
 * level is an average over time, which this program does not compute; a maximum, a last value or a count of
 * different values is charged for each plan and price of a month separately, so such a month is compared only
 * when it has one of each; charges of a rate card have meters of their own. Sums and counts are always compared. Usage that arrives after the close is charged
 * only when the price differs by it, which it need not with included amounts, limits, packages or tiers.
 */
const compared = (books: Books): string => `
  with used as (
    select s.id, c.organization_id, c.month, ((c.month || '-01')::timestamp at time zone o.time_zone) as starts, (((c.month || '-01')::timestamp + interval '1 month') at time zone o.time_zone) as ends,
      c.closed_at, s.trial_ends_at, u.event_count, u.sum, u.max, u.last_value, u.distinct_count, l.quantity as charged
    from month_closed c join organization o on o.id = c.organization_id and ${owned('o.id')} join subscription s on s.organization_id = c.organization_id
      left join usage_month u on u.subscription_id = s.id and u.month = c.month${ofMeters(books, `= ''`)}
      left join (select l.subscription_id, coalesce(l.for_month, b.month) as month, sum(l.quantity) as quantity from bill_line l join bill b on b.id = l.bill_id where b.state <> 'void' and l.kind in ('usage', 'adjustment') group by 1, 2) l
        on l.subscription_id = s.id and l.month = c.month
    where u.subscription_id is not null or l.subscription_id is not null
  ), phase as (
    select subscription_id, service_id, from_at, lag(from_at) over by_time as previous, lead(from_at) over by_time as until from subscription_phase window by_time as (partition by subscription_id order by from_at, position)
  ), offered as (
    -- The plans that were in force in the month; the first one from the start.
    select u.id, u.month, count(distinct v.aggregation) as ways, min(v.aggregation) as aggregation, count(*) as phases, array_agg(distinct p.service_id) as services
    from used u join phase p on p.subscription_id = u.id and (p.previous is null or p.from_at < u.ends) and (p.until is null or p.until > u.starts) join service v on v.id = p.service_id group by 1, 2
  ), judged as (
    select u.*, f.aggregation, f.services, case
      when u.organization_id in (${zoneMoved}) then 'zone_changed'
      when f.id is null then 'no_plan'
      when exists (select from price_version p where p.service_id = any(f.services) and p.effective_from < u.ends and ${withoutUsage('p')})
        or exists (select from price_override p where p.service_id = any(f.services) and p.organization_id = u.organization_id and p.effective_from < u.ends and ${withoutUsage('p')}) then 'flat_price'
      when u.trial_ends_at > u.starts then 'trial'
      when f.ways > 1${ofOtherMeters(books)} then 'several_meters'
      when f.aggregation = 'time_weighted_average' then 'level'
      when f.aggregation not in ('sum', 'count') and (f.phases > 1
        or exists (select from price_version p join price_version e on e.service_id = p.service_id and e.effective_from < p.effective_from where p.service_id = any(f.services) and p.effective_from > u.starts and p.effective_from < u.ends)
        or exists (select from price_override p where p.service_id = any(f.services) and p.organization_id = u.organization_id and (p.effective_from > u.starts and p.effective_from < u.ends or p.effective_until > u.starts and p.effective_until < u.ends))) then 'several_prices'
      end as uncompared, coalesce(case f.aggregation when 'sum' then u.sum when 'count' then u.event_count when 'max' then u.max when 'latest' then u.last_value when 'unique_count' then u.distinct_count end, 0) as quantity
    from used u left join offered f on f.id = u.id and f.month = u.month
  ), explained as (
    select j.*, case when j.uncompared is not null or j.quantity = coalesce(j.charged, 0) then j.uncompared
      -- What came since waits for the next bill.
      when exists (select from late_usage l where l.subscription_id = j.id and l.month = j.month) then 'late_usage'
      -- What a void bill charged is charged by the bill that replaces it, once there is one.
      when exists (select from bill b join bill_line l on l.bill_id = b.id where b.state = 'void' and l.subscription_id = j.id and coalesce(l.for_month, b.month) = j.month) then 'bill_void'
      when (j.starts < ${forgottenUntil} or exists (select from usage_event e where e.subscription_id = j.id and e.time >= j.starts and e.time < j.ends and e.received_at > j.closed_at - interval '10 minutes'))
        and exists (select from (select pricing from price_version where service_id = any(j.services) union all select pricing from price_override where service_id = any(j.services) and organization_id = j.organization_id) as price
          where pricing ->> 'model' <> 'per_unit' or pricing ?| array['included', 'minimum', 'maximum'] or (pricing ->> 'unitPrice')::numeric = 0)
      then 'late_same_price' end as reason from judged j
  )`;

async function run(books: Books): Promise<Outcome> {
  const reasons = await rowsOf<{ code: string; count: string }>(
    books,
    `${compared(books)} select coalesce(reason, 'compared') as code, count(*)::text as count from explained group by 1 order by 1`,
    [books.organization],
  );
  const open = await numberOf(
    books,
    `select coalesce(sum(u.event_count), 0) from usage_month u join subscription s on s.id = u.subscription_id where ${owned('s.organization_id')}${ofMeters(books, `in ('', '*')`)} and not exists (select from month_closed c where c.organization_id = s.organization_id and c.month = u.month)`,
  );
  const notes: Note[] = [
    ...reasons
      .filter(({ code }) => code !== 'compared')
      .map(({ code, count }) => ({ code: `uncompared_${code}`, count })),
    ...(open === '0' ? [] : [{ code: 'events_unbilled', count: open }]),
  ];
  return {
    examined: reasons.find(({ code }) => code === 'compared')?.count ?? '0',
    ...(await findingsOf(
      books,
      `${compared(books)} select 'usage_charged_differently' as code, id || ' ' || month as subject, trim_scale(quantity)::text as expected, trim_scale(coalesce(charged, 0))::text as actual from explained where reason is null and quantity <> coalesce(charged, 0)`,
    )),
    notes,
  };
}

export const billedCheck: Check = {
  id: 'usage-billed',
  invariants: ['I6'],
  title: 'Bills and their adjustments charge exactly the usage of each month',
  unit: 'subscription months',
  isPerOrganization: true,
  run,
};
