// The rows of a matrix in the form, and their conversion from and to the contract.
import { byKey } from '#kernel/order.ts';
import * as z from 'zod/mini';
import type { MatrixRate } from '#features/selling/rating/contract.ts';

const cell = z.string().check(z.trim(), z.maxLength(120));

/** One rate of a matrix. */
export const RateFields = z.strictObject({
  /** Identifies rows of the form; never sent. */
  uid: z.string(),
  /** The value of each dimension that the rate depends on; '' or missing: any value. */
  when: z.record(z.string(), cell),
  unitPrice: z.string().check(z.trim(), z.maxLength(40)),
  /**
   * The tiers or the package of a rate created by the API, as JSON; such a price is displayed, but cannot be
   * edited.
   */
  agreed: z.string(),
});
export type RateFields = z.output<typeof RateFields>;

let countOfRows = 0;
const nextUid = (): string => `rate-${++countOfRows}`;

/** A row of a matrix; empty except for the given values. */
export const emptyRate = (of: Partial<Omit<RateFields, 'uid'>> = {}): RateFields => ({
  uid: nextUid(),
  when: {},
  unitPrice: '',
  agreed: '',
  ...of,
});

/** The conditions of a row as in the contract: dimensions with any value are left out. */
export const conditionsOf = (when: RateFields['when']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(when).flatMap(([name, value]) =>
      value.trim() === '' ? [] : [[name.trim(), value.trim()] as const],
    ),
  );

/** The conditions of a row as one text that does not depend on the order of columns. */
export const conditionsKey = (when: RateFields['when']): string =>
  JSON.stringify(Object.entries(conditionsOf(when)).toSorted(byKey));

const Agreed = z.record(z.string(), z.unknown());

/** Rows as the contract's rates, as far as they are typed. */
export const ratesOf = (rates: readonly RateFields[]): readonly Record<string, unknown>[] =>
  rates.map(({ when, unitPrice, agreed }) => ({
    when: conditionsOf(when),
    ...(agreed === '' ? { unitPrice: unitPrice.trim() } : Agreed.parse(JSON.parse(agreed))),
  }));

const isPlainRate = (rate: object): rate is { readonly unitPrice: string } => 'unitPrice' in rate;

/** Stored rates as rows. */
export const rateFields = (rates: readonly MatrixRate[]): RateFields[] =>
  rates.map((rate) => {
    const { when, ...price } = rate;
    return emptyRate({
      when: { ...when },
      unitPrice: isPlainRate(rate) ? rate.unitPrice : '',
      agreed: isPlainRate(rate) ? '' : JSON.stringify(price),
    });
  });

/** The columns of a matrix: the dimensions of its meter, then those that only occur in its rows. */
export const columnsOf = (
  dimensions: readonly string[],
  rates: readonly Pick<RateFields, 'when'>[],
): readonly string[] => [
  ...new Set([...dimensions, ...rates.flatMap(({ when }) => Object.keys(conditionsOf(when)))]),
];

/** Whether a row has the price of all events that match no other row; false for an empty row. */
export const isForAll = ({ when, unitPrice, agreed }: Omit<RateFields, 'uid'>): boolean =>
  Object.keys(conditionsOf(when)).length === 0 && (unitPrice.trim() !== '' || agreed !== '');
