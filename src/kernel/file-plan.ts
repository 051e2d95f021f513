// Files that people keep in version control and apply as they were planned: what a plan shows, and how it compares.
import * as z from 'zod/mini';
import { text } from './shape.ts';

/** Actions of a plan for one thing of a file. */
export const planActions = ['create', 'update', 'unchanged'] as const;
/** A field that would change; the values are JSON texts, null where there is none. */
export const PlannedChange = z.strictObject({
  field: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});
export type PlannedChange = z.output<typeof PlannedChange>;
/** The id of a plan, as it was answered. */
export const planId = text(64);

/** What applying a file would do to one thing. */
export const PlannedItem = z.strictObject({
  name: z.string(),
  action: z.enum(planActions),
  changes: z.array(PlannedChange),
});
export type PlannedItem = z.output<typeof PlannedItem>;
/** What applying a file would do. What the file does not name stays as it is. */
export const FilePlan = z.strictObject({
  /** Names this plan: applying is refused when the file or what it is about has changed since. */
  planId: z.string(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  /** How many the console has that the file does not name. */
  notNamed: z.int(),
  items: z.array(PlannedItem),
});
export type FilePlan = z.output<typeof FilePlan>;

/** A value as one text, the same for equal values: keys in order. `normal` gives texts a normal form where two of them mean the same. */
export const canonical = (value: unknown, normal: (text: string) => string = (text) => text): string =>
  JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each === 'string') return normal(each);
    return typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each;
  });

/** The fields in which a thing differs from what a file says; a field that the file leaves out does not. Undefined `before`: a new one. */
export function fieldChanges(
  before: Readonly<Record<string, unknown>> | undefined,
  said: Readonly<Record<string, unknown>>,
): PlannedChange[] {
  return Object.entries(said).flatMap(([field, value]): PlannedChange[] => {
    if (value === undefined) return [];
    const after = canonical(value);
    const was = before === undefined ? null : canonical(before[field]);
    return was === after ? [] : [{ field, before: was, after }];
  });
}

/** What becomes of a thing, and the sums of a plan. */
export function plannedItem(name: string, isNew: boolean, changes: readonly PlannedChange[]): PlannedItem {
  return {
    name,
    action: isNew ? 'create' : changes.length === 0 ? 'unchanged' : 'update',
    changes: [...changes],
  };
}

/** A plan of these items, of which the console has `total` now. */
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
