import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { middleCrop, maxZoom, moved, zoomed, zoomOf, type Crop, type Size } from './crop.ts';

const sizes = fc.record({
  width: fc.integer({ min: 1, max: 9000 }),
  height: fc.integer({ min: 1, max: 9000 }),
});
const steps = fc.array(
  fc.oneof(
    fc.record({
      right: fc.double({ min: -3, max: 3, noNaN: true }),
      down: fc.double({ min: -3, max: 3, noNaN: true }),
    }),
    fc.record({ zoom: fc.double({ min: 0, max: 9, noNaN: true }) }),
  ),
  { maxLength: 12 },
);
const after = (size: Size, all: readonly ({ right: number; down: number } | { zoom: number })[]): Crop =>
  all.reduce<Crop>(
    (crop, step) =>
      'zoom' in step ? zoomed(size, crop, step.zoom) : moved(size, crop, step.right, step.down),
    middleCrop(size),
  );

describe('the square crop of a picture (R-AUTH-17)', () => {
  it('starts as the largest one in the middle', () =>
    expect(middleCrop({ width: 400, height: 300 })).toEqual({ x: 200, y: 150, side: 300 }));
  it('never exceeds the picture, however it is dragged and zoomed', () =>
    fc.assert(
      fc.property(sizes, steps, (size, all) => {
        const { x, y, side } = after(size, all);
        const slack = 1e-6;
        expect(Math.min(x - side / 2, y - side / 2)).toBeGreaterThanOrEqual(-slack);
        expect(x + side / 2).toBeLessThanOrEqual(size.width + slack);
        expect(y + side / 2).toBeLessThanOrEqual(size.height + slack);
        expect(zoomOf(size, { x, y, side })).toBeLessThanOrEqual(maxZoom + slack);
      }),
    ));
  it('moves by fractions of itself, so that a finger holds the same spot at every zoom', () => {
    const size = { width: 1000, height: 1000 };
    const close = zoomed(size, middleCrop(size), 2);
    expect([close, moved(size, close, 0.1, -0.2)]).toEqual([
      { x: 500, y: 500, side: 500 },
      { x: 550, y: 400, side: 500 },
    ]);
    expect(moved(size, close, 9, 0).x).toBe(750);
  });
  it('moves back inside when it grows at an edge', () =>
    expect(zoomed({ width: 1000, height: 500 }, { x: 900, y: 100, side: 125 }, 1)).toEqual({
      x: 750,
      y: 250,
      side: 500,
    }));
});
