// Selects the greeting for the time of day, in the time zone of all times on the pages.
import { formatOf } from '#platform/web/format/format.ts';

/** `timeZone` is an IANA name: the installation's, like the times next to the greeting. */
export function greetingAt(
  now: Date,
  timeZone: string,
): 'greeting.morning' | 'greeting.afternoon' | 'greeting.evening' {
  const hour = Number(formatOf('enUS', timeZone).time(now).slice(0, 2));
  if (hour >= 5 && hour < 12) return 'greeting.morning';
  return hour >= 12 && hour < 18 ? 'greeting.afternoon' : 'greeting.evening';
}
