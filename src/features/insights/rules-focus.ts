// The columns of FOCUS 1.2 (https://focus.finops.org/focus-specification/v1-2/) and what a charge says in each of them.
import { decimalText, type Decimal } from '#kernel/decimal.ts';

/** All 21 mandatory columns, and the conditional and recommended ones that we can fill; null is an empty cell. */
export const focusColumns = [
  'BilledCost', 'BillingAccountId', 'BillingAccountName', 'BillingCurrency', 'BillingPeriodEnd', 'BillingPeriodStart', 'ChargeCategory', 'ChargeClass', 'ChargeDescription', 'ChargeFrequency', 'ChargePeriodEnd',
  'ChargePeriodStart', 'ConsumedQuantity', 'ConsumedUnit', 'ContractedCost', 'EffectiveCost', 'InvoiceIssuerName', 'ListCost', 'PricingCategory', 'PricingQuantity', 'PricingUnit', 'ProviderName', 'PublisherName',
  'ResourceId', 'ResourceName', 'ResourceType', 'ServiceCategory', 'ServiceName', 'SkuId', 'SubAccountId', 'SubAccountName', 'Tags',
] as const;
export type FocusColumn = (typeof focusColumns)[number];

/** Service categories of the standard; what is none of them is 'Other'. */
const categories = [
  'AI and Machine Learning', 'Analytics', 'Business Applications', 'Compute', 'Databases', 'Developer Tools', 'Multicloud', 'Identity', 'Integration', 'Internet of Things', 'Management and Governance',
  'Media', 'Migration', 'Mobile', 'Networking', 'Security', 'Storage', 'Web', 'Other',
] as const;

/** The standard's category that a catalogue's own one names. */
export function focusCategory(...named: readonly string[]): string {
  const wanted = named.map((name) => name.trim().toLowerCase());
  return categories.find((category) => wanted.includes(category.toLowerCase())) ?? 'Other';
}

/** Which kind of charge a bill's line is. Limits top up or cut what was charged: an adjustment. */
export function chargeOf(kind: 'usage' | 'base_fee' | 'credit' | 'minimum' | 'maximum'): { category: string; frequency: string } {
  switch (kind) {
    case 'usage': return { category: 'Usage', frequency: 'Usage-Based' };
    // What is given back of a fee is a purchase with a negative cost, as the standard wants refunds.
    case 'base_fee': case 'credit': return { category: 'Purchase', frequency: 'Recurring' };
    case 'minimum': case 'maximum': return { category: 'Adjustment', frequency: 'Recurring' };
  }
}

/** Tags without values are true, as the standard's key-value format says. */
export const focusTags = (tags: readonly string[]): string => JSON.stringify(Object.fromEntries(tags.map((tag) => [tag, true])));

/** RFC 3339 in UTC without fractions. */
export const focusTime = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`;

export type FocusCharge = {
  readonly kind: 'usage' | 'base_fee' | 'credit' | 'minimum' | 'maximum';
  readonly cost: Decimal; readonly currency: string; readonly quantity: Decimal; readonly unit: string; readonly description: string;
  readonly period: { readonly start: Date; readonly end: Date }; readonly billingPeriod: { readonly start: Date; readonly end: Date };
  readonly subscriptionId: string; readonly service: { readonly id: string; readonly name: string; readonly type: string; readonly category: string; readonly tags: readonly string[] };
};
export type FocusAccount = { readonly id: string; readonly name: string; readonly provider: string };

/** One charge in the columns of the standard. */
export function focusRow(charge: FocusCharge, account: FocusAccount): Readonly<Record<FocusColumn, string>> {
  const { category, frequency } = chargeOf(charge.kind);
  const cost = decimalText(charge.cost);
  const isUsage = charge.kind === 'usage';
  const quantity = decimalText(charge.quantity);
  return {
    BilledCost: cost, BillingAccountId: account.id, BillingAccountName: account.name, BillingCurrency: charge.currency, BillingPeriodEnd: focusTime(charge.billingPeriod.end), BillingPeriodStart: focusTime(charge.billingPeriod.start),
    ChargeCategory: category, ChargeClass: '', ChargeDescription: charge.description, ChargeFrequency: frequency, ChargePeriodEnd: focusTime(charge.period.end), ChargePeriodStart: focusTime(charge.period.start),
    ConsumedQuantity: isUsage ? quantity : '', ConsumedUnit: isUsage ? charge.unit : '', ContractedCost: cost, EffectiveCost: cost, InvoiceIssuerName: account.provider, ListCost: cost,
    PricingCategory: category === 'Adjustment' ? '' : 'Standard', PricingQuantity: category === 'Adjustment' ? '' : quantity, PricingUnit: category === 'Adjustment' ? '' : charge.unit,
    ProviderName: account.provider, PublisherName: account.provider, ResourceId: charge.subscriptionId, ResourceName: charge.service.name, ResourceType: charge.service.type,
    ServiceCategory: focusCategory(charge.service.category, charge.service.type), ServiceName: charge.service.name, SkuId: charge.service.id, SubAccountId: account.id, SubAccountName: account.name, Tags: focusTags(charge.service.tags),
  };
}
