// Services of the demo data that demonstrate rate cards: several meters, a matrix, monthly quantities, a
// percentile, percentages.
import type { Language } from '#kernel/language.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { Charge } from '#features/selling/rating/contract.ts';
import type { NewMeter } from '#features/selling/meters/contract.ts';

export const demoServiceKeys = ['servers', 'storage', 'payments'] as const;
export type DemoServiceKey = (typeof demoServiceKeys)[number];
/** The external reference of a service of the demo data. */
export const demoServiceRef = (key: DemoServiceKey): string => `demo:${key}`;

export type DemoService = {
  readonly key: DemoServiceKey;
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly meters: readonly NewMeter[];
  readonly charges: readonly Charge[];
};

/** The services in the console's default language; their charges have names in both. */
export function demoServices(ctx: Ctx, language: Language): DemoService[] {
  return demoServiceKeys.map((key) => ({
    key,
    // used as: 'administration.demo_service_*', 'administration.demo_type_*', 'administration.demo_about_*'
    name: ctx.text(`administration.demo_service_${key}`, {}, language),
    type: ctx.text(`administration.demo_type_${key}`, {}, language),
    description: ctx.text(`administration.demo_about_${key}`, {}, language),
    meters: demoMeters(ctx, language)[key],
    charges: chargesOf(ctx)[key],
  }));
}

/** The name of a charge and its meter. */
const named = (ctx: Ctx, key: string): Charge['name'] => ({
  // used as: 'administration.demo_charge_*'
  zhTW: ctx.text(`administration.demo_charge_${key}`, {}, 'zhTW'),
  enUS: ctx.text(`administration.demo_charge_${key}`, {}, 'enUS'),
});

function demoMeters(ctx: Ctx, language: Language): Record<DemoServiceKey, readonly NewMeter[]> {
  const meter = (key: string, definition: Omit<NewMeter, 'key' | 'name'>): NewMeter => ({
    key: `demo-${key}`,
    name: ctx.text(`administration.demo_charge_${key}`, {}, language),
    ...definition,
  });
  return {
    servers: [
      meter('hours', {
        eventType: 'demo.server',
        aggregation: 'sum',
        unit: ctx.text('administration.demo_unit_hours', {}, language),
        dimensions: ['size', 'region'],
      }),
      meter('disk', { eventType: 'demo.disk', aggregation: 'time_weighted_average', unit: 'GB' }),
      meter('bandwidth', {
        eventType: 'demo.traffic',
        aggregation: 'percentile',
        p: 95,
        sampleMinutes: 120,
        unit: 'Mbps',
      }),
    ],
    storage: [
      meter('objects', {
        eventType: 'demo.storage',
        aggregation: 'time_weighted_average',
        unit: 'GB',
        dimensions: ['class'],
      }),
      meter('requests', {
        eventType: 'demo.request',
        aggregation: 'sum',
        unit: ctx.text('administration.demo_unit_requests', {}, language),
      }),
      meter('downloads', {
        eventType: 'demo.download',
        aggregation: 'sum',
        unit: 'GB',
        dimensions: ['region'],
      }),
    ],
    payments: [meter('sales', { eventType: 'demo.sale', aggregation: 'sum', unit: 'USD' })],
  };
}

const prices: Record<DemoServiceKey, readonly (readonly [key: string, price: object])[]> = {
  servers: [
    ['setup', { kind: 'one_time', model: 'flat', amount: '15' }],
    ['address', { kind: 'recurring', model: 'per_unit', unitPrice: '3.6', cycle: 'month' }],
    [
      'backup',
      { kind: 'recurring', model: 'per_unit', unitPrice: '24', cycle: 'quarter', timing: 'arrears' },
    ],
    [
      'hours',
      {
        kind: 'usage',
        model: 'matrix',
        rates: [
          { when: { size: 'l', region: 'taipei' }, unitPrice: '0.192' },
          { when: { size: 'l' }, unitPrice: '0.21' },
          { when: { size: 'm' }, unitPrice: '0.096' },
          { when: { size: 's' }, unitPrice: '0.048' },
        ],
        unmatched: 'reject',
      },
    ],
    [
      'disk',
      {
        kind: 'usage',
        model: 'graduated',
        included: '20',
        tiers: [
          { upTo: '500', unitPrice: '0.1' },
          { upTo: null, unitPrice: '0.08' },
        ],
      },
    ],
    ['bandwidth', { kind: 'usage', model: 'per_unit', unitPrice: '0.9' }],
  ],
  storage: [
    [
      'objects',
      {
        kind: 'usage',
        model: 'matrix',
        rates: [
          {
            when: { class: 'standard' },
            tiers: [
              { upTo: '1000', unitPrice: '0.023' },
              { upTo: null, unitPrice: '0.021' },
            ],
          },
          { when: { class: 'archive' }, unitPrice: '0.004' },
        ],
        unmatched: 'reject',
      },
    ],
    ['requests', { kind: 'usage', model: 'package', packageSize: '10000', packagePrice: '0.05' }],
    [
      'downloads',
      {
        kind: 'usage',
        model: 'matrix',
        rates: [
          { when: { region: 'taipei' }, unitPrice: '0.06' },
          { when: {}, unitPrice: '0.09' },
        ],
      },
    ],
  ],
  payments: [
    [
      'seats',
      {
        kind: 'recurring',
        model: 'volume',
        cycle: 'month',
        tiers: [
          { upTo: '5', unitPrice: '12' },
          { upTo: null, unitPrice: '9' },
        ],
      },
    ],
    ['support', { kind: 'recurring', model: 'flat', amount: '240', cycle: 'year', anchor: 'anniversary' }],
    [
      'sales',
      {
        kind: 'usage',
        model: 'percentage',
        ratePercent: '1.8',
        fixedPerEvent: '0.05',
        freeEvents: 20,
        maxPerEvent: '6',
      },
    ],
  ],
};

function chargesOf(ctx: Ctx): Record<DemoServiceKey, readonly Charge[]> {
  const of = (service: DemoServiceKey): readonly Charge[] =>
    prices[service].map(([key, price]) => {
      const isUsage = 'kind' in price && price.kind === 'usage';
      return Charge.parse({ key, name: named(ctx, key), ...(isUsage && { meter: `demo-${key}` }), ...price });
    });
  return { servers: of('servers'), storage: of('storage'), payments: of('payments') };
}
