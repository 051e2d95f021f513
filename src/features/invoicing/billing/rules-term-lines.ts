// Lines of an organization's terms, and what they leave of the other lines of a bill.
import { required } from '#kernel/assert.ts';
import { decimalText, type Decimal } from '#kernel/decimal.ts';
import { money, moneyDecimal, type Currency, type Money } from '#kernel/money.ts';
import type { LineStep, LineTerm } from './contract.ts';
import type { PlannedBillLine } from './rules-late.ts';

/** A line as terms see it: its remaining amount, and what it is for. */
export type Remaining = { readonly line: PlannedBillLine; left: bigint };
/** The service that a line is for. */
export type Service = Pick<PlannedBillLine, 'subscriptionId' | 'serviceId' | 'serviceName'>;
/** For terms of the organization as a whole. */
export const ofOrganization: Service = { subscriptionId: null, serviceId: null, serviceName: '' };

/** Classifies lines as fees, usage, or neither: prepaid and promotional credit may be limited to usage. */
export function natureOf({ kind }: PlannedBillLine): 'fee' | 'usage' | 'other' {
  if (kind === 'usage' || kind === 'minimum' || kind === 'maximum' || kind === 'adjustment') return 'usage';
  return kind === 'minimum_spend' || kind === 'true_up' ? 'other' : 'fee';
}

type TermLine = Pick<PlannedBillLine, 'kind' | 'amount' | 'steps'> & {
  readonly term: LineTerm;
  readonly service?: Service | undefined;
  readonly exact?: Decimal;
};
/** Builds a line of a term; its exact price defaults to its amount. */
export const termLine = ({ service = ofOrganization, ...line }: TermLine): PlannedBillLine => ({
  exact: moneyDecimal(line.amount),
  ...line,
  ...service,
  priceVersionId: null,
  quantity: '1',
  unit: '',
  unitPrice: null,
  forMonth: null,
});

/** Takes shares from the lines and returns their sum. */
export function take(currency: Currency, remaining: readonly Remaining[], shares: readonly Money[]): Money {
  let sum = 0n;
  for (const [index, each] of remaining.entries()) {
    const { minor } = required(shares[index], 'the share of a line');
    each.left -= minor;
    sum += minor;
  }
  return money(sum, currency);
}

/** The shares as stored on a line; `placeOf` returns a line's zero-based position on the bill. */
export const namedShares = (
  shares: readonly Money[],
  placeOf: (index: number) => number,
): NonNullable<LineTerm['shares']> =>
  shares.flatMap((amount, index) =>
    amount.minor === 0n ? [] : [{ lineId: String(placeOf(index) + 1), amount }],
  );

/** A step that states the agreed amount, or how much of it was already used. */
export const agreedStep = (kind: LineStep['kind'], of: bigint, currency: Currency): LineStep => ({
  kind,
  from: null,
  upTo: null,
  quantity: '1',
  unitPrice: '0',
  amount: decimalText(moneyDecimal(money(of, currency))),
});
