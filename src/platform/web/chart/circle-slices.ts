// Parts of a full turn, clockwise from the top, as in rings and radars.

export type Slice = {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  readonly text: string;
};

/** Returns the largest slices, and the rest as one. `rest.text` formats the rest's text. */
export function withRestGrouped(
  slices: readonly Slice[],
  most: number,
  rest: { label: string; text: (value: number, parts: readonly Slice[]) => string },
): Slice[] {
  const sorted = slices.toSorted((a, b) => b.value - a.value);
  if (sorted.length <= most) return sorted;
  const small = sorted.slice(most);
  const value = small.reduce((sum, slice) => sum + slice.value, 0);
  return [
    ...sorted.slice(0, most),
    { key: 'other', label: rest.label, value, text: rest.text(value, small) },
  ];
}

/**
 * Each value's share of the whole (0 to 1); all zero when the whole is zero. Negative values count as zero.
 */
export function sharesOf(values: readonly number[]): number[] {
  const sizes = values.map((value) => (Number.isFinite(value) ? Math.max(value, 0) : 0));
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  return sizes.map((size) => (whole > 0 ? size / whole : 0));
}

/** The fraction of the turn at which a point lies, relative to the center; `y` grows downward. */
const fractionOfCircle = (x: number, y: number): number => (Math.atan2(x, -y) / (2 * Math.PI) + 1) % 1;

/**
 * The slice of a ring under a point, given relative to the center in units of the outer radius; undefined
 * outside the ring.
 */
export function sliceAt(
  shares: readonly number[],
  [x, y]: readonly [number, number],
  inner: number,
): number | undefined {
  const distance = Math.hypot(x, y);
  if (distance < inner || distance > 1) return undefined;
  let fraction = fractionOfCircle(x, y);
  const index = shares.findIndex((share) => (fraction -= share) < 0);
  return index < 0 ? undefined : index;
}

/**
 * The radar axis that is nearest to a point, given relative to the center in units of an axis; undefined far
 * outside.
 */
export function axisAt(count: number, [x, y]: readonly [number, number]): number | undefined {
  return count === 0 || Math.hypot(x, y) > 1.3
    ? undefined
    : Math.round(fractionOfCircle(x, y) * count) % count;
}
