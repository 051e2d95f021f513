// A simulated bill equals the real one, and anything that cannot be on a bill is reported by field.
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { BillToSimulate, simulationLimits, SimulatedBill } from './contract-simulation.ts';
import { simulatedBill, simulationMistakes } from './rules-simulation.ts';

const base = { currency: 'USD', taxRate: '5', lines: [{ amount: '100', kind: 'fee' }] };
const read = (more: object): BillToSimulate => z.decode(BillToSimulate, { ...base, ...more } as never);
const simulate = (more: object): z.input<typeof SimulatedBill> => {
  const bill = read(more);
  expect(simulationMistakes(bill)).toEqual([]);
  return z.encode(SimulatedBill, simulatedBill(bill));
};
const figures = (more: object): string => {
  const { lines: _lines, ...totals } = simulate(more);
  return Object.values(totals)
    .map((total) => total.amount)
    .join(' ');
};

describe('totals: subtotal, discounts, tax, used and remaining credits, total', () => {
  test.each<[string, object, string]>([
    ['only a fee', {}, '100.00 0.00 5.00 0.00 0.00 105.00'],
    ['nothing', { lines: [] }, '0.00 0.00 0.00 0.00 0.00 0.00'],
    [
      'a line is rounded once, half away from zero',
      {
        lines: [
          { amount: '1.005', kind: 'fee' },
          { amount: '-1.005', kind: 'usage' },
          { amount: '0.0049', kind: 'fee' },
        ],
      },
      '0.00 0.00 0.00 0.00 0.00 0.00',
    ],
    [
      'TWD bills whole dollars',
      {
        currency: 'TWD',
        lines: [
          { amount: '99.5', kind: 'fee' },
          { amount: '99.49', kind: 'fee' },
        ],
      },
      '199 0 10 0 0 209',
    ],
    [
      'KWD bills thousandths',
      { currency: 'KWD', lines: [{ amount: '1.2345', kind: 'usage' }], credits: ['0.295'] },
      '1.235 0.000 0.062 0.295 0.000 1.002',
    ],
    [
      'credits come after tax',
      {
        lines: [
          { amount: '80', kind: 'usage' },
          { amount: '20', kind: 'fee' },
        ],
        discounts: [{ percent: '10' }, { fixed: '10.00', currency: 'USD' }],
        taxRate: '8.25',
        credits: ['5', '100'],
      },
      '100.00 20.00 6.60 86.60 18.40 0.00',
    ],
    [
      'or settle usage alone, with its tax',
      {
        lines: [
          { amount: '80', kind: 'usage' },
          { amount: '20', kind: 'fee' },
        ],
        credits: ['50', '50'],
        creditsApplyTo: 'usage',
      },
      '100.00 0.00 5.00 84.00 16.00 21.00',
    ],
    [
      'a refund of more than the bill is paid out, and uses no credit',
      { lines: [{ amount: '-30', kind: 'fee' }], credits: ['5'] },
      '-30.00 0.00 -1.50 0.00 5.00 -31.50',
    ],
    [
      'from zero to 100 %',
      { discounts: [{ percent: '0' }, { percent: '100' }] },
      '100.00 100.00 0.00 0.00 0.00 0.00',
    ],
    ['digits beyond the currency’s may be zeros', { currency: 'TWD', credits: ['5.00'] }, '100 0 5 5 0 100'],
  ])('%s', (_name, more, expected) => {
    expect(figures(more)).toBe(expected);
  });

  test('each line shows its own part', () => {
    expect(
      simulate({
        currency: 'TWD',
        lines: [
          { amount: '333', kind: 'fee', discounts: [{ percent: '10' }] },
          { amount: '333', kind: 'usage', taxRates: ['5', '10'] },
        ],
        discounts: [{ fixed: '100' }],
      }).lines.map((line) => Object.values(line).map(({ amount }) => amount)),
    ).toEqual([
      ['333', '80', '253', '13', '266'],
      ['333', '53', '280', '42', '322'],
    ]);
  });
});

describe('impossible bills are rejected', () => {
  const fee = base.lines[0];
  const many = (count: number, entry: unknown): unknown[] => Array.from({ length: count }, () => entry);
  test.each<[string, object, [field: string, code: string][]]>([
    [
      'a discount with amount and percentage',
      { discounts: [{ percent: '5', fixed: '5' }] },
      [['discounts.0', 'discount_unclear']],
    ],
    ['a discount with neither', { discounts: [{ percent: '5' }, {}] }, [['discounts.1', 'discount_unclear']]],
    [
      'a percentage with a currency',
      { discounts: [{ percent: '5', currency: 'USD' }] },
      [['discounts.0.currency', 'discount_unclear']],
    ],
    [
      'another currency',
      { discounts: [{ fixed: '5', currency: 'TWD' }] },
      [['discounts.0.currency', 'discount_currency_differs']],
    ],
    [
      'more than 100 %',
      { discounts: [{ percent: '100.000000000001' }, { percent: '-1' }] },
      [
        ['discounts.0.percent', 'percent_out_of_range'],
        ['discounts.1.percent', 'percent_out_of_range'],
      ],
    ],
    [
      'a negative discount',
      { discounts: [{ fixed: '-0.01' }] },
      [['discounts.0.fixed', 'simulated_amount_negative']],
    ],
    [
      'a line’s own discount',
      { lines: [fee, { ...fee, discounts: [{ fixed: '5', currency: 'EUR' }] }] },
      [['lines.1.discounts.0.currency', 'discount_currency_differs']],
    ],
    [
      'a tax below zero',
      { taxRate: '-5', lines: [{ ...fee, taxRates: ['5', '-0.1'] }] },
      [
        ['taxRate', 'tax_rate_negative'],
        ['lines.0.taxRates.1', 'tax_rate_negative'],
      ],
    ],
    ['a negative credit', { credits: ['1', '-1'] }, [['credits.1', 'simulated_amount_negative']]],
    [
      'half a cent',
      { credits: ['0.005'], discounts: [{ fixed: '1.001' }] },
      [
        ['discounts.0.fixed', 'too_many_digits'],
        ['credits.0', 'too_many_digits'],
      ],
    ],
    ['half a Taiwan dollar', { currency: 'TWD', credits: ['0.5'] }, [['credits.0', 'too_many_digits']]],
    [
      '16 digits',
      { lines: [{ ...fee, amount: '1000000000000000' }], credits: ['1000000000000000'] },
      [
        ['lines.0.amount', 'simulated_amount_too_large'],
        ['credits.0', 'simulated_amount_too_large'],
      ],
    ],
    [
      '16 digits together',
      { lines: many(2, { ...fee, amount: '600000000000000' }) },
      [['lines', 'simulated_total_too_large']],
    ],
    [
      '16 digits with tax',
      { taxRate: '900', lines: [{ ...fee, amount: '600000000000000' }] },
      [['lines', 'simulated_total_too_large']],
    ],
    ['too many lines', { lines: many(1001, fee) }, [['lines', 'too_many_entries']]],
    [
      'too many discounts and credits',
      { discounts: many(51, { percent: '1' }), credits: many(101, '1') },
      [
        ['discounts', 'too_many_entries'],
        ['credits', 'too_many_entries'],
      ],
    ],
    [
      'too many of a line',
      { lines: [{ ...fee, discounts: many(51, { percent: '1' }), taxRates: many(11, '1') }] },
      [
        ['lines.0.discounts', 'too_many_entries'],
        ['lines.0.taxRates', 'too_many_entries'],
      ],
    ],
  ])('%s', (_name, more, expected) => {
    expect(simulationMistakes(read(more)).map(({ field, code }) => [field, code])).toEqual(
      expected.map(([field, code]) => [field, `billing.${code}`]),
    );
  });

  test('the maximum number of lines is accepted', () => {
    const { lines, discounts, credits, taxRates } = simulationLimits;
    const line = { ...fee, taxRates: many(taxRates, '1') };
    expect(
      simulationMistakes(
        read({
          lines: [...many(lines - 1, line), { ...fee, discounts: many(discounts, { fixed: '0.01' }) }],
          discounts: many(discounts, { fixed: '7' }),
          credits: many(credits, '999999999999999.99'),
        }),
      ),
    ).toEqual([]);
  });
});
