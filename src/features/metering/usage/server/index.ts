// The public API of usage on the server: routes, and functions for other features.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { usage, usageErrors } from '../contract.ts';
import { ingest } from './ingest-events.ts';
import { partitionsJob } from './partitions.ts';
import { charges } from './charge-months.ts';
import { daily } from './daily.ts';
import { events, usageMonths } from './read.ts';
import { statistics } from './statistics.ts';

export const usageFeature = feature({
  name: 'usage',
  contract: usage,
  errors: usageErrors,
  verbs: { ingest, statistics, charges, daily, events, usageMonths },
  jobs: [partitionsJob],
  ownUnitOfWork: ['ingest'],
});

export { usageRecorded, usageRejected, type RejectedEvent, type UsageChange } from './publish-usage.ts';
export type { ItemResult } from './incoming-events.ts';
export { isValueTooLarge, maxValueDigits } from './data-schemas.ts';
export { askCreditChecks } from './store-credit-cover.ts';
export { recordUsage } from './record-usage.ts';
export { mainCurrency, statistics, statisticsOf } from './statistics.ts';
export { rejectedMessage, takeMessages } from './take-messages.ts';
export { daily, daysOfCharge, figuresOfPlaces, monthSumText } from './daily.ts';
export { monthSums, type MonthSum } from './month-sums.ts';
export { billedDays, type BilledDays } from './billed-days.ts';
export { daysOfPeriod, measuredLine, type DayOfUsage } from './days-of-period.ts';
export type { CellNaming, ChargeSeries } from './charge-days.ts';
export type { UsagePlace } from './price-periods.ts';
export { daysFrom, daysOf, meteredOf, monthsOf, usedNow, type Metered } from './read.ts';
export { countedUsage, type CountedUsage } from './counted-usage.ts';
export { eventsOfBill } from './billed-events.ts';
export type { BilledEvent } from './store-events-of-bill.ts';
export { chargedMeters, metersOfSubscriptions } from './meters-of-services.ts';
export { quantitiesOfMonths } from './meter-quantities.ts';
export { levelSteps } from './levels.ts';
export { uncountedMeters } from './meters-of-services.ts';
export { eventsDeletedUntil } from './months-left.ts';
export { archiveEvents, eventRetentionMonths, forgetEventIds } from './partitions.ts';
export { moveArchives } from './archive-events.ts';
export { everyArchivedEvent } from './archived-events.ts';
export { ArchiveDamaged, EventStoreUnavailable } from './archive-errors.ts';
export { assertClickhouse } from './event-archive-clickhouse.ts';
export { archiveTotals, hasArchives, type ArchiveKind } from './store-archive.ts';
export { isCountable } from './usage-from-events.ts';
export { keyDimension, propertyDimension } from '../rules-dimensions.ts';
export { firstSeen } from './store-first-seen.ts';
export { billableIn, billableSubscriptions, loadMonths, type LoadedMonths } from './billable.ts';
export { uncountedSince } from './add-ons.ts';
export { openEventsOf } from './store-unbilled.ts';
