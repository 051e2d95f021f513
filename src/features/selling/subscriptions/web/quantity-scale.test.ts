// The slider of the estimate includes every quantity at which the price changes, in usable steps.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pricing, Service } from '#features/selling/catalogue/contract.ts';
import { compareQuantities, initialQuantity, quantitySteps, stepOf } from './quantity-scale.ts';

type Measured = Pick<Service, 'pricing' | 'meter' | 'quota'>;
const service = (pricing: Pricing, more: Partial<Measured> = {}): Measured => ({
  pricing,
  meter: { eventType: 'e', aggregation: 'sum', unit: 'GB' },
  quota: { type: 'unlimited' },
  ...more,
});
const tiers: Pricing = {
  model: 'graduated',
  currency: 'USD',
  tiers: [
    { upTo: '1000', unitPrice: '0.5' },
    { upTo: '25000.5', unitPrice: '0.3' },
    { upTo: null, unitPrice: '0.2' },
  ],
  included: '50',
};

describe('R-CAT-02 the steps of the estimator', () => {
  test('rise from zero to beyond the last landmark, and include every one', () => {
    const steps = quantitySteps(service(tiers, { quota: { type: 'soft', limit: '4200' } }));
    expect(steps[0]).toBe('0');
    expect(steps.slice(1, 8)).toEqual(['1', '1.5', '2', '3', '5', '7', '10']);
    expect(steps).toEqual(expect.arrayContaining(['50', '1000', '4200', '25000.5']));
    expect(steps.at(-1)).toBe('700000');
    expect(steps.length).toBeLessThan(60);
    expect(steps).toEqual(steps.toSorted((a, b) => Number(a) - Number(b)));
  });

  test('are large for tiny unit prices, and small for high ones', () => {
    const range = (unitPrice: string) => {
      const steps = quantitySteps(service({ model: 'per_unit', currency: 'USD', unitPrice }));
      return [steps[1], steps.at(-1)];
    };
    expect(range('0.0000004')).toEqual(['10000000', '700000000000']);
    expect(range('1200')).toEqual(['0.001', '70']);
  });

  test('have no fractions for counts', () => {
    const steps = quantitySteps(
      service(
        { model: 'per_unit', currency: 'USD', unitPrice: '5000' },
        { meter: { eventType: 'e', aggregation: 'count', unit: 'seats' } },
      ),
    );
    expect(steps).toEqual(
      ['0', '1', '2', '3', '5', '7', '10', '15', '20', '30', '50', '70'].filter((step) =>
        steps.includes(step),
      ),
    );
    expect(steps.every((step) => !step.includes('.'))).toBe(true);
  });

  test('a typed quantity is on its step or the one below', () => {
    const steps = ['0', '1', '1.5', '10'];
    expect(
      ['0', '0.9', '1', '1.49', '1.50', '9', '10', '99'].map((quantity) => stepOf(steps, quantity)),
    ).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  });

  test('start where the price becomes significant', () => {
    expect(initialQuantity(service(tiers))).toBe('1000');
    expect(
      initialQuantity(
        service({
          model: 'package',
          currency: 'TWD',
          packageSize: '1000',
          packagePrice: '8',
          freeUnits: '5000',
        }),
      ),
    ).toBe('7000');
    expect(
      initialQuantity(service({ model: 'package', currency: 'TWD', packageSize: '1000', packagePrice: '8' })),
    ).toBe('1000');
  });

  test('are sorted as numbers, not as text', () => {
    const text = fc
      .tuple(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 999 }))
      .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(3, '0')}`);
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareQuantities(a, b))).toBe(Math.sign(Number(a) - Number(b)));
      }),
    );
  });
});
