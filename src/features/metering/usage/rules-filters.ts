// The properties of an event's data as the filters and dimensions of meters read them.
import type { Meter } from '#features/selling/meters/contract.ts';

type Properties = Readonly<Record<string, unknown>> | null;
/** Reads an own property of an event's data; inherited ones such as `constructor` are ignored. */
export const propertyOf = (properties: Properties, name: string): unknown =>
  properties && Object.hasOwn(properties, name) ? properties[name] : undefined;

/**
 * The text of a property value that a filter or dimension reads; null if it is missing, undefined if it
 * cannot be a text.
 */
export function textOf(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
    ? String(value)
    : undefined;
}

/** Returns the first property that does not meet a filter; undefined if all do. */
export function unmetProperty(filter: Meter['filter'], properties: Properties): string | undefined {
  if (!filter) return undefined;
  return Object.entries(filter).find(([name, values]) => {
    const text = textOf(propertyOf(properties, name));
    return typeof text !== 'string' || !values.includes(text);
  })?.[0];
}
