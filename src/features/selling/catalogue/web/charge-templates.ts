// Rate cards to start with: the usual charges for several types of services, with example prices.
import { type Language, inLanguage } from '#kernel/language.ts';
import type { Currency } from '#kernel/money.ts';
import type { TextKey } from '#platform/web/i18n/i18n.ts';
import type { NewMeter } from '#features/selling/meters/contract.ts';
import { emptyCharge, emptyTier, freeKey, keyOfName, type ChargeFields } from './charge-fields.ts';
import { emptyRate } from './rate-fields.ts';
import { sample } from './samples.ts';
import { templateMeters, type MeterSketch, type TemplateMeter } from './template-meters.ts';

type Key = TextKey<'catalogue'>;
type Sketch = Partial<Omit<ChargeFields, 'uid' | 'key' | 'keyState' | 'name' | 'meter'>> & {
  readonly name: Key;
  readonly kind: ChargeFields['kind'];
  readonly meter?: TemplateMeter;
};
type Template = { readonly name: Key; readonly help: Key; readonly charges: (price: Price) => Sketch[] };
/**
 * An example price by the size of the currency's unit: the first for dollars and euros, the second for NT$.
 */
type Price = (dollars: string, newTaiwanDollars: string) => string;

const tier = (upTo: string, unitPrice: string) => ({ ...emptyTier, upTo, unitPrice });
const percentTier = (upTo: string, ratePercent: string) => ({ ...emptyTier, upTo, ratePercent });
const perUnit = (
  name: Key,
  kind: Sketch['kind'],
  unitPrice: string,
  asked: string,
  more: Partial<Sketch> = {},
): Sketch => ({ name, kind, model: 'per_unit', unitPrice, samples: [sample(asked)], ...more });
const once = (amount: string): Sketch => ({
  name: 'catalogue.template_setup',
  kind: 'one_time',
  model: 'flat',
  amount,
});

const virtualMachine = (price: Price): Sketch[] => [
  {
    name: 'catalogue.template_compute',
    kind: 'usage',
    meter: 'vm_hours',
    model: 'matrix',
    rates: [
      ['s', 'tpe', price('0.02', '0.6')],
      ['m', 'tpe', price('0.04', '1.2')],
      ['l', 'tpe', price('0.08', '2.4')],
      ['s', 'khh', price('0.018', '0.55')],
      ['m', 'khh', price('0.036', '1.1')],
      ['l', 'khh', price('0.072', '2.2')],
    ].map(([size = '', region = '', unitPrice = '']) => emptyRate({ when: { size, region }, unitPrice })),
    unmatched: 'reject',
    samples: [sample('3 × 730', { size: 'm', region: 'tpe' })],
  },
  perUnit('catalogue.template_disk', 'usage', price('0.1', '3'), '300', { meter: 'vm_disk_gb' }),
  perUnit('catalogue.template_egress', 'usage', price('0.09', '2.7'), '300', {
    meter: 'egress_gb',
    included: '100',
  }),
  perUnit('catalogue.template_ip', 'recurring', price('4', '120'), '3'),
  once(price('19', '590')),
];
const objectStorage = (price: Price): Sketch[] => [
  {
    name: 'catalogue.template_storage',
    kind: 'usage',
    meter: 'storage_gb',
    model: 'graduated',
    tiers: [tier('1000', price('0.023', '0.7')), tier('', price('0.021', '0.6'))],
    samples: [sample('1500')],
  },
  {
    name: 'catalogue.template_requests',
    kind: 'usage',
    meter: 'storage_requests',
    model: 'package',
    packageSize: '10000',
    packagePrice: price('0.05', '1.5'),
    samples: [sample('250000')],
  },
  perUnit('catalogue.template_egress', 'usage', price('0.09', '2.7'), '300', {
    meter: 'egress_gb',
    included: '100',
  }),
];
const kubernetes = (price: Price): Sketch[] => [
  perUnit('catalogue.template_cluster', 'recurring', price('73', '2200'), '1'),
  perUnit('catalogue.template_vcpu', 'usage', price('0.03', '0.9'), '8 × 730', { meter: 'k8s_vcpu_hours' }),
  perUnit('catalogue.template_memory', 'usage', price('0.004', '0.12'), '32 × 730', {
    meter: 'k8s_memory_gb_hours',
  }),
  perUnit('catalogue.template_load_balancer', 'recurring', price('18', '540'), '2'),
];
const cdn = (price: Price): Sketch[] => [
  {
    name: 'catalogue.template_bandwidth',
    kind: 'usage',
    meter: 'cdn_bandwidth',
    model: 'graduated',
    tiers: [tier('1000', price('1', '30')), tier('', price('0.8', '24'))],
    samples: [sample('1200')],
  },
  {
    name: 'catalogue.template_requests',
    kind: 'usage',
    meter: 'cdn_requests',
    model: 'package',
    packageSize: '10000',
    packagePrice: price('0.01', '0.3'),
    samples: [sample('50000000')],
  },
];
const tokens = (price: Price): Sketch[] => [
  {
    name: 'catalogue.template_tokens',
    kind: 'usage',
    meter: 'llm_tokens',
    model: 'matrix',
    rates: [
      ['large', 'input', price('3', '95')],
      ['large', 'output', price('15', '475')],
      ['small', 'input', price('0.25', '8')],
      ['small', 'output', price('1.25', '40')],
    ].map(([model = '', direction = '', unitPrice = '']) =>
      emptyRate({ when: { model, direction }, unitPrice }),
    ),
    unmatched: 'reject',
    samples: [
      sample('20', { model: 'large', direction: 'input' }),
      sample('5', { model: 'large', direction: 'output' }),
    ],
  },
];
const seats = (price: Price): Sketch[] => [
  {
    name: 'catalogue.template_seat',
    kind: 'recurring',
    model: 'graduated',
    tiers: [tier('10', price('10', '300')), tier('', price('8', '240'))],
    samples: [sample('12')],
  },
  once(price('99', '2990')),
];
const support = (price: Price): Sketch[] => [
  { name: 'catalogue.template_support_fee', kind: 'recurring', model: 'flat', amount: price('29', '900') },
  {
    name: 'catalogue.template_support_share',
    kind: 'usage',
    meter: 'platform_spend',
    model: 'graduated_percentage',
    tiers: [percentTier(price('10000', '300000'), '10'), percentTier('', '7')],
    samples: [sample(price('2500', '80000'))],
  },
];

/** In the order in which they are offered. */
export const chargeTemplates = {
  virtualMachine: {
    name: 'catalogue.template_vm',
    help: 'catalogue.template_vm_help',
    charges: virtualMachine,
  },
  objectStorage: {
    name: 'catalogue.template_object_storage',
    help: 'catalogue.template_object_storage_help',
    charges: objectStorage,
  },
  kubernetes: {
    name: 'catalogue.template_kubernetes',
    help: 'catalogue.template_kubernetes_help',
    charges: kubernetes,
  },
  cdn: { name: 'catalogue.template_cdn', help: 'catalogue.template_cdn_help', charges: cdn },
  tokens: { name: 'catalogue.template_llm', help: 'catalogue.template_llm_help', charges: tokens },
  seats: { name: 'catalogue.template_seats', help: 'catalogue.template_seats_help', charges: seats },
  support: { name: 'catalogue.template_support', help: 'catalogue.template_support_help', charges: support },
} as const satisfies Record<string, Template>;
export type ChargeTemplate = keyof typeof chargeTemplates;

/** Charges as form values, and the meters that they use. */
export type TemplateCard = {
  readonly charges: readonly ChargeFields[];
  readonly meters: readonly NewMeter[];
};

/**
 * A template as form values. `textsOf` returns a text in every language; meters, which have a single name,
 * are named in `language`.
 */
export function cardOfTemplate(
  template: ChargeTemplate,
  currency: Currency,
  language: Language,
  textsOf: (key: Key) => Record<Language, string>,
): TemplateCard {
  const keys: string[] = [];
  const price: Price = (dollars, newTaiwanDollars) => (currency === 'TWD' ? newTaiwanDollars : dollars);
  const sketches = chargeTemplates[template].charges(price);
  const meters: Record<TemplateMeter, MeterSketch> = templateMeters(currency);
  return {
    charges: sketches.map(({ name: nameKey, ...sketch }) => {
      const name = textsOf(nameKey);
      const key = freeKey(keyOfName(name.enUS), keys);
      keys.push(key);
      return { ...emptyCharge(sketch.kind), ...sketch, name, key };
    }),
    meters: [...new Set(sketches.flatMap(({ meter }) => meter ?? []))].map((key): NewMeter => {
      const { name, unit, ...measured } = meters[key];
      return {
        ...measured,
        key,
        name: inLanguage(textsOf(name), language),
        unit: typeof unit === 'string' ? inLanguage(textsOf(unit), language) : unit.symbol,
      };
    }),
  };
}

/** The key under which a template's meter is used, and whether it already exists. */
export type MeterKey = { readonly key: string; readonly isThere: boolean };

/** The card with its own meters replaced by others with the given keys, and removed. */
export const withMeterKeys = (
  { charges, meters }: TemplateCard,
  other: ReadonlyMap<string, MeterKey>,
): TemplateCard => ({
  charges: charges.map((charge) => ({ ...charge, meter: other.get(charge.meter)?.key ?? charge.meter })),
  meters: meters.flatMap((meter) => {
    const found = other.get(meter.key);
    return found?.isThere ? [] : [{ ...meter, key: found?.key ?? meter.key }];
  }),
});
