// The parts of an estimate's figures in display order: their labels and amounts.
import { formatDecimal } from '#kernel/format-money.ts';
import { money, type Money } from '#kernel/money.ts';
import type { Figures } from './contract-content.ts';

type Part = {
  readonly key:
    | 'before'
    | 'part_discount'
    | 'part_commitment'
    | 'part_minimum'
    | 'part_promotional'
    | 'net'
    | 'tax'
    | 'taxes'
    | 'total';
  /** In percent, for the tax label. */
  readonly rate: string;
  readonly amount: Money;
  readonly isTotal: boolean;
};

/**
 * Returns the parts of the figures; parts of zero are left out. Deductions by terms are negative. `taxRate`
 * is in percent; undefined if there are several.
 */
export function estimateParts(figures: Figures, taxRate: string | undefined): Part[] {
  const { before, discount, commitment, minimum, promotional, net, tax, total } = figures;
  const rate = taxRate === undefined ? '' : formatDecimal(taxRate);
  const part = (key: Part['key'], amount: Money, isTotal = false): Part => ({ key, rate, amount, isTotal });
  const taken = (amount: Money): Money => money(-amount.minor, amount.currency);
  const terms = [
    part('part_discount', taken(discount)),
    part('part_commitment', commitment),
    part('part_minimum', minimum),
    part('part_promotional', taken(promotional)),
  ].filter(({ amount }) => amount.minor !== 0n);
  return [
    ...(terms.length === 0 ? [] : [part('before', before.net), ...terms]),
    part('net', net),
    part(taxRate === undefined ? 'taxes' : 'tax', tax),
    part('total', total, true),
  ];
}
