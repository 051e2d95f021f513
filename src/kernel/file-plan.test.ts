import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical, fieldChanges, filePlan, plannedItem } from './file-plan.ts';

describe('T-FILES: the changes of a plan', () => {
  it('are fields of the file that differ; the order of keys and trailing zeros of numbers from another system do not matter', () => {
    expect(fieldChanges({ a: { x: 1, y: 2 }, c: '4595257' }, { a: { y: 2, x: 1 }, c: '04595257' })).toEqual([
      { field: 'c', before: '"4595257"', after: '"04595257"' },
    ]);
    expect(fieldChanges({ a: 1, b: 2 }, { a: undefined, b: 2 })).toEqual([]);
    expect(fieldChanges(undefined, { a: '' })).toEqual([{ field: 'a', before: null, after: '""' }]);
    expect(fieldChanges({ a: null }, { a: ['x'] })).toEqual([{ field: 'a', before: 'null', after: '["x"]' }]);
  });
  it('are empty for what is already there', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (thing) => {
        expect(fieldChanges(thing, thing)).toEqual([]);
        expect(canonical(JSON.parse(canonical(thing)))).toBe(canonical(thing));
      }),
    ));
  it('are counted, with the number of objects that the file does not name', () => {
    const items = [
      plannedItem('new', true, []),
      plannedItem('same', false, []),
      plannedItem('other', false, [{ field: 'a', before: '1', after: '2' }]),
    ];
    expect(filePlan(items, 5, 'p')).toEqual({
      planId: 'p',
      created: 1,
      updated: 1,
      unchanged: 1,
      notNamed: 3,
      items,
    });
  });
});
