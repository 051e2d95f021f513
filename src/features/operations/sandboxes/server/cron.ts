// Computes when a cron expression in UTC is due. Moving a sandbox's clock by a year asks for some twenty
// thousand times, and cron-parser, which pg-boss uses, needs a third of a millisecond for each.
import { hourMs, minuteMs } from '#kernel/durations.ts';

const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

/** The values of one field: `*`, `5`, `1-5`, `1,15`, each with an optional step `/n`. */
function numbersOf(field: string, [least, most]: readonly [number, number]): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const part of field.split(',')) {
    const read = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
    const [first, step] = [Number(read?.[1] ?? least), Number(read?.[3] ?? 1)];
    const last = read?.[2] === undefined ? (read?.[1] === undefined ? most : first) : Number(read[2]);
    if (!read || first < least || last > most || first > last || step === 0)
      throw new Error(`${field} is no field of a cron line`);
    for (let number = first; number <= last; number += step) numbers.add(number);
  }
  return numbers;
}

type Line = {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly isDay: (at: Date) => boolean;
};
const read = new Map<string, Line>();

function lineOf(cron: string): Line {
  const known = read.get(cron);
  if (known) return known;
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== bounds.length) throw new Error(`${cron} is no cron line of five fields`);
  const [minutes, hours, days, months, weekdays] = fields.map((field, index) =>
    numbersOf(field, bounds[index] ?? [0, 0]),
  );
  if (!minutes || !hours || !days || !months || !weekdays) throw new Error(`${cron} is no cron line`);
  const isWeekday = (at: Date): boolean =>
    weekdays.has(at.getUTCDay()) || (at.getUTCDay() === 0 && weekdays.has(7));
  // As in cron: when both day fields are restricted, either one matches.
  const isEither = fields[2] !== '*' && fields[4] !== '*';
  const line: Line = {
    minutes,
    hours,
    isDay: (at) =>
      months.has(at.getUTCMonth() + 1) &&
      (isEither ? days.has(at.getUTCDate()) || isWeekday(at) : days.has(at.getUTCDate()) && isWeekday(at)),
  };
  read.set(cron, line);
  return line;
}

/**
 * The first time after `after`, and not after `until`, that a cron expression is due; undefined when there is
 * none. @throws Error when it is not a cron expression
 */
export function firstDue(cron: string, after: Date, until: Date): Date | undefined {
  const { minutes, hours, isDay } = lineOf(cron);
  let at = new Date((Math.floor(after.getTime() / minuteMs) + 1) * minuteMs);
  while (at <= until) {
    if (!isDay(at) || !hours.has(at.getUTCHours()))
      at = new Date((Math.floor(at.getTime() / hourMs) + 1) * hourMs);
    else if (minutes.has(at.getUTCMinutes())) return at;
    else at = new Date(at.getTime() + minuteMs);
  }
  return undefined;
}

/** The last time after `after`, and not after `until`, that a cron expression is due; undefined when there is none. */
export function lastDue(cron: string, after: Date, until: Date): Date | undefined {
  let last: Date | undefined;
  for (let next = firstDue(cron, after, until); next; next = firstDue(cron, next, until)) last = next;
  return last;
}
