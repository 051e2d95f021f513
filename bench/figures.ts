// Statistics of repeated runs: median, range, percentiles, and pairs measured alternately, so that a machine
// whose speed drifts favours neither side.

/** The median of sorted values (the mean of the two middle ones for an even count). */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
}

/** The smallest value that at least `share` (0–1) of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** Runs two sides alternately (A B A B …) and returns both and the ratio A/B of each pair. */
export async function pairs(
  rounds: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<{ a: number[]; b: number[]; ratios: number[] }> {
  const result = { a: [] as number[], b: [] as number[], ratios: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const [x, y] = [await a(), await b()];
    result.a.push(x);
    result.b.push(y);
    result.ratios.push(x / y);
  }
  return result;
}

/** A figure as it is printed: rounded, with commas, from a hundred on. */
export const shown = (value: number): string =>
  value >= 100 ? String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',') : value.toFixed(2);

/** Prints one figure: its median, its range, and whether it reaches its goal. */
export function print(
  name: string,
  values: readonly number[],
  unit: string,
  goal?: { atLeast?: number; atMost?: number },
): void {
  const middle = median(values);
  const reached =
    goal === undefined
      ? ''
      : (goal.atLeast === undefined || middle >= goal.atLeast) &&
          (goal.atMost === undefined || middle <= goal.atMost)
        ? '  reached'
        : '  NOT REACHED';
  const wanted =
    goal === undefined
      ? ''
      : `  goal ${goal.atLeast === undefined ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`}`;
  process.stdout.write(
    `  ${name.padEnd(58)} ${shown(middle).padStart(10)} ${unit.padEnd(10)} (${shown(Math.min(...values))}–${shown(Math.max(...values))})${wanted}${reached}\n`,
  );
}
