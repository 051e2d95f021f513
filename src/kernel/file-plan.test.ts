import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical, fieldChanges, filePlan, plannedItem } from './file-plan.ts';

describe('T-FILES: what a plan shows', () => {
  it('are fields that the file says and that differ; the order of keys is no difference, zeros of a number in another system are', () => {
    expect(fieldChanges({ a: { x: 1, y: 2 }, c: '4595257' }, { a: { y: 2, x: 1 }, c: '04595257' })).toEqual([
      { field: 'c', before: '"4595257"', after: '"04595257"' },
    ]);
    expect(fieldChanges({ a: 1, b: 2 }, { a: undefined, b: 2 })).toEqual([]);
    expect(fieldChanges(undefined, { a: '' })).toEqual([{ field: 'a', before: null, after: '""' }]);
    expect(fieldChanges({ a: null }, { a: ['x'] })).toEqual([{ field: 'a', before: 'null', after: '["x"]' }]);
  });
  it('is nothing for what is there already', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (thing) => {
        expect(fieldChanges(thing, thing)).toEqual([]);
        expect(canonical(JSON.parse(canonical(thing)))).toBe(canonical(thing));
      }),
    ));
  it('counts, and tells how many the file does not name', () => {
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
