// When and by which channels a notification is sent: preferences, quiet hours and the daily digest, in the
// reader's time zone.
import '#temporal';
import {
  channels,
  notificationCategories,
  type Category,
  type Channel,
  type ChannelProblem,
  type DeliveryPreferences,
} from './contract.ts';
import type { KindRule } from './rules-kinds.ts';

/** The data of a user that determine delivery. `problem`: why a channel cannot be used at all. */
export type ReachableUser = {
  readonly timeZone: string;
  readonly preferences: DeliveryPreferences;
  /** The profile's switch for each channel; for push, a registered device counts as on. */
  readonly isOn: Readonly<Record<Channel, boolean>>;
  readonly problem: Readonly<Record<Channel, ChannelProblem | null>>;
};

/** One delivery: immediately (null) or at a moment; `digest`: combined with others into one e-mail. */
export type PlannedDelivery = {
  readonly channel: Channel;
  readonly dueAt: Date | null;
  readonly isDigest: boolean;
};

/** The defaults: every category by every enabled channel, no quiet hours, no digest. */
export const initialPreferences: DeliveryPreferences = {
  matrix: Object.fromEntries(
    notificationCategories.map((category) => [category, { email: true, sms: true, push: true }]),
  ) as Record<Category, Record<Channel, boolean>>,
  quietHours: null,
  digest: null,
};

/**
 * The error in preferences; undefined when there is none. Quiet hours whose start equals their end would be
 * ambiguous: a whole day or none.
 */
export function preferencesMistake({
  quietHours,
}: Pick<DeliveryPreferences, 'quietHours'>): 'notifications.quiet_empty' | undefined {
  return quietHours && quietHours.from === quietHours.to ? 'notifications.quiet_empty' : undefined;
}

const toDate = (zoned: Temporal.ZonedDateTime): Date => new Date(zoned.epochMilliseconds);
const localDay = (moment: Date, zone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone).toPlainDate();
/**
 * A time of day in a time zone. A time that a DST change skips moves forward by the gap; of a repeated time,
 * the first is used.
 */
const at = (day: Temporal.PlainDate, time: string, zone: string): Temporal.ZonedDateTime =>
  day.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(time) });

/**
 * When the quiet hours around a moment end; undefined outside of them. Their start is inclusive, their end
 * exclusive.
 */
export function quietEnd(
  moment: Date,
  quiet: DeliveryPreferences['quietHours'],
  zone: string,
): Date | undefined {
  if (!quiet) return undefined;
  const today = localDay(moment, zone);
  for (const first of [today.subtract({ days: 1 }), today]) {
    const start = at(first, quiet.from, zone);
    const end = at(quiet.to > quiet.from ? first : first.add({ days: 1 }), quiet.to, zone);
    if (start.epochMilliseconds <= moment.getTime() && moment.getTime() < end.epochMilliseconds)
      return toDate(end);
  }
  return undefined;
}

/** The next moment after `moment` at which it is this hour in a time zone. */
export function nextHour(moment: Date, hour: number, zone: string): Date {
  const time = `${String(hour).padStart(2, '0')}:00`;
  const today = localDay(moment, zone);
  const first = at(today, time, zone);
  return toDate(first.epochMilliseconds > moment.getTime() ? first : at(today.add({ days: 1 }), time, zone));
}

/** Plans the deliveries of one notification to a user, with their times. */
export function planDeliveries(rule: KindRule, reach: ReachableUser, now: Date): PlannedDelivery[] {
  const {
    preferences: { matrix, quietHours, digest },
    timeZone,
  } = reach;
  return channels
    .filter((channel) => rule.channels.includes(channel) && reach.problem[channel] === null)
    .flatMap((channel): PlannedDelivery[] => {
      if (channel === 'email' && rule.isLocked) return [{ channel, dueAt: null, isDigest: false }];
      if (!reach.isOn[channel] || !matrix[rule.category][channel]) return [];
      if (channel === 'email' && digest?.categories.includes(rule.category)) {
        const hour = nextHour(now, digest.hour, timeZone);
        return [{ channel, dueAt: quietEnd(hour, quietHours, timeZone) ?? hour, isDigest: true }];
      }
      return [{ channel, dueAt: quietEnd(now, quietHours, timeZone) ?? null, isDigest: false }];
    });
}

/** A notification read in the console at least this many seconds before its delivery is not sent. */
export const readAheadSeconds = 30;
