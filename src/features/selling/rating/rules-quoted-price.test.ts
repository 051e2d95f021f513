// Small unit prices, quoted for a thousand or a million units.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimal } from '#kernel/decimal.ts';
import { quotedPrice } from './rules-quoted-price.ts';

const quoted = (unitPrice: string) => quotedPrice(unitPrice, 'GB', (value, unit) => `${value} ${unit}`);

it.each([
  ['0', '0', 'GB'],
  ['12', '12', 'GB'],
  ['0.192', '0.192', 'GB'],
  ['0.001', '0.001', 'GB'],
  ['0.00065', '0.65', '1000 GB'],
  ['0.0000166667', '0.0166667', '1000 GB'],
  ['0.00001', '0.01', '1000 GB'],
  ['0.0000097222', '9.7222', '1000000 GB'],
  ['0.000005', '5', '1000000 GB'],
  ['0.0000004', '0.4', '1000000 GB'],
  ['0.000000000001', '0.000001', '1000000 GB'],
])('R-CAT-02: %s a GB is %s per %s', (unitPrice, price, unit) => {
  expect(quoted(unitPrice)).toEqual({ price, unit });
});

it('R-CAT-02: what is quoted is the same price', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (digits) => {
      const unitPrice = decimal(digits).times(decimal('0.000000000001')).toFixed();
      const { price, unit } = quoted(unitPrice);
      const size = decimal(/^\d+/.exec(unit)?.[0] ?? '1');
      expect(decimal(price).eq(decimal(unitPrice).times(size))).toBe(true);
    }),
  );
});
