// The properties of an event's data as the filters and dimensions of meters read them.
import type { Meter } from '#features/selling/meters/contract.ts';

type Properties = Readonly<Record<string, unknown>> | null;
/** A property of an event; inherited ones, such as `constructor`, are not the event's. */
export const propertyOf = (properties: Properties, name: string): unknown =>
  properties && Object.hasOwn(properties, name) ? properties[name] : undefined;

/** The text of a property that a filter or a dimension reads; null for one that is missing, undefined for one that has no such text. */
export function textOf(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
    ? String(value)
    : undefined;
}

/** The first property that is not as a filter wants it; undefined when all are. */
export function unmetProperty(filter: Meter['filter'], properties: Properties): string | undefined {
  if (!filter) return undefined;
  return Object.entries(filter).find(([name, values]) => {
    const text = textOf(propertyOf(properties, name));
    return typeof text !== 'string' || !values.includes(text);
  })?.[0];
}
