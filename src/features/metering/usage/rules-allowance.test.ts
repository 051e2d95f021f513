// The included quantity is never carried over to another month, and overage is never negative.
import { expect, it } from 'vitest';
import { decimal, decimalText } from '#kernel/decimal.ts';
import type { Pricing } from '#features/selling/catalogue/contract.ts';
import { allowanceOf } from './rules-allowance.ts';

const per = (included?: string): Pricing => ({
  model: 'per_unit',
  currency: 'TWD',
  unitPrice: '2',
  ...(included !== undefined && { included }),
});
const packs: Pricing = {
  model: 'package',
  currency: 'TWD',
  packageSize: '10',
  packagePrice: '5',
  freeUnits: '20',
};

it.each([
  ['less than the included quantity', [['60', per('100'), false]], '100', '0'],
  ['more than the included quantity', [['160', per('100'), false]], '100', '60'],
  ['no included quantity', [['160', per(), false]], '0', '160'],
  ['free units of packages', [['25', packs, false]], '20', '5'],
  [
    'nothing during a trial',
    [
      ['7', per(), true],
      ['5', per('1'), false],
    ],
    '8',
    '4',
  ],
  [
    'the rest of one price is not carried over to the next',
    [
      ['10', per('50'), false],
      ['60', per('50'), false],
    ],
    '100',
    '10',
  ],
  ['negative corrections', [['-5', per('50'), false]], '50', '0'],
] as const)('%s', (_, times, included, billable) => {
  const allowance = allowanceOf(
    times.map(([quantity, pricing, isTrial]) => ({ quantity: decimal(quantity), pricing, isTrial })),
  );
  expect([allowance.included && decimalText(allowance.included), decimalText(allowance.billable)]).toEqual([
    included,
    billable,
  ]);
});

it('without a usage price nothing is included and there is no overage', () =>
  expect(allowanceOf([])).toMatchObject({ included: null }));
