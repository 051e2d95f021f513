// Rules of connectors: which windows are read when, who owns a reading, and which events it becomes. No
// clock, no database.
import { decimal, decimalPattern, decimalText, divide, type Decimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { isId } from '#kernel/ids.ts';
import type { Mapping, Measure, Rule } from './contract.ts';

const secondMs = 1000;

/** From its start (inclusive) to its end (exclusive). */
export type Window = { readonly start: Date; readonly end: Date };

/**
 * Returns the start of the window that contains a time; windows start at whole multiples of their length,
 * counted from 1970 in UTC.
 */
export function windowStart(at: Date, windowSeconds: number): Date {
  const length = windowSeconds * secondMs;
  return new Date(Math.floor(at.getTime() / length) * length);
}

/**
 * Returns the next window to read; undefined while it has not ended, or is so recent that the source may
 * still receive samples for it.
 */
export function nextWindow(
  readUntil: Date,
  windowSeconds: number,
  settleSeconds: number,
  now: Date,
): Window | undefined {
  const end = new Date(readUntil.getTime() + windowSeconds * secondMs);
  return end.getTime() + settleSeconds * secondMs <= now.getTime() ? { start: readUntil, end } : undefined;
}

/** Returns when the next window can be read. */
export const readableAt = (readUntil: Date, windowSeconds: number, settleSeconds: number): Date =>
  new Date(readUntil.getTime() + (windowSeconds + settleSeconds) * secondMs);

/** Returns the seconds since the oldest unread window became readable; 0 if there is none. */
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
/**
 * Returns how long to wait after a number of consecutive failures, in seconds: doubling each time up to an
 * hour, and never less than the source asked for.
 */
export function pauseAfter(failures: number, retryAfter: number | null): number {
  const own = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(failures - 1, 10));
  return Math.max(own, Math.min(retryAfter ?? 0, 86_400));
}

/**
 * Returns the value at a path such as `labels.project`; also finds a field whose own name contains dots.
 * Undefined if there is none.
 */
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

/** Returns a field as the text that rules compare with; undefined if it is not a text, number or boolean. */
export function fieldText(fields: unknown, path: string): string | undefined {
  const value = fieldAt(fields, path);
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Whether a rule matches a resource's fields. */
export function meetsRule(rule: Rule, fields: unknown): boolean {
  const value = fieldText(fields, rule.field);
  if (value === undefined) return false;
  return rule.value.endsWith('*') ? value.startsWith(rule.value.slice(0, -1)) : value === rule.value;
}

export type Owner = {
  readonly subscriptionId: Id<'sub'>;
  /** The index of the rule that decided; null if a field or an Admin did. */
  readonly rule: number | null;
};

/**
 * Determines whose usage a reading is: by an Admin's assignment, then by the field with the subscription,
 * then by the first matching rule.
 */
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

/** The decimal digits that a 64-bit floating-point number represents exactly. */
const certainDigits = 15;
const fractionDigits = 12;

/**
 * Converts the result of an expression to a decimal; undefined if it is none. A number counts with its 15
 * exact digits.
 */
export function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) ? decimal(plain(value.toPrecision(certainDigits))) : undefined;
  if (typeof value !== 'string' || value.length > 100 || !/^-?\d+(\.\d+)?(e[+-]?\d{1,2})?$/i.test(value))
    return undefined;
  return decimal(plain(value));
}

/** Expands a decimal text with an exponent into plain digits. */
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
 * Returns the quantity of an event: the result of its expression in the meter's unit, rounded once, half away
 * from zero, to the 12 fraction digits of metering. Undefined if it is not a number, is negative, or has more
 * digits than metering accepts.
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

/** Returns a dimension's value as text; undefined if it is missing or not representable. */
export function dimensionOf(result: unknown): string | undefined {
  if (typeof result === 'string') return result === '' ? undefined : result.slice(0, 200);
  return typeof result === 'number' || typeof result === 'boolean' ? String(result) : undefined;
}

/**
 * The id that makes an event the same whenever its window is read again. It contains the event type but not
 * the mapping's expressions: a changed mapping must not count a window twice.
 */
export const eventKey = (resource: string, window: Window, eventType: string): string =>
  JSON.stringify([resource, window.start.toISOString(), window.end.toISOString(), eventType]);

/**
 * The time of a window's event: the window's start, or the subscription's start if that lies within the
 * window, since it cannot have used anything before.
 */
export const eventTime = (window: Window, startedAt: Date | undefined): Date =>
  startedAt && startedAt > window.start && startedAt < window.end ? startedAt : window.start;

/** Returns the first event type that two measures share. */
export function repeatedEventType(measures: readonly Pick<Measure, 'eventType'>[]): number | undefined {
  const seen = new Set<string>();
  for (const [place, { eventType }] of measures.entries()) {
    if (seen.has(eventType)) return place;
    seen.add(eventType);
  }
  return undefined;
}
