// What people in these lives may subscribe to, in each currency.
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import type { TestConsole } from './console.ts';

/** The services that a currency's customers choose from. */
export type Offer = {
  readonly plans: readonly Id<'svc'>[];
  readonly addOn: Id<'svc'>;
};

/** Where services are created, with numbers for their names. */
type Place = {
  readonly console: TestConsole;
  readonly asAdmin: { token: string };
  readonly fresh: () => number;
};

/** Creates the services in a currency. */
export async function offerIn(lives: Place, currency: Currency): Promise<Offer> {
  const service = async (more: object): Promise<Id<'svc'>> =>
    (
      await lives.console.ok(
        catalogue.createService,
        {
          name: `S${lives.fresh()}`,
          type: 'VM',
          category: 'Own',
          meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
          ...more,
        },
        lives.asAdmin,
      )
    ).id;
  const [family, cards] = [`F ${currency}`, `C ${currency}`];
  const tiers = [
    { upTo: '10', unitPrice: '0.733' },
    { upTo: null, unitPrice: '1.2345' },
  ];
  const fee = (baseFee: string) => ({ pricing: { model: 'graduated', currency, baseFee, tiers } });
  const plans = [
    await service({ family, ...fee('10.3') }),
    await service({ family, ...fee('33.7') }),
    await service({ family, ...fee('120.55'), billingCycle: 'yearly' }),
    await service({ family: cards, currency, meter: undefined, charges: cardOf('7.77') }),
    await service({ family: cards, currency, meter: undefined, charges: cardOf('19.1') }),
  ];
  const addOn = await service({
    addOnTo: [family, cards],
    currency,
    meter: undefined,
    charges: cardOf('2.22').filter(({ key }) => key !== 'support'),
  });
  return { plans, addOn };
}

/** A rate card by the price of its seats and the percentage of its usage. */
export const cardOf = (
  seat: string,
  ratePercent = '2.9',
): readonly (Record<string, unknown> & { readonly key: string })[] => [
  {
    key: 'seat',
    name: { zhTW: '席次', enUS: 'Seat' },
    kind: 'recurring',
    model: 'per_unit',
    unitPrice: seat,
    timing: 'advance',
  },
  {
    key: 'support',
    name: { zhTW: '支援', enUS: 'Support' },
    kind: 'recurring',
    model: 'flat',
    amount: '31.31',
    cycle: 'quarter',
    timing: 'advance',
    anchor: 'anniversary',
  },
  {
    key: 'care',
    name: { zhTW: '照護', enUS: 'Care' },
    kind: 'recurring',
    model: 'flat',
    amount: '5.55',
    timing: 'arrears',
  },
  {
    key: 'watch',
    name: { zhTW: '監看', enUS: 'Watch' },
    kind: 'recurring',
    model: 'per_unit',
    unitPrice: '1.77',
    cycle: 'week',
    timing: 'arrears',
    prorate: 'second',
  },
  {
    key: 'licence',
    name: { zhTW: '授權', enUS: 'Licence' },
    kind: 'recurring',
    model: 'flat',
    amount: '365.25',
    cycle: 'year',
    timing: 'advance',
  },
  {
    key: 'review',
    name: { zhTW: '檢視', enUS: 'Review' },
    kind: 'recurring',
    model: 'flat',
    amount: '19.99',
    cycle: 'half_year',
    timing: 'arrears',
    anchor: 'anniversary',
  },
  {
    key: 'calls',
    name: { zhTW: '呼叫', enUS: 'Calls' },
    kind: 'usage',
    meter: 'calls',
    model: 'package',
    packageSize: '7',
    packagePrice: '1.01',
    minimum: '2.5',
  },
  {
    key: 'take',
    name: { zhTW: '抽成', enUS: 'Take' },
    kind: 'usage',
    meter: 'calls',
    model: 'percentage',
    ratePercent,
    fixedPerEvent: '0.11',
    freeEvents: 2,
    freeAmount: '21.5',
    minPerEvent: '0.3',
    maxPerEvent: '1.5',
  },
];
