import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slotsFor } from './colour-slots.ts';

describe('one service, one color', () => {
  it('gives the first seven a color each, whatever page shows them first', () => {
    let known: Readonly<Record<string, number>> = {};
    for (const page of [['svc_a', 'svc_b'], ['svc_c', 'svc_a'], ['svc_g', 'svc_d', 'svc_e'], ['svc_f']])
      known = { ...known, ...slotsFor(page, known).fresh };
    expect(Object.values(known).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('keeps a service’s color, beside any others', () => {
    const { fresh } = slotsFor(['svc_a', 'svc_b', 'svc_c'], {});
    expect(slotsFor(['svc_z', 'svc_b'], fresh).slots.get('svc_b')).toBe(fresh['svc_b']);
  });

  it('gives the rest its own color and remembers none for it', () => {
    const { slots, fresh } = slotsFor(['svc_a', 'other'], {});
    expect([slots.get('other'), Object.keys(fresh)]).toEqual(['other', ['svc_a']]);
  });

  it('gives up to seven different colors, whatever is remembered, and is stable', () => {
    const key = fc.string({ minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.uniqueArray(key, { maxLength: 7 }),
        fc.dictionary(key, fc.integer({ min: 1, max: 7 })),
        (keys, known) => {
          const { slots } = slotsFor(keys, known);
          expect(new Set(slots.values()).size).toBe(keys.length);
          expect([...slotsFor(keys.toReversed(), known).slots].toSorted()).toEqual([...slots].toSorted());
        },
      ),
    );
  });
});
