// Validates meters, determines which changes alter what is measured, and builds an example event.
import * as z from 'zod/mini';
import {
  DataSchema,
  maxFilterProperties,
  usualSampleMinutes,
  type Definition,
  type Filter,
  type Meter,
  type meterErrors,
} from './contract.ts';

const keyPattern = /^[A-Za-z0-9._-]{1,60}$/;
/** Whether a text is a valid meter key. */
export const isMeterKey = (key: string): boolean => keyPattern.test(key);

const minutesOfDay = 1440;

/** Why a definition is invalid beyond its schema: the error's code and the field. */
export type DefinitionIssue = {
  readonly code: keyof typeof meterErrors;
  readonly field: keyof Definition;
  readonly params?: Readonly<Record<string, number>>;
};

/** Returns the first error in what a meter measures; undefined if there is none. */
export function definitionIssue(definition: Definition): DefinitionIssue | undefined {
  const { aggregation, property, p, sampleMinutes, dimensions, filter } = definition;
  if (aggregation === 'unique_count' && property === undefined)
    return { code: 'meters.property_needed', field: 'property' };
  if (aggregation === 'percentile') {
    if (p === undefined) return { code: 'meters.percentile_needed', field: 'p' };
    if (sampleMinutes !== undefined && !dividesDay(sampleMinutes))
      return { code: 'meters.samples_uneven', field: 'sampleMinutes' };
  } else if (p !== undefined) return { code: 'meters.percentile_only', field: 'p' };
  else if (sampleMinutes !== undefined) return { code: 'meters.percentile_only', field: 'sampleMinutes' };
  const reserved = (['property', 'dimensions', 'filter'] as const).find((field) =>
    namesIn(definition, field).includes(valueName),
  );
  if (reserved !== undefined) return { code: 'meters.value_reserved', field: reserved };
  if (new Set(dimensions).size < dimensions.length)
    return { code: 'meters.dimensions_repeat', field: 'dimensions' };
  if (filter !== undefined && Object.keys(filter).length > maxFilterProperties)
    return { code: 'meters.filter_too_wide', field: 'filter', params: { most: maxFilterProperties } };
  return undefined;
}

/** The number that an event reports; metering stores it separately from the other properties. */
const valueName = 'value';

function namesIn(
  { property, dimensions, filter = {} }: Definition,
  field: 'property' | 'dimensions' | 'filter',
): readonly string[] {
  if (field === 'dimensions') return dimensions;
  return field === 'filter' ? Object.keys(filter) : property === undefined ? [] : [property];
}

/** Whether samples of a number of minutes fill a day exactly. */
export const dividesDay = (minutes: number): boolean =>
  Number.isInteger(minutes) && minutes > 0 && minutesOfDay % minutes === 0;

/**
 * Returns a definition in the canonical form in which it is stored and compared: a percentile with its sample
 * length, a filter's values sorted without duplicates, and no filter instead of an empty one.
 */
export function normalized(definition: Definition): Definition {
  const { eventType, aggregation, property, p, unit, dimensions } = definition;
  const filter = normalizedFilter(definition.filter);
  const sampleMinutes =
    definition.sampleMinutes ?? (aggregation === 'percentile' ? usualSampleMinutes : undefined);
  return {
    eventType,
    aggregation,
    unit,
    dimensions,
    ...(property !== undefined && { property }),
    ...(p !== undefined && { p }),
    ...(sampleMinutes !== undefined && { sampleMinutes }),
    ...(filter && { filter }),
  };
}

function normalizedFilter(filter: Filter | undefined): Filter | undefined {
  const entries = Object.entries(filter ?? {});
  if (entries.length === 0) return undefined;
  return Object.fromEntries(
    entries
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, values]) => [name, [...new Set(values)].toSorted()]),
  );
}

/** A change of a definition: missing fields are unchanged, null removes them. */
export type DefinitionChange = {
  readonly [Field in keyof Definition]?: Definition[Field] | null | undefined;
};

/**
 * Returns the definition after a change. With a different aggregation, property, percentile and sample length
 * come from the change only: they belonged to the previous one.
 */
export function changedDefinition(before: Definition, change: DefinitionChange): Definition {
  const own =
    (change.aggregation ?? before.aggregation) === before.aggregation
      ? before
      : { property: undefined, p: undefined, sampleMinutes: undefined };
  const chosen = <T>(next: T | null | undefined, now: T | undefined): T | undefined =>
    next === undefined ? now : (next ?? undefined);
  const property = chosen(change.property, own.property);
  const p = chosen(change.p, own.p);
  const sampleMinutes = chosen(change.sampleMinutes, own.sampleMinutes);
  const filter = chosen(change.filter, before.filter);
  return {
    eventType: change.eventType ?? before.eventType,
    aggregation: change.aggregation ?? before.aggregation,
    unit: change.unit ?? before.unit,
    dimensions: change.dimensions ?? before.dimensions,
    ...(property !== undefined && { property }),
    ...(p !== undefined && { p }),
    ...(sampleMinutes !== undefined && { sampleMinutes }),
    ...(filter && { filter }),
  };
}

/** Returns the fields in which two canonical definitions differ. The order of dimensions does not matter. */
export function differingFields(before: Definition, after: Definition): (keyof Definition)[] {
  const text = (definition: Definition, field: keyof Definition): string =>
    JSON.stringify(field === 'dimensions' ? definition.dimensions.toSorted() : (definition[field] ?? null));
  return (
    ['eventType', 'aggregation', 'property', 'p', 'sampleMinutes', 'unit', 'dimensions', 'filter'] as const
  ).filter((field) => text(before, field) !== text(after, field));
}

/**
 * Returns a CloudEvent that the meter counts, as formatted JSON for copying; the sender fills in the parts in
 * angle brackets. `at` is its time.
 */
export function exampleEvent(meter: Definition & Pick<Meter, 'key'>, at: Date): string {
  const places = Object.fromEntries(
    [...meter.dimensions, ...(meter.property === undefined ? [] : [meter.property])].map((name) => [
      name,
      `<${name}>`,
    ]),
  );
  const counted = Object.fromEntries(
    Object.entries(meter.filter ?? {}).map(([name, [first = '']]) => [name, first]),
  );
  const hasValue = meter.aggregation !== 'count' && meter.aggregation !== 'unique_count';
  return JSON.stringify(
    {
      specversion: '1.0',
      id: `${meter.key}-1`,
      source: '/example',
      type: meter.eventType,
      subject: '<subscription id>',
      time: at.toISOString().replace(/\.\d+Z$/, 'Z'),
      datacontenttype: 'application/json',
      data: { ...(hasValue && { [valueName]: '1' }), ...places, ...counted },
    },
    null,
    2,
  );
}

/** Parses a schema's text as a JSON object; null for an empty text, undefined if it is not a JSON object. */
export function schemaOf(written: string): DataSchema | null | undefined {
  if (written.trim() === '') return null;
  try {
    const read = z.safeParse(DataSchema, JSON.parse(written));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
