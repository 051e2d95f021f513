// A charge that need not exist yet is priced through the API (R-CAT-01, R-BILL-05).
import { beforeAll, describe, expect, it } from 'vitest';
import type { In } from '#kernel/contract.ts';
import { moneyText } from '#kernel/money.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let token: string;
type Preview = In<typeof catalogue.previewPricing>;
const preview = (input: Preview) => console.ok(catalogue.previewPricing, input, { token });
const refused = async (input: Preview) => {
  const { status, envelope } = await console.call(catalogue.previewPricing, input, { token });
  return [status, ...(envelope.errors ?? []).map(({ field }) => field), envelope.message];
};

beforeAll(async () => {
  console = await createTestConsole();
  token = await setUp(console);
});

describe('R-BILL-05 a preview of a charge', () => {
  const matrix: Preview['charge'] = {
    model: 'matrix',
    rates: [
      { when: { region: 'tpe', size: 'm' }, unitPrice: '1.25' },
      { when: { region: 'tpe' }, unitPrice: '2' },
    ],
  };
  it('prices events by their dimensions, exactly before rounding, and names the rate of each', async () => {
    const { amount, exact, lines } = await preview({
      currency: 'USD',
      charge: matrix,
      events: [
        { value: '3', dimensions: { region: 'tpe', size: 'm' } },
        { value: '0.333', dimensions: { region: 'tpe', size: 's' } },
      ],
    });
    expect([moneyText(amount), exact]).toEqual(['4.42', '4.416']);
    expect(lines.map((line) => [line.when, line.quantity, line.amount])).toEqual([
      [{ region: 'tpe', size: 'm' }, '3', '3.75'],
      [{ region: 'tpe' }, '0.333', '0.666'],
    ]);
  });
  it('prices a quantity, and a percentage of events in their order', async () => {
    const charge = { model: 'percentage', ratePercent: '1.2', freeEvents: 1 } as const;
    const events = [{ value: '1000' }, { value: '50' }];
    expect((await preview({ currency: 'USD', charge, events })).exact).toBe('0.6');
    const fee = { model: 'per_unit', unitPrice: '30', minimum: '100' } as const;
    expect((await preview({ currency: 'TWD', charge: fee, quantity: '2' })).exact).toBe('100');
  });
  it('still prices a quantity with a single price', async () => {
    const pricing = { model: 'per_unit', currency: 'TWD', unitPrice: '0.5' } as const;
    expect((await preview({ pricing, quantity: '3' })).exact).toBe('1.5');
  });

  it('prices a whole rate card by charge, before its meters exist', async () => {
    const name = { zhTW: '項目', enUS: 'Item' };
    const pricing: Preview['pricing'] = {
      model: 'rate_card',
      currency: 'TWD',
      minimum: '3000',
      charges: [
        { key: 'setup', name, kind: 'one_time', model: 'flat', amount: '990' },
        { key: 'seats', name, kind: 'recurring', model: 'per_unit', unitPrice: '100', cycle: 'quarter' },
        { key: 'traffic', name, kind: 'usage', meter: 'none_yet', model: 'per_unit', unitPrice: '2' },
      ],
    };
    const { amount, once, charges, lines } = await preview({
      pricing,
      quantities: { seats: '12' },
      usage: { traffic: '250' },
    });
    expect(charges?.map((each) => moneyText(each.amount))).toEqual(['990', '400', '500']);
    // 400 and 500 are topped up to the monthly minimum; one-time charges do not count towards it.
    expect([moneyText(amount), once && moneyText(once), lines.at(-1)?.kind]).toEqual([
      '3000',
      '990',
      'minimum',
    ]);
    expect(await refused({ pricing, usage: { seats: '1' } })).toEqual([
      422,
      'usage.seats',
      expect.anything(),
    ]);
  });

  it('rejects invalid fields with advice', async () => {
    expect(
      await refused({
        currency: 'USD',
        charge: matrix,
        events: [{ value: '1', dimensions: { region: 'khh' } }],
      }),
    ).toEqual([
      422,
      'charge.rates',
      'No rate applies to khh. Add one, or add a rate without conditions for everything else.',
    ]);
    const tiers = [
      { upTo: '9', unitPrice: '1' },
      { upTo: '5', unitPrice: '1' },
      { upTo: null, unitPrice: '1' },
    ];
    expect(
      (await refused({ currency: 'USD', charge: { model: 'graduated', tiers }, quantity: '1' })).slice(0, 2),
    ).toEqual([422, 'charge.tiers.1.upTo']);
    const charge = { model: 'per_unit', unitPrice: '1' } as const;
    const pricing = { ...charge, currency: 'USD' } as const;
    expect((await refused({ charge, pricing, quantity: '1' })).slice(0, 2)).toEqual([422, 'charge']);
    expect((await refused({ charge, quantity: '1' })).slice(0, 2)).toEqual([422, 'currency']);
    expect((await refused({ charge, currency: 'USD' })).slice(0, 2)).toEqual([422, 'quantity']);
    expect((await refused({ pricing })).slice(0, 2)).toEqual([422, 'quantity']);
  });
  it('rejects fields of another model and invalid decimals with 400', async () => {
    const send = async (charge: object, quantity = '1') =>
      (
        await console.call(
          catalogue.previewPricing,
          { currency: 'USD' },
          { token, body: JSON.stringify({ currency: 'USD', charge, quantity }) },
        )
      ).status;
    expect(await send({ model: 'per_unit', unitPrice: '1', packageSize: '5' })).toBe(400);
    expect(await send({ model: 'per_unit', unitPrice: '1e3' })).toBe(400);
    expect(await send({ model: 'per_unit', unitPrice: '-1' })).toBe(400);
    expect(await send({ model: 'guess', unitPrice: '1' })).toBe(400);
    expect(await send({ model: 'matrix', rates: [{ when: {}, unitPrice: '1', tiers: [] }] })).toBe(400);
    expect(await send({ model: 'per_unit', unitPrice: '1' })).toBe(200);
  });
  it('is available to Admins only', async () => {
    const user = await registerUser(console, 'owner@preview.example', 'Preview');
    const { status } = await console.call(
      catalogue.previewPricing,
      { currency: 'USD', charge: { model: 'dynamic' }, quantity: '1' },
      { token: user.token },
    );
    expect(status).toBe(403);
  });
});
