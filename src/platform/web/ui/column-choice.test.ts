import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOrder, isShown, withMoved, withShown, type ColumnChoice, type Room } from './column-choice.ts';

const columns = [
  { key: 'name' },
  { key: 'role' },
  { key: 'lastSeen', show: 'wide' },
  { key: 'state', card: 'hidden' },
] as const;
const keys = columns.map((column) => column.key);
const shown = (choice: ColumnChoice | undefined, room: Room = 'wide') =>
  inOrder(columns, choice)
    .filter((column) => isShown(column, 'name', choice, room))
    .map((column) => column.key);

describe('the columns of a list', () => {
  it('are the list’s own until somebody chooses, without the wide ones where there is no room', () => {
    expect(shown(undefined)).toEqual(keys);
    expect(shown(undefined, 'narrow')).toEqual(['name', 'role', 'state']);
    expect(shown(undefined, 'cards')).toEqual(['name', 'role', 'lastSeen']);
  });

  it('can be hidden and shown again, also those without room', () => {
    const without = withShown(undefined, 'role', false);
    expect(shown(without)).toEqual(['name', 'lastSeen', 'state']);
    expect(shown(withShown(without, 'role', true))).toEqual(keys);
    expect(shown(withShown(undefined, 'lastSeen', true), 'narrow')).toEqual(keys);
    expect(shown(withShown(undefined, 'state', true), 'cards')).toEqual(keys);
  });

  it('always include the one that names the row', () => {
    expect(shown({ order: [], shown: [], hidden: keys })).toEqual(['name']);
  });

  it('move up and down, and stop at the ends', () => {
    const moved = withMoved(columns, undefined, 'state', -1);
    expect(shown(moved)).toEqual(['name', 'role', 'state', 'lastSeen']);
    expect(shown(withMoved(columns, moved, 'name', -1))).toEqual(shown(moved));
    expect(shown(withMoved(columns, moved, 'lastSeen', 1))).toEqual(shown(moved));
  });

  it('follow a changed list: missing ones are left out, new ones are where the list has them', () => {
    expect(shown({ order: ['gone', 'state', 'name', 'role'], shown: ['gone'], hidden: [] })).toEqual([
      'state',
      'name',
      'role',
      'lastSeen',
    ]);
  });

  it('exist once each, whatever was stored', () => {
    const some = fc.uniqueArray(fc.constantFrom(...keys, 'gone', 'other'));
    fc.assert(
      fc.property(some, some, some, (order, on, hidden) => {
        expect(
          [...inOrder(columns, { order, shown: on, hidden })].map((column) => column.key).toSorted(),
        ).toEqual(keys.toSorted());
      }),
    );
  });
});
