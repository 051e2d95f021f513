// Rate cards to begin with: what services of these sorts usually charge for, with prices as examples.
import type { Language } from '#kernel/language.ts';
import type { Currency } from '#kernel/money.ts';
import type { TextKey } from '#platform/web/i18n/i18n.ts';
import { emptyCharge, emptyTier, freeKey, keyOfName, type ChargeFields } from './charge-fields.ts';

type Key = TextKey<'catalogue'>;
type Sketch = Partial<Omit<ChargeFields, 'uid' | 'key' | 'keyState' | 'name'>> & {
  readonly name: Key;
  readonly kind: ChargeFields['kind'];
};
type Template = { readonly name: Key; readonly help: Key; readonly charges: (price: Price) => Sketch[] };
/** An example price by the size of the currency's unit: first for dollars and euros, then for NT$. */
type Price = (dollars: string, newTaiwanDollars: string) => string;

const tier = (upTo: string, unitPrice: string) => ({ ...emptyTier, upTo, unitPrice });
const percentTier = (upTo: string, ratePercent: string) => ({ ...emptyTier, upTo, ratePercent });
const virtualMachine = (price: Price): Sketch[] => [
  {
    name: 'catalogue.template_compute',
    kind: 'recurring',
    model: 'per_unit',
    unitPrice: price('29', '900'),
    sample: '3',
  },
  {
    name: 'catalogue.template_ip',
    kind: 'recurring',
    model: 'per_unit',
    unitPrice: price('4', '120'),
    sample: '1',
  },
  {
    name: 'catalogue.template_egress',
    kind: 'usage',
    meter: 'egress_gb',
    model: 'per_unit',
    unitPrice: price('0.09', '2.7'),
    included: '100',
    sample: '300',
  },
  { name: 'catalogue.template_setup', kind: 'one_time', model: 'flat', amount: price('19', '590') },
];
const objectStorage = (price: Price): Sketch[] => [
  {
    name: 'catalogue.template_storage',
    kind: 'usage',
    meter: 'storage_gb',
    model: 'graduated',
    tiers: [tier('1000', price('0.023', '0.7')), tier('', price('0.021', '0.6'))],
    sample: '1500',
  },
];
const seats = (price: Price): Sketch[] => [
  {
    name: 'catalogue.template_seat',
    kind: 'recurring',
    model: 'graduated',
    tiers: [tier('10', price('10', '300')), tier('', price('8', '240'))],
    sample: '12',
  },
  { name: 'catalogue.template_setup', kind: 'one_time', model: 'flat', amount: price('99', '2990') },
];
const support = (price: Price): Sketch[] => [
  { name: 'catalogue.template_support_fee', kind: 'recurring', model: 'flat', amount: price('29', '900') },
  {
    name: 'catalogue.template_support_share',
    kind: 'usage',
    meter: 'platform_spend',
    model: 'graduated_percentage',
    tiers: [percentTier(price('10000', '300000'), '10'), percentTier('', '7')],
    sample: price('2500', '80000'),
  },
];

/** In the order in which they are offered. */
export const chargeTemplates = {
  seats: { name: 'catalogue.template_seats', help: 'catalogue.template_seats_help', charges: seats },
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
  support: { name: 'catalogue.template_support', help: 'catalogue.template_support_help', charges: support },
} as const satisfies Record<string, Template>;
export type ChargeTemplate = keyof typeof chargeTemplates;

/** A template's charges as form values. `textsOf` answers a sentence in every language. */
export function chargesOfTemplate(
  template: ChargeTemplate,
  currency: Currency,
  textsOf: (key: Key) => Record<Language, string>,
): ChargeFields[] {
  const keys: string[] = [];
  const price: Price = (dollars, newTaiwanDollars) => (currency === 'TWD' ? newTaiwanDollars : dollars);
  return chargeTemplates[template].charges(price).map(({ name: nameKey, ...sketch }) => {
    const name = textsOf(nameKey);
    const key = freeKey(keyOfName(name.enUS), keys);
    keys.push(key);
    return { ...emptyCharge(sketch.kind), ...sketch, name, key };
  });
}
