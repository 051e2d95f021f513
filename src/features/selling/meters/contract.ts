// Meters: what is measured, shared by services. A meter defines which usage events count, and how they become
// one quantity.
import * as z from 'zod/mini';
import { contract, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, pageOf, pageQuery, text } from '#kernel/shape.ts';

/**
 * How the meter of a service aggregates a month's events into one quantity. `time_weighted_average`: a
 * reported value persists until the next one, and a month counts its average.
 */
export const aggregations = [
  'sum',
  'count',
  'max',
  'unique_count',
  'latest',
  'time_weighted_average',
] as const;
export type Aggregation = (typeof aggregations)[number];

/**
 * All aggregations of meters. `avg`: the mean of the reported values. `percentile`: the month is split into
 * samples of equal length, and the value counts that `p` percent of them do not exceed (bandwidth: the 95th
 * of 5-minute samples).
 */
export const meterAggregations = [...aggregations, 'avg', 'min', 'percentile'] as const;
export type MeterAggregation = (typeof meterAggregations)[number];

/** A JSON Schema (draft 2020-12) of an event's whole `data`; the server checks which keywords are allowed. */
export const DataSchema = z.record(z.string(), z.unknown());
export type DataSchema = z.output<typeof DataSchema>;

/** Properties of an event's data that a price may depend on. */
export const maxDimensions = 5;
export const maxFilterProperties = 10;
const maxFilterValues = 50;
/** The default length of a percentile's samples, in minutes. */
export const usualSampleMinutes = 5;

const property = text(100);
/** Property of an event's data → the texts of which it must have one. */
export const Filter = z.record(
  property,
  z.array(text(200)).check(z.minLength(1), z.maxLength(maxFilterValues)),
);
export type Filter = z.output<typeof Filter>;

const percentile = z.int().check(z.minimum(1), z.maximum(100));
const sampleMinutes = z.int().check(z.minimum(1), z.maximum(1440));
/** What is measured; fixed while a service uses the meter. */
const definition = {
  eventType: text(200),
  aggregation: z.enum(meterAggregations),
  /** For unique_count: the property of an event's data whose distinct values are counted. */
  property: z.optional(property),
  /** For percentile: which one, 1 to 100. */
  p: z.optional(percentile),
  /** For percentile: the length of a sample in minutes; samples of equal length fill a day. */
  sampleMinutes: z.optional(sampleMinutes),
  unit: text(60),
};
const dimensions = z.array(property).check(z.maxLength(maxDimensions));

export const Meter = z.strictObject({
  id: id('mtr'),
  /** Identifies the meter in prices and files; never changes. */
  key: z.string(),
  name: z.string(),
  ...definition,
  dimensions,
  filter: z.optional(Filter),
  /**
   * An event whose data does not match is rejected. Unlike what is measured, it may always change; accepted
   * events are unaffected.
   */
  dataSchema: z.optional(DataSchema),
  /** The number of services that use it. */
  usedBy: z.int(),
  /** Incremented with every change; a change based on an older version is rejected. */
  version: z.int(),
  createdAt: instant,
});
export type Meter = z.output<typeof Meter>;
/** What a meter measures, without its names. */
export type Definition = Pick<
  Meter,
  'eventType' | 'aggregation' | 'property' | 'p' | 'sampleMinutes' | 'unit' | 'dimensions' | 'filter'
>;

/** A new meter, or one in a file. */
export const NewMeter = z.strictObject({
  key: text(60),
  name: text(160),
  ...definition,
  dimensions: z.optional(dimensions),
  filter: z.optional(Filter),
  dataSchema: z.optional(DataSchema),
});
export type NewMeter = z.output<typeof NewMeter>;

const admin = { roles: ['Admin'] } as const;
const oneMeter = { meterId: id('mtr') };

export const meters = contract({
  listMeters: route({
    method: 'GET',
    path: '/admin/meters',
    access: admin,
    summary: 'List meters',
    description: 'Searchable by name, key, and event type. With `key`, only that one.',
    input: z.strictObject({
      ...pageQuery,
      /** Only the meter with this key. */
      key: z.optional(text(60)),
    }),
    output: pageOf(Meter),
  }),
  getMeter: route({
    method: 'GET',
    path: '/admin/meters/:meterId',
    access: admin,
    summary: 'Get a meter',
    input: z.strictObject(oneMeter),
    output: Meter,
  }),
  createMeter: route({
    method: 'POST',
    path: '/admin/meters',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Create a meter',
    input: NewMeter,
    output: Meter,
  }),
  updateMeter: route({
    method: 'PATCH',
    path: '/admin/meters/:meterId',
    access: admin,
    summary: 'Update a meter',
    description:
      'The name and data schema can always change; what it measures, only while no service uses it.',
    input: z.strictObject({
      ...oneMeter,
      name: z.optional(text(160)),
      eventType: z.optional(definition.eventType),
      aggregation: z.optional(definition.aggregation),
      property: z.optional(z.nullable(property)),
      p: z.optional(z.nullable(percentile)),
      sampleMinutes: z.optional(z.nullable(sampleMinutes)),
      unit: z.optional(definition.unit),
      dimensions: z.optional(dimensions),
      /** null: every event of the type counts. */
      filter: z.optional(z.nullable(Filter)),
      /** The schema of future events' data; null for any data. */
      dataSchema: z.optional(z.nullable(DataSchema)),
      /** The version that the change is based on; an outdated one is rejected. */
      version: z.optional(z.int()),
    }),
    output: Meter,
  }),
  deleteMeter: route({
    method: 'DELETE',
    path: '/admin/meters/:meterId',
    access: admin,
    summary: 'Delete a meter',
    description: 'Only if no service uses it.',
    input: z.strictObject(oneMeter),
    output: nothing,
  }),
  checkDataSchema: route({
    method: 'POST',
    path: '/admin/data-schemas/check',
    access: admin,
    summary: 'Check a data schema',
    description: 'Whether a meter can use this JSON Schema.',
    input: z.strictObject({ dataSchema: DataSchema }),
    output: z.strictObject({ reason: z.nullable(z.string()) }),
  }),
});

export const meterErrors = {
  'meters.not_found': 404,
  'meters.key_wrong': 422,
  'meters.key_taken': 409,
  'meters.same_definition': 409,
  'meters.property_needed': 422,
  'meters.percentile_needed': 422,
  'meters.percentile_only': 422,
  'meters.samples_uneven': 422,
  'meters.value_reserved': 422,
  'meters.dimensions_repeat': 422,
  'meters.filter_too_wide': 422,
  'meters.schema_wrong': 422,
  'meters.fixed': 409,
  'meters.still_used': 409,
  'meters.changed_meanwhile': 409,
} as const satisfies ErrorTable;
