// Which events lie behind a figure: as the database is asked for them (store-event-filter.ts), and told of one event that was read from a file.
import { jsonOfText } from './rules-streams.ts';
import { otherValue, propertyDimension } from './rules-dimensions.ts';

/**
 * One group of usage: by API keys, by a property's value (JSON text, `none` for events without one,
 * `other` for values beyond the limit of separately counted ones), or by the text that a dimension of meters has of a value.
 */
export type EventGroup =
  | { readonly by: 'key'; readonly keyIds: readonly string[] | 'none' }
  | { readonly by: 'property'; readonly name: string; readonly value: string }
  | { readonly by: 'dimension'; readonly name: string; readonly text: string };

/** Events of some types in [from, to); one that is stored without a type has `ownType`. */
export type EventTypes = {
  readonly types: readonly string[];
  readonly ownType: string;
  readonly from: Date;
  readonly to: Date | null;
};

/** What events must meet; null: nothing. */
export type EventFilter = { readonly group: EventGroup | null; readonly types: EventTypes | null };

/** What the filter looks at. */
export type FilteredEvent = {
  readonly time: Date;
  readonly keyId: string | null;
  readonly type: string | null;
  readonly properties: Readonly<Record<string, unknown>> | null;
};

/**
 * Whether an event meets a filter, as the database decides it.
 * @param isCountedApart whether a value (JSON text) of a property's dimension is one of those that are counted by themselves in the month of
 *   the event
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
  // As JSON, numbers are equal by their value, however they are written.
  if (group.by === 'dimension')
    return isCarried && jsonOfText(group.text).some((text) => isSame(text, value));
  if (group.value === 'none') return !isCarried;
  if (group.value !== otherValue) return isCarried && isSame(group.value, value);
  return isCarried && !isCountedApart(propertyDimension(group.name), JSON.stringify(value));
}

/** Whether a JSON text is that of a value; a text that is no JSON is of none. */
function isSame(text: string, value: string | number | boolean): boolean {
  try {
    return JSON.parse(text) === value;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
