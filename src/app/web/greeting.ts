// Chooses the greeting for the time of day, by the clock that every time on the pages is given in.
import { formatOf } from '#platform/web/format/format.ts';

/** `timeZone` is an IANA name: the installation's, as the times beside the greeting. */
export function greetingAt(
  now: Date,
  timeZone: string,
): 'greeting.morning' | 'greeting.afternoon' | 'greeting.evening' {
  const hour = Number(formatOf('enUS', timeZone).time(now).slice(0, 2));
  if (hour >= 5 && hour < 12) return 'greeting.morning';
  return hour >= 12 && hour < 18 ? 'greeting.afternoon' : 'greeting.evening';
}
