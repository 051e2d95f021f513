// The flat form of a meter, and its conversion to the contract.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import { optionalText, text } from '#kernel/shape.ts';
import {
  Filter,
  maxDimensions,
  maxFilterProperties,
  meterAggregations,
  usualSampleMinutes,
  type Meter,
  type meters,
} from '../contract.ts';
import { dividesDay, isMeterKey, schemaOf } from '../rules.ts';

/** The text of a number; whether it is one is checked later. */
const typed = z.string().check(z.trim(), z.maxLength(10));

export const meterFields = z
  .strictObject({
    name: text(160),
    key: text(60),
    eventType: text(200),
    aggregation: z.enum(meterAggregations),
    property: optionalText(100),
    p: typed,
    sampleMinutes: typed,
    unit: text(60),
    /** Comma-separated names. */
    dimensions: optionalText(600),
    /** One line per property: its name, a colon, its values separated by commas. */
    filter: optionalText(20_000),
    dataSchema: optionalText(20_000),
  })
  .check((context) => {
    for (const [field, message] of problems(context.value))
      context.issues.push({
        code: 'custom',
        input: context.value[field],
        path: [field],
        ...(message !== undefined && { message }),
      });
  });
export type MeterFields = z.output<typeof meterFields>;

/** The invalid fields, each with its text key if it has a message of its own. */
function problems(fields: MeterFields): readonly (readonly [keyof MeterFields, string | undefined])[] {
  const { aggregation, property, p, sampleMinutes, dimensions, filter, dataSchema, key } = fields;
  const wrong: (readonly [keyof MeterFields, string | undefined])[] = [];
  const need = (isRight: boolean, field: keyof MeterFields, message?: string): void => {
    if (!isRight) wrong.push([field, message]);
  };
  need(isMeterKey(key), 'key', 'meters.key_wrong');
  if (aggregation === 'unique_count') need(property !== '', 'property');
  if (aggregation === 'percentile') {
    need(/^\d{1,3}$/.test(p) && Number(p) >= 1 && Number(p) <= 100, 'p');
    need(
      /^\d{1,4}$/.test(sampleMinutes) && dividesDay(Number(sampleMinutes)),
      'sampleMinutes',
      'meters.samples_uneven',
    );
  }
  const names = listOf(dimensions);
  need(names.length <= maxDimensions && z.safeParse(z.array(text(100)), names).success, 'dimensions');
  const read = filterOf(filter);
  need(read !== undefined, 'filter', 'meters.filter_form');
  need(
    Object.keys(read ?? {}).length <= maxFilterProperties,
    'filter',
    `meters.filter_too_wide?most=${maxFilterProperties}`,
  );
  need(schemaOf(dataSchema) !== undefined, 'dataSchema');
  return wrong;
}

const commas = /[,，、]/;
/** The comma-separated entries, without duplicates. */
export const listOf = (written: string): string[] => [
  ...new Set(
    written
      .split(commas)
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ),
];

/** The filter for a text; undefined if a line is invalid or repeats a property. Empty lines are ignored. */
export function filterOf(written: string): Filter | undefined {
  const lines = written
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const entries = lines.map((line): [string, string[]] => {
    const [, name = '', values = ''] = /^([^:：]*)[:：](.*)$/.exec(line) ?? [];
    return [name.trim(), listOf(values)];
  });
  if (new Set(entries.map(([name]) => name)).size < entries.length) return undefined;
  const read = z.safeParse(Filter, Object.fromEntries(entries));
  return read.success ? read.data : undefined;
}

const filterText = (filter: Filter | undefined): string =>
  Object.entries(filter ?? {})
    .map(([name, values]) => `${name}: ${values.join(', ')}`)
    .join('\n');

/** The form's values: those of a meter, or empty. */
export function fieldsOf(meter: Meter | undefined): MeterFields {
  return {
    name: meter?.name ?? '',
    key: meter?.key ?? '',
    eventType: meter?.eventType ?? '',
    aggregation: meter?.aggregation ?? 'sum',
    property: meter?.property ?? '',
    p: String(meter?.p ?? 95),
    sampleMinutes: String(meter?.sampleMinutes ?? usualSampleMinutes),
    unit: meter?.unit ?? '',
    dimensions: (meter?.dimensions ?? []).join(', '),
    filter: filterText(meter?.filter),
    dataSchema: meter?.dataSchema ? JSON.stringify(meter.dataSchema, null, 2) : '',
  };
}

/** A new meter as the API call's input. */
export function newMeterOf(fields: MeterFields): In<typeof meters.createMeter> {
  const { name, key, eventType, aggregation, property, unit } = fields;
  const filter = filterOf(fields.filter) ?? {};
  const dataSchema = schemaOf(fields.dataSchema);
  return {
    key,
    name,
    eventType,
    aggregation,
    unit,
    dimensions: listOf(fields.dimensions),
    ...(aggregation === 'unique_count' && { property }),
    ...(aggregation === 'percentile' && {
      p: Number(fields.p),
      sampleMinutes: Number(fields.sampleMinutes),
    }),
    ...(Object.keys(filter).length > 0 && { filter }),
    ...(dataSchema && { dataSchema }),
  };
}

/**
 * The changes to a meter, as the API call's input. A filter or a list that was not edited is left out: a
 * value with a comma, which only the API can set, is kept.
 */
export function changesOf(
  meter: Meter,
  before: MeterFields,
  fields: MeterFields,
): Omit<In<typeof meters.updateMeter>, 'meterId' | 'version'> {
  const { name, eventType, aggregation, unit, property, p, sampleMinutes } = newMeterOf(fields);
  const isChanged = (field: keyof MeterFields): boolean => fields[field] !== before[field];
  const filter = filterOf(fields.filter) ?? {};
  return {
    name,
    ...(isChanged('dataSchema') && { dataSchema: schemaOf(fields.dataSchema) ?? null }),
    ...(meter.usedBy === 0 && {
      eventType,
      aggregation,
      unit,
      ...(property !== undefined && { property }),
      ...(p !== undefined && { p }),
      ...(sampleMinutes !== undefined && { sampleMinutes }),
      ...(isChanged('dimensions') && { dimensions: listOf(fields.dimensions) }),
      ...(isChanged('filter') && { filter: Object.keys(filter).length > 0 ? filter : null }),
    }),
  };
}
