// Plans for files that people keep in version control and apply as reviewed: what a plan shows, and how it is
// computed.
import * as z from 'zod/mini';
import { withSortedKeys } from './order.ts';
import { text } from './shape.ts';

/** What a plan can do with one item of a file. */
export const planActions = ['create', 'update', 'unchanged'] as const;
/** A field that would change. Values are JSON texts; null where there is none. */
export const PlannedChange = z.strictObject({
  field: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});
export type PlannedChange = z.output<typeof PlannedChange>;
/** The id of a plan, as returned by the planning call. */
export const planId = text(64);

/** What applying a file would do to one item. */
export const PlannedItem = z.strictObject({
  name: z.string(),
  action: z.enum(planActions),
  changes: z.array(PlannedChange),
});
export type PlannedItem = z.output<typeof PlannedItem>;
/** What applying a file would do. Items that the file does not name stay as they are. */
export const FilePlan = z.strictObject({
  /** Identifies this plan: applying is rejected when the file or its items have changed since. */
  planId: z.string(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  /** How many of the console's items the file does not name. */
  notNamed: z.int(),
  items: z.array(PlannedItem),
});
export type FilePlan = z.output<typeof FilePlan>;

/**
 * Serializes a value with sorted keys, so that equal values give the same text. `normal` normalizes texts
 * that differ but mean the same.
 */
export const canonical = (value: unknown, normal: (text: string) => string = (text) => text): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'string' ? normal(each) : withSortedKeys(each),
  );

/**
 * The fields that differ between an item and its entry in the file; fields that the entry omits are ignored.
 * `before` is undefined for a new item.
 */
export function fieldChanges(
  before: Readonly<Record<string, unknown>> | undefined,
  entry: Readonly<Record<string, unknown>>,
): PlannedChange[] {
  return Object.entries(entry).flatMap(([field, value]): PlannedChange[] => {
    if (value === undefined) return [];
    const after = canonical(value);
    const was = before === undefined ? null : canonical(before[field]);
    return was === after ? [] : [{ field, before: was, after }];
  });
}

/** Builds the plan for one item from its changes. */
export function plannedItem(name: string, isNew: boolean, changes: readonly PlannedChange[]): PlannedItem {
  return {
    name,
    action: isNew ? 'create' : changes.length === 0 ? 'unchanged' : 'update',
    changes: [...changes],
  };
}

/** Builds a plan from its items; `total` is how many items the console has now. */
export function filePlan(planned: readonly PlannedItem[], total: number, named: string): FilePlan {
  const count = (action: PlannedItem['action']): number =>
    planned.filter((each) => each.action === action).length;
  const created = count('create');
  return {
    planId: named,
    created,
    updated: count('update'),
    unchanged: count('unchanged'),
    notNamed: total - (planned.length - created),
    items: [...planned],
  };
}
