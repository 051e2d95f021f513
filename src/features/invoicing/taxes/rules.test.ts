// How lines are taxed, as a table: seller, buyer, service, day.
import { describe, expect, it } from 'vitest';
import type { LocalDay } from '#kernel/shape.ts';
import type { ServiceCategory } from './contract.ts';
import { isBic, isIban, normalAccount } from './rules-accounts.ts';
import { plainTaxation, rateOn, taxationOf, taxOf, taxOfService, type RateRow, type ToTax } from './rules.ts';

const day = (text: string): LocalDay => text as LocalDay;
const rates: readonly RateRow[] = [
  { country: 'DE', category: 'standard', rate: '19', validFrom: day('2024-01-01') },
  { country: 'DE', category: 'reduced', rate: '7', validFrom: day('2024-01-01') },
  { country: 'FR', category: 'standard', rate: '20', validFrom: day('2024-01-01') },
  { country: 'FR', category: 'second_reduced', rate: '5.5', validFrom: day('2024-01-01') },
  { country: 'EE', category: 'standard', rate: '22', validFrom: day('2024-01-01') },
  { country: 'EE', category: 'standard', rate: '24', validFrom: day('2025-07-01') },
  { country: 'EE', category: 'reduced', rate: '9', validFrom: day('2024-01-01') },
  { country: 'EE', category: 'reduced', rate: null, validFrom: day('2026-06-01') },
  { country: 'TW', category: 'standard', rate: '5', validFrom: day('2024-01-01') },
  { country: 'GB', category: 'standard', rate: '20', validFrom: day('2024-01-01') },
];
const named = (enUS: string) => ({ zhTW: enUS, enUS });
const reasons = {
  AE: named('Reverse charge'),
  E: named('Exempt from tax'),
  K: named('Intra-community'),
  G: named('Export'),
  O: named('Outside'),
};
const toTax = (given: Partial<Omit<ToTax, 'buyer'>> & { buyer?: Partial<ToTax['buyer']> }): ToTax => ({
  sellerCountry: 'DE',
  service: 'standard',
  day: day('2026-11-30'),
  rates,
  usualRate: '5',
  reasons,
  ...given,
  buyer: { country: '', vatId: '', taxStatus: 'standard', isVatIdRefused: false, ...given.buyer },
});
const taxText = (given: Parameters<typeof toTax>[0]): string => {
  const { category, rate, reason } = taxOf(toTax(given));
  return [category, rate, reason?.code ?? reason?.name.enUS].filter((part) => part !== undefined).join(' ');
};
const french = { country: 'FR', vatId: 'FR83404833048' };

describe('T-TAX: the tax of a line', () => {
  it.each<[string, Parameters<typeof toTax>[0], string]>([
    ['by default: the installation’s single rate', { sellerCountry: '' }, 'S 5'],
    ['by default, a single rate of zero', { sellerCountry: '', usualRate: '0' }, 'Z 0'],
    [
      'by default, an exempt organization',
      { sellerCountry: '', buyer: { taxStatus: 'exempt' } },
      'E 0 Exempt from tax',
    ],
    ['a zero-rated organization precedes everything', { buyer: { ...french, taxStatus: 'zero' } }, 'Z 0'],
    ['at home, standard', { buyer: { country: 'DE' } }, 'S 19'],
    ['at home without a country of the buyer', {}, 'S 19'],
    [
      'at home, a company with a VAT id is also taxed',
      { buyer: { country: 'DE', vatId: 'DE136695976' } },
      'S 19',
    ],
    ['at home, reduced', { service: 'reduced' }, 'S 7'],
    ['at home, second reduced without such a rate: the reduced one', { service: 'second_reduced' }, 'S 7'],
    ['at home, zero rated', { service: 'zero' }, 'Z 0'],
    ['at home, exempt', { service: 'exempt' }, 'E 0 Exempt from tax'],
    ['at home, goods', { service: 'goods' }, 'S 19'],
    ['a company elsewhere in the EU has reverse charge', { buyer: french }, 'AE 0 VATEX-EU-AE'],
    ['goods to a company elsewhere in the EU', { buyer: french, service: 'goods' }, 'K 0 VATEX-EU-IC'],
    ['a consumer elsewhere in the EU: their country’s rate', { buyer: { country: 'FR' } }, 'S 20'],
    ['a consumer, second reduced', { buyer: { country: 'FR' }, service: 'second_reduced' }, 'S 5.5'],
    ['a VAT id rejected by VIES is ignored', { buyer: { ...french, isVatIdRefused: true } }, 'S 20'],
    ['a VAT id of another country is ignored', { buyer: { country: 'EE', vatId: french.vatId } }, 'S 24'],
    ['services outside the EU', { buyer: { country: 'US' } }, 'O 0 VATEX-EU-O'],
    ['exempt services outside the EU', { buyer: { country: 'US' }, service: 'exempt' }, 'O 0 VATEX-EU-O'],
    ['goods outside the EU', { buyer: { country: 'GB' }, service: 'goods' }, 'G 0 VATEX-EU-G'],
    ['of a British seller to the EU', { sellerCountry: 'GB', buyer: french }, 'O 0 VATEX-EU-O'],
    ['of a seller in Taiwan at home', { sellerCountry: 'TW', buyer: { country: 'TW' } }, 'S 5'],
    ['of a seller in Taiwan abroad', { sellerCountry: 'TW', buyer: french }, 'G 0 VATEX-EU-G'],
    [
      'a country without rates: the installation’s single rate',
      { sellerCountry: 'JP', usualRate: '10' },
      'S 10',
    ],
  ])('%s', (_, given, expected) => {
    expect(taxText(given)).toBe(expected);
  });

  it('a rate is valid from its day on, that day included', () => {
    const on = (text: string) => rateOn(rates, 'EE', 'standard', day(text));
    expect([on('2023-12-31'), on('2025-06-30'), on('2025-07-01'), on('2030-01-01')]).toEqual([
      undefined,
      '22',
      '24',
      '24',
    ]);
    expect(rateOn(rates.toReversed(), 'EE', 'standard', day('2026-01-01'))).toBe('24');
  });
  it('a rate that was ended is followed by the next higher one', () => {
    const reduced = (text: string) => taxText({ sellerCountry: 'EE', service: 'reduced', day: day(text) });
    expect([reduced('2026-05-31'), reduced('2026-06-01')]).toEqual(['S 9', 'S 24']);
  });
});

describe('T-TAX: the tax of a bill', () => {
  const services = new Map<string, ServiceCategory>([
    ['svc_books', 'reduced'],
    ['svc_chair', 'goods'],
  ]);
  const { service: _service, ...home } = toTax({});
  it('by default has a single rate and no categories', () => {
    const nothing = { ...home, sellerCountry: '' };
    expect(taxationOf(nothing, new Map())).toEqual(plainTaxation('5'));
    expect(
      taxationOf({ ...nothing, buyer: { ...home.buyer, taxStatus: 'zero' } }, new Map()).standard.rate,
    ).toBe('0');
  });
  it('uses the rates of services with another category, and the standard rate for the others', () => {
    const taxation = taxationOf(home, services);
    expect(taxOfService(taxation, 'svc_books').rate).toBe('7');
    expect(taxOfService(taxation, 'svc_chair')).toEqual({ category: 'S', rate: '19' });
    expect(taxOfService(taxation, null).rate).toBe('19');
    expect([...taxation.services.keys()]).toEqual(['svc_books']);
  });
});

describe('T-TAX: bank accounts', () => {
  it.each([
    ['DE89370400440532013000', true],
    ['GB29NWBK60161331926819', true],
    ['DE89370400440532013001', false],
    ['DE8937040044053201300O', false],
    ['89370400440532013000', false],
  ])('IBAN %s: %s', (iban, right) => {
    expect(isIban(iban)).toBe(right);
  });
  it('an account may be typed in groups, however they are separated', () => {
    for (const typed of [
      'DE89 3704 0044 0532 0130 00',
      'de89-3704-0044-0532-0130-00',
      ' DE89.3704.0044.0532.0130.00',
    ])
      expect(normalAccount(typed)).toBe('DE89370400440532013000');
  });
  it('a BIC has 8 or 11 characters', () => {
    expect([isBic('COBADEFF'), isBic('COBADEFFXXX'), isBic('COBADEF')]).toEqual([true, true, false]);
  });
});
