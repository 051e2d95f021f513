// Importing and exporting tables of rates: what is read, what is reported with its line, and that a file
// reads back unchanged.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxRates } from '#features/selling/rating/contract.ts';
import { columnsOf, conditionsOf, emptyRate, isForAll, type RateFields } from './rate-fields.ts';
import { columnIn, fillDown, mergeRates, rateTable, readRateTable, withRate } from './rate-table.ts';

const columns = ['region', 'size'];
const names = ['單價'];
const read = (text: string, of: readonly string[] = columns) => {
  const { rates, issues } = readRateTable(text, of, names);
  return {
    rates: rates.map(({ when, unitPrice }) => [when, unitPrice]),
    issues: issues.map(({ line, code, params }) => [line, code.replace('catalogue.rates_', ''), params]),
  };
};
const bare = (rates: readonly RateFields[]) =>
  rates.map(({ when, unitPrice, agreed }) => ({ when: conditionsOf(when), unitPrice, agreed }));

describe('R-CAT-05 a table of rates', () => {
  it.each([
    ['from a spreadsheet', 'tpe\tm\t1.2\nkhh\t\t0.9\n'],
    ['with a header', 'region\tsize\t單價\r\ntpe\tm\t1.2\r\nkhh\t\t0.9'],
    ['with its columns in another order', 'unitPrice,Size,REGION\n1.2,m,tpe\n0.9,,khh'],
    ['between semicolons, with a byte order mark', '\uFEFFregion;size;unitPrice\ntpe;m;1.2\nkhh;;0.9'],
    ['with quotes and empty lines', '\n"tpe",m,"1.2"\n\n,,\nkhh,,0.9\n'],
  ])('%s', (_what, text) =>
    expect(read(text)).toEqual({
      rates: [
        [{ region: 'tpe', size: 'm' }, '1.2'],
        [{ region: 'khh' }, '0.9'],
      ],
      issues: [],
    }),
  );

  it('reads quotes, separators and line breaks within a cell', () =>
    expect(read('"say ""hi"", you",m,1\n"two\nlines",m,2').rates[0]).toEqual([
      { region: 'say "hi", you', size: 'm' },
      '1',
    ]));

  it('imports readable lines, and names the others', () =>
    expect(
      read(
        'region\tsize\tunitPrice\ntpe\tm\t1,5\ntpe\tl\tfree\ntpe\ts\t1.234,50\ntpe\txl\t2\nkhh\tm\ntpe\txl\t3\na\tb\tc\td\nkhh\tl\t-1\nx\ty\t1e3',
      ),
    ).toEqual({
      rates: [[{ region: 'tpe', size: 'xl' }, '2']],
      issues: [
        [2, 'decimal_comma', { price: '1,5' }],
        [3, 'price_wrong', { price: 'free' }],
        [4, 'decimal_comma', { price: '1.234,50' }],
        [6, 'cells_wrong', { found: '2', wanted: '3' }],
        [7, 'line_twice', { other: '5' }],
        [8, 'cells_wrong', { found: '4', wanted: '3' }],
        [9, 'price_wrong', { price: '-1' }],
        [10, 'price_wrong', { price: '1e3' }],
      ],
    }));

  it.each([
    [
      'an unknown column',
      'region,zone,unitPrice\ntpe,a,1',
      [1, 'column_unknown', { columns: 'zone', known: 'region, size' }],
    ],
    ['no price', 'region,size\ntpe,m', [1, 'price_missing', {}]],
    ['nothing', ' \n\t\n', [1, 'none', {}]],
  ])('imports nothing with %s', (_what, text, issue) =>
    expect(read(text)).toEqual({ rates: [], issues: [issue] }),
  );

  it('recognizes a first line of values, even if one is named like a dimension', () =>
    expect(read('size\tm\t1\ntpe\tm\t2').rates).toHaveLength(2));

  it('rejects values that the API would reject', () =>
    expect(read(`${'x'.repeat(101)}\tm\t1`).issues).toEqual([[1, 'value_wrong', {}]]));

  it('reads tiers and packages of a file, and only existing ones', () => {
    const terms = '{"package":{"packageSize":"10","packagePrice":"9"}}';
    const quoted = `"${terms.replaceAll('"', '""')}"`;
    const { rates, issues } = readRateTable(
      `region,unitPrice,terms\ntpe,,${quoted}\nkhh,,{\nkix,2,`,
      ['region'],
      names,
    );
    expect(rates).toEqual([
      { when: { region: 'tpe' }, unitPrice: '', agreed: terms },
      { when: { region: 'kix' }, unitPrice: '2', agreed: '' },
    ]);
    expect(issues).toEqual([{ line: 3, code: 'catalogue.rates_terms_wrong', params: {} }]);
  });

  it('imports 500 rows and counts those that do not fit', () => {
    const text = Array.from({ length: 510 }, (_, row) => `r${row}\tm\t${row}.5`).join('\n');
    const merged = mergeRates([emptyRate()], readRateTable(text, columns, names).rates);
    expect([merged.rates.length, merged.added, merged.left]).toEqual([maxRates, 500, 10]);
    expect(merged.rates[499]).toMatchObject({ when: { region: 'r499', size: 'm' }, unitPrice: '499.5' });
  });

  it('changes the price of existing conditions, in any order of columns', () => {
    const before = [
      emptyRate({ when: { region: 'tpe', size: 'm' }, unitPrice: '1' }),
      emptyRate({ when: { region: 'khh', size: '' }, unitPrice: '2' }),
      emptyRate({ unitPrice: '9' }),
    ];
    const merged = mergeRates(before, [
      { when: { size: 'm', region: 'tpe' }, unitPrice: '5', agreed: '' },
      { when: { region: 'khh' }, unitPrice: '2', agreed: '' },
      { when: { region: 'kix' }, unitPrice: '3', agreed: '' },
    ]);
    expect([merged.added, merged.changed, merged.same, merged.left]).toEqual([1, 1, 1, 0]);
    expect(merged.rates.map(({ unitPrice }) => unitPrice)).toEqual(['5', '2', '3', '9']);
    expect(withRate(before, emptyRate({ unitPrice: '7' })).map(({ unitPrice }) => unitPrice)).toEqual([
      '1',
      '2',
      '7',
      '9',
    ]);
    expect(merged.rates[0]?.uid).toBe(before[0]?.uid);
  });

  it('is unchanged after export and import', () => {
    const value = fc
      .string({ unit: fc.constantFrom('"', ',', ';', "'", '=', '-', '中', 'a', ' ', '\n'), maxLength: 6 })
      .map((text) => text.trim())
      .filter((text) => !text.includes('\n'));
    const rate = fc.record({ region: value, size: value, price: fc.integer({ min: 0, max: 10_000 }) });
    fc.assert(
      fc.property(fc.array(rate, { minLength: 1, maxLength: 8 }), fc.boolean(), (list, hasTerms) => {
        const rates = mergeRates(
          [],
          list.map(({ region, size, price }, index) => ({
            when: { region, size },
            unitPrice: hasTerms && index === 0 ? '' : String(price / 8),
            agreed: hasTerms && index === 0 ? '{"tiers":[{"upTo":null,"unitPrice":"1"}]}' : '',
          })),
        ).rates;
        const back = readRateTable(rateTable(columns, rates), columns, names);
        expect(back.issues).toEqual([]);
        expect(bare(mergeRates([], back.rates).rates)).toEqual(bare(rates));
      }),
    );
  });
});

describe('a column of cells', () => {
  it.each([
    ['1\n2\n3\n', ['1', '2', '3']],
    ['1\r\n\r\n3', ['1', '', '3']],
    ['1', undefined],
    ['1\t2\n3\t4', undefined],
  ])('%j', (text, expected) => expect(columnIn(text)).toEqual(expected));
  it('fills cells downward, adds rows, and keeps agreed prices', () => {
    const rates = [
      emptyRate({ when: { region: 'tpe' }, unitPrice: '1' }),
      emptyRate({ agreed: '{"tiers":[]}' }),
    ];
    const filled = fillDown(rates, ['2', '3', ' 4 '], 0, undefined);
    expect(filled.map(({ unitPrice }) => unitPrice)).toEqual(['2', '', '4']);
    expect(fillDown(rates, ['khh'], 1, 'region')[1]?.when).toEqual({ region: 'khh' });
    expect(
      fillDown(
        rates,
        Array.from({ length: 600 }, () => '1'),
        0,
        undefined,
      ),
    ).toHaveLength(maxRates);
  });
});

it('the columns are the meter’s dimensions, then those of rows; a row without conditions is the price for all others', () => {
  const rates = [emptyRate({ when: { zone: 'a', size: '' } }), emptyRate({ when: { region: ' ' } })];
  expect(columnsOf(['size', 'region'], rates)).toEqual(['size', 'region', 'zone']);
  expect(
    [{}, { unitPrice: '1' }, { unitPrice: '1', when: { a: 'x' } }].map((of) => isForAll(emptyRate(of))),
  ).toEqual([false, true, false]);
});
