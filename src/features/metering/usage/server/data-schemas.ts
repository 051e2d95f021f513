// Validates an event's data against a meter.
import { compileSchema } from '#features/selling/meters/server/index.ts';
import type { MeterAggregation } from '#features/selling/meters/contract.ts';
import type { EventRejection, MeteredEvent } from '../rules.ts';
import type { StreamMeter } from '../rules-streams.ts';

/** Meters of levels, which are never negative. Sums may be corrected by a negative value. */
const levels: readonly MeterAggregation[] = ['max', 'min', 'latest', 'time_weighted_average'];

/** The maximum number of integer digits of an event's value, unless its meter's schema sets a limit. */
export const maxValueDigits = 15;
const tooLarge = new RegExp(`^-?0*[1-9]\\d{${maxValueDigits}}`);

/** Whether a value has more digits than a meter accepts by default. */
export const isValueTooLarge = (value: string): boolean =>
  value.length > maxValueDigits && tooLarge.test(value);

/** Whether a schema itself limits the value: as a number, or by the length or pattern of its text. */
function boundsValue(schema: StreamMeter['dataSchema']): boolean {
  const properties = schema?.['properties'];
  const value =
    typeof properties === 'object' && properties !== null && 'value' in properties
      ? properties.value
      : undefined;
  return (
    typeof value === 'object' &&
    value !== null &&
    ['maximum', 'exclusiveMaximum', 'maxLength', 'pattern'].some((rule) => Object.hasOwn(value, rule))
  );
}

/** Distinct values are stored in an index, whose entries have a maximum length. */
const longestCounted = 500;

/**
 * Why a meter rejects an event's value or data; undefined if it accepts them. Imports carry no original data
 * and report their errors themselves.
 */
export function dataRejection(
  event: MeteredEvent,
  { eventType, dataSchema, aggregation, property }: StreamMeter,
): EventRejection | undefined {
  if (isValueTooLarge(event.value) && !boundsValue(dataSchema))
    return { code: 'usage.value_too_large', id: event.id, params: { most: maxValueDigits } };
  // A correction's data is a reference to an event.
  if (!('data' in event) || event.type !== eventType) return undefined;
  if (event.value.startsWith('-') && /[1-9]/.test(event.value) && levels.includes(aggregation))
    return { code: 'usage.value_negative', id: event.id };
  const counted =
    aggregation === 'unique_count' &&
    property !== undefined &&
    event.properties &&
    Object.hasOwn(event.properties, property)
      ? event.properties[property]
      : undefined;
  if (
    property !== undefined &&
    counted !== undefined &&
    (typeof counted === 'string' ? counted : JSON.stringify(counted)).length > longestCounted
  )
    return { code: 'usage.property_too_long', id: event.id, params: { property, most: longestCounted } };
  if (!dataSchema) return undefined;
  const schema = compileSchema(dataSchema);
  // A stored schema that no longer compiles (after an upgrade of the console) rejects no events.
  const issue = 'check' in schema ? schema.check(event.data) : undefined;
  return issue && { code: 'usage.data_schema', id: event.id, params: issue };
}
