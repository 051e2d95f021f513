// Rules of connectors: which windows are read when, whose a reading is, and which events become of it. No clock, no database.
import { decimal, decimalPattern, decimalText, divide, type Decimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { isId } from '#kernel/ids.ts';
import type { Mapping, Measure, Rule } from './contract.ts';

const secondMs = 1000;

/** From its start, included, to its end, not included. */
export type Window = { readonly start: Date; readonly end: Date };

/** The start of the window that a moment lies in; windows of a length begin at whole multiples of it, counted from 1970 in UTC. */
export function windowStart(at: Date, windowSeconds: number): Date {
  const length = windowSeconds * secondMs;
  return new Date(Math.floor(at.getTime() / length) * length);
}

/** The next window to read; undefined while it is not over, or so new that the source may still get samples of it. */
export function nextWindow(
  readUntil: Date,
  windowSeconds: number,
  settleSeconds: number,
  now: Date,
): Window | undefined {
  const end = new Date(readUntil.getTime() + windowSeconds * secondMs);
  return end.getTime() + settleSeconds * secondMs <= now.getTime() ? { start: readUntil, end } : undefined;
}

/** When the next window can be read. */
export const readableAt = (readUntil: Date, windowSeconds: number, settleSeconds: number): Date =>
  new Date(readUntil.getTime() + (windowSeconds + settleSeconds) * secondMs);

/** Seconds since the oldest window that was not read could have been; 0 when none could. */
export const lagSeconds = (
  readUntil: Date,
  windowSeconds: number,
  settleSeconds: number,
  now: Date,
): number =>
  Math.max(
    0,
    Math.floor((now.getTime() - readableAt(readUntil, windowSeconds, settleSeconds).getTime()) / secondMs),
  );

const firstPauseSeconds = 30;
const longestPauseSeconds = 3600;
/** How long to wait after so many failures in a row, in seconds: twice as long each time, an hour at most, and never less than the source asked for. */
export function pauseAfter(failures: number, retryAfter: number | null): number {
  const own = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(failures - 1, 10));
  return Math.max(own, Math.min(retryAfter ?? 0, 86_400));
}

/** What a path such as `labels.project` leads to; a field whose own name has dots is found too. Undefined when there is nothing. */
export function fieldAt(fields: unknown, path: string): unknown {
  if (typeof fields !== 'object' || fields === null) return undefined;
  const record = fields as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(record, path)) return record[path];
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    if (!Object.hasOwn(record, head)) continue;
    const found = fieldAt(record[head], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A field as a text that rules compare with; undefined when it is neither a text, nor a number, nor a yes or no. */
export function fieldText(fields: unknown, path: string): string | undefined {
  const value = fieldAt(fields, path);
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Whether a rule takes a resource. */
export function meetsRule(rule: Rule, fields: unknown): boolean {
  const value = fieldText(fields, rule.field);
  if (value === undefined) return false;
  return rule.value.endsWith('*') ? value.startsWith(rule.value.slice(0, -1)) : value === rule.value;
}

export type Owner = {
  readonly subscriptionId: Id<'sub'>;
  /** The place of the rule that decided; null when a field or an Admin did. */
  readonly rule: number | null;
};

/** Whose a reading is: the assignment of an Admin, then the field with the subscription, then the first rule that it meets. */
export function ownerOf(
  mapping: Pick<Mapping, 'subscriptionField' | 'rules'>,
  fields: unknown,
  assigned: Id<'sub'> | null,
): Owner | undefined {
  if (assigned !== null) return { subscriptionId: assigned, rule: null };
  if (mapping.subscriptionField !== '') {
    const named = fieldText(fields, mapping.subscriptionField);
    if (isId('sub', named)) return { subscriptionId: named, rule: null };
  }
  const rule = mapping.rules.findIndex((each) => meetsRule(each, fields));
  const found = mapping.rules[rule];
  return found && { subscriptionId: found.subscriptionId, rule };
}

/** Digits that a binary number of 64 bits holds for certain. */
const certainDigits = 15;
const fractionDigits = 12;

/** The decimal that the result of an expression stands for; undefined when it is none. A number counts with its 15 certain digits. */
export function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) ? decimal(plain(value.toPrecision(certainDigits))) : undefined;
  if (typeof value !== 'string' || value.length > 100 || !/^-?\d+(\.\d+)?(e[+-]?\d{1,2})?$/i.test(value))
    return undefined;
  return decimal(plain(value));
}

/** A decimal text without an exponent, digit by digit. */
function plain(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const shift = Number.parseInt(exponent, 10);
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  const point = whole.length + shift;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits}${'0'.repeat(point - digits.length)}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/**
 * The quantity of an event: the result of its expression in the unit of the meter, rounded once, half away from zero, to the 12 fraction
 * digits of metering. Undefined when it is no number, is negative, or has more digits than metering takes.
 */
export function quantityOf(
  result: unknown,
  { multiplyBy, divideBy }: Pick<Measure, 'multiplyBy' | 'divideBy'>,
): string | undefined {
  const value = decimalOf(result);
  if (!value || value.lt('0')) return undefined;
  const text = decimalText(divide(value.times(decimal(multiplyBy)), decimal(divideBy), fractionDigits));
  return decimalPattern.test(text) ? text : undefined;
}

/** A dimension's value as a text; undefined when it is missing or none. */
export function dimensionOf(result: unknown): string | undefined {
  if (typeof result === 'string') return result === '' ? undefined : result.slice(0, 200);
  return typeof result === 'number' || typeof result === 'boolean' ? String(result) : undefined;
}

/**
 * What makes an event the same one whenever its window is read again. The type of the event is in it and the words of the mapping are not:
 * a mapping that was changed must not count a window twice.
 */
export const eventKey = (resource: string, window: Window, eventType: string): string =>
  JSON.stringify([resource, window.start.toISOString(), window.end.toISOString(), eventType]);

/**
 * When an event of a window happened: at the window's start, or at that of the subscription that began within the window, since usage from
 * before it cannot be its.
 */
export const eventTime = (window: Window, startedAt: Date | undefined): Date =>
  startedAt && startedAt > window.start && startedAt < window.end ? startedAt : window.start;

/** The first event type that two measures have. */
export function repeatedEventType(measures: readonly Pick<Measure, 'eventType'>[]): number | undefined {
  const seen = new Set<string>();
  for (const [place, { eventType }] of measures.entries()) {
    if (seen.has(eventType)) return place;
    seen.add(eventType);
  }
  return undefined;
}
