// The filter that selects the events behind a figure. It matches what the database evaluates
// (store-event-filter.ts) for single events that were read from an archive file.
import { parseJson } from '#kernel/parse-json.ts';
import { jsonOfText } from './rules-streams.ts';
import { otherValue, propertyDimension } from './rules-dimensions.ts';

/**
 * One group of usage: by API keys, by a property's value (JSON text; `none` for events without one, `other`
 * for values beyond the limit of separately counted ones), or by the text of a value in a meter dimension.
 */
export type EventGroup =
  | { readonly by: 'key'; readonly keyIds: readonly string[] | 'none' }
  | { readonly by: 'property'; readonly name: string; readonly value: string }
  | { readonly by: 'dimension'; readonly name: string; readonly text: string };

/** Events of some types in [from, to); events stored without a type have `ownType`. */
export type EventTypes = {
  readonly types: readonly string[];
  readonly ownType: string;
  readonly from: Date;
  readonly to: Date | null;
};

/** The conditions that events must meet; null means no condition. */
export type EventFilter = { readonly group: EventGroup | null; readonly types: EventTypes | null };

/** The fields of an event that the filter reads. */
export type FilteredEvent = {
  readonly time: Date;
  readonly keyId: string | null;
  readonly type: string | null;
  readonly properties: Readonly<Record<string, unknown>> | null;
};

/**
 * Whether an event meets a filter; gives the same result as the database.
 * @param isCountedApart whether a value (JSON text) of a property's dimension is counted separately in the
 * event's month
 */
export function meetsFilter(
  { group, types }: EventFilter,
  event: FilteredEvent,
  isCountedApart: (dimension: string, value: string) => boolean,
): boolean {
  if (types !== null) {
    const { from, to, ownType } = types;
    if (
      !types.types.includes(event.type ?? ownType) ||
      event.time < from ||
      (to !== null && event.time >= to)
    )
      return false;
  }
  return group === null || isOfGroup(group, event, isCountedApart);
}

function isOfGroup(
  group: EventGroup,
  { keyId, properties }: FilteredEvent,
  isCountedApart: (dimension: string, value: string) => boolean,
): boolean {
  if (group.by === 'key')
    return group.keyIds === 'none' ? keyId === null : keyId !== null && group.keyIds.includes(keyId);
  const value =
    properties !== null && Object.hasOwn(properties, group.name) ? properties[group.name] : undefined;
  const isCarried = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  // JSON numbers are compared by value, whatever their notation.
  if (group.by === 'dimension')
    return isCarried && jsonOfText(group.text).some((text) => isSame(text, value));
  if (group.value === 'none') return !isCarried;
  if (group.value !== otherValue) return isCarried && isSame(group.value, value);
  return isCarried && !isCountedApart(propertyDimension(group.name), JSON.stringify(value));
}

/** Whether a JSON text represents a value; false for invalid JSON. */
function isSame(text: string, value: string | number | boolean): boolean {
  return parseJson(text) === value;
}
