// The columns of FOCUS 1.2 (https://focus.finops.org/focus-specification/v1-2/) and 1.3, and a charge's value
// in each of them.
import type { focusVersions } from './contract.ts';

/** All 21 mandatory columns, and the conditional and recommended ones that we can fill; null is an empty cell. */
export const focusColumns = [
  'BilledCost',
  'BillingAccountId',
  'BillingAccountName',
  'BillingCurrency',
  'BillingPeriodEnd',
  'BillingPeriodStart',
  'ChargeCategory',
  'ChargeClass',
  'ChargeDescription',
  'ChargeFrequency',
  'ChargePeriodEnd',
  'ChargePeriodStart',
  'CommitmentDiscountCategory',
  'CommitmentDiscountId',
  'CommitmentDiscountName',
  'CommitmentDiscountQuantity',
  'CommitmentDiscountStatus',
  'CommitmentDiscountType',
  'CommitmentDiscountUnit',
  'ConsumedQuantity',
  'ConsumedUnit',
  'ContractedCost',
  'EffectiveCost',
  'InvoiceId',
  'InvoiceIssuerName',
  'ListCost',
  'PricingCategory',
  'PricingQuantity',
  'PricingUnit',
  'ProviderName',
  'PublisherName',
  'ResourceId',
  'ResourceName',
  'ResourceType',
  'ServiceCategory',
  'ServiceName',
  'SkuId',
  'SubAccountId',
  'SubAccountName',
  'Tags',
] as const;
/**
 * The mandatory columns added in FOCUS 1.3: who runs the service, and whose infrastructure it runs on.
 * ProviderName and PublisherName are deprecated there and are kept. Its other additions depend on data that
 * the console does not have: costs split by resource, and contracts.
 */
const columnsOf13 = ['HostProviderName', 'ServiceProviderName'] as const;
export type FocusColumn = (typeof focusColumns)[number] | (typeof columnsOf13)[number];
export type FocusVersion = (typeof focusVersions)[number];
/** The columns of a version in the standard's order: by name. */
export const focusColumnsOf = (version: FocusVersion): readonly FocusColumn[] =>
  version === '1.2' ? focusColumns : [...focusColumns, ...columnsOf13].toSorted();
/** The numeric columns. */
export const focusNumbers: ReadonlySet<FocusColumn> = new Set([
  'BilledCost',
  'CommitmentDiscountQuantity',
  'ConsumedQuantity',
  'ContractedCost',
  'EffectiveCost',
  'ListCost',
  'PricingQuantity',
]);

/** Service categories of the standard; any other category becomes 'Other'. */
const categories = [
  'AI and Machine Learning',
  'Analytics',
  'Business Applications',
  'Compute',
  'Databases',
  'Developer Tools',
  'Multicloud',
  'Identity',
  'Integration',
  'Internet of Things',
  'Management and Governance',
  'Media',
  'Migration',
  'Mobile',
  'Networking',
  'Security',
  'Storage',
  'Web',
  'Other',
] as const;

/** The standard's category for a category of the catalogue. */
export function focusCategory(...named: readonly string[]): string {
  const wanted = named.map((name) => name.trim().toLowerCase());
  return categories.find((category) => wanted.includes(category.toLowerCase())) ?? 'Other';
}

export type FocusKind =
  | 'usage'
  | 'base_fee'
  | 'credit'
  | 'one_time'
  | 'minimum'
  | 'maximum'
  | 'adjustment'
  | 'one_off'
  | 'discount'
  | 'committed_rate'
  | 'overage_rate'
  | 'true_up'
  | 'minimum_spend'
  | 'promotional_credit'
  | 'interim'
  | 'interim_deduction'
  | 'tax';
type ChargeKind = {
  readonly category: 'Usage' | 'Purchase' | 'Tax' | 'Adjustment' | 'Credit';
  readonly frequency: string;
  readonly isPriced: boolean;
};

/**
 * The FOCUS charge category of a line. Minimums, maximums and commitment rates adjust what was charged. Late
 * usage of a month is still usage, and so is the unused part of a commitment. Discounts and promotional
 * credit are credits.
 */
function chargeOf(kind: FocusKind): ChargeKind {
  switch (kind) {
    case 'usage':
    case 'adjustment':
      return { category: 'Usage', frequency: 'Usage-Based', isPriced: true };
    // A fee's refund is a purchase with a negative cost, as the standard requires for refunds.
    case 'base_fee':
    case 'credit':
      return { category: 'Purchase', frequency: 'Recurring', isPriced: true };
    case 'one_time':
    case 'one_off':
      return { category: 'Purchase', frequency: 'One-Time', isPriced: true };
    case 'minimum':
    case 'maximum':
    case 'committed_rate':
    case 'overage_rate':
    case 'minimum_spend':
    case 'interim':
    case 'interim_deduction':
      return { category: 'Adjustment', frequency: 'Recurring', isPriced: false };
    case 'discount':
    case 'promotional_credit':
      return { category: 'Credit', frequency: 'Recurring', isPriced: false };
    case 'true_up':
      return { category: 'Usage', frequency: 'Recurring', isPriced: true };
    case 'tax':
      return { category: 'Tax', frequency: 'Recurring', isPriced: false };
  }
}

/** Tags have no values here; the standard's key-value format gives such tags the value true. */
export const focusTags = (tags: readonly string[]): string =>
  JSON.stringify(Object.fromEntries(tags.map((tag) => [tag, true])));

/** RFC 3339 in UTC without fractions. */
export const focusTime = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`;

/** A charge, from which its row is built; `cost` and `quantity` are decimal texts. */
export type FocusCharge = {
  readonly kind: FocusKind;
  readonly cost: string;
  readonly currency: string;
  readonly quantity: string;
  readonly unit: string;
  readonly description: string;
  readonly period: { readonly start: Date; readonly end: Date };
  readonly billingPeriod: { readonly start: Date; readonly end: Date };
  readonly subscriptionId: string;
  readonly service: {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly category: string;
    readonly tags: readonly string[];
  };
  /**
   * The commitment whose rates changed the charge, that was not used up, or that usage drew on: `used` is the
   * amount, a decimal text; null if nothing was drawn.
   */
  readonly commitment?:
    | { readonly id: string; readonly name: string; readonly used: string | null }
    | undefined;
  /** The bill or credit note; empty until there is one. */
  readonly invoiceId: string;
  /** Whether it reverses an earlier charge: once, without a quantity. */
  readonly isTakenBack: boolean;
};
export type FocusAccount = {
  /** The billed organization. */
  readonly id: string;
  readonly name: string;
  /** The organization that used the service, if another one is billed for it. */
  readonly user?: { readonly id: string; readonly name: string } | undefined;
  readonly provider: string;
};

type CommitmentColumn = Extract<FocusColumn, `CommitmentDiscount${string}`>;
/** A commitment is for an amount of money, so its used and unused parts are counted in its currency. */
function commitmentColumns(
  { commitment, cost, currency, kind, isTakenBack }: FocusCharge,
  isUsage: boolean,
): Readonly<Record<CommitmentColumn, string>> {
  const counted = isTakenBack || !commitment ? '' : kind === 'true_up' ? cost : (commitment.used ?? '');
  return {
    CommitmentDiscountCategory: commitment ? 'Spend' : '',
    CommitmentDiscountId: commitment?.id ?? '',
    CommitmentDiscountName: commitment?.name ?? '',
    CommitmentDiscountQuantity: counted,
    CommitmentDiscountStatus: !commitment || !isUsage ? '' : kind === 'true_up' ? 'Unused' : 'Used',
    CommitmentDiscountType: commitment ? 'Spend commitment' : '',
    CommitmentDiscountUnit: counted === '' ? '' : currency,
  };
}

/**
 * Returns one charge in the columns of the standard. Reversals, and late usage of a month that was invoiced,
 * are corrections as ChargeClass defines them.
 */
export function focusRow(charge: FocusCharge, account: FocusAccount): Readonly<Record<FocusColumn, string>> {
  const { category, frequency, isPriced } = chargeOf(charge.kind);
  const { cost, quantity, unit, service, isTakenBack } = charge;
  const isUnused = charge.kind === 'true_up';
  // Late usage of charges that count in several units; corrections may leave the quantity out.
  const isUncounted = charge.kind === 'adjustment' && unit === '';
  const isUsage = category === 'Usage' && !isUnused && !isTakenBack && !isUncounted;
  const hasPrice = isPriced && !isTakenBack;
  const isTax = charge.kind === 'tax';
  const isRate = charge.kind === 'committed_rate' || charge.kind === 'overage_rate';
  // List costs include neither discounts nor negotiated rates; contracted costs include negotiated ones, but
  // no promotional credit.
  const listCost = category === 'Credit' || isRate ? '0' : cost;
  const contractedCost = charge.kind === 'promotional_credit' ? '0' : cost;
  return {
    BilledCost: cost,
    BillingAccountId: account.id,
    BillingAccountName: account.name,
    BillingCurrency: charge.currency,
    BillingPeriodEnd: focusTime(charge.billingPeriod.end),
    BillingPeriodStart: focusTime(charge.billingPeriod.start),
    ChargeCategory: category,
    ChargeClass: charge.kind === 'adjustment' || isTakenBack ? 'Correction' : '',
    ChargeDescription: charge.description,
    ChargeFrequency: isTakenBack ? 'One-Time' : frequency,
    ChargePeriodEnd: focusTime(charge.period.end),
    ChargePeriodStart: focusTime(charge.period.start),
    ...commitmentColumns(charge, category === 'Usage'),
    ConsumedQuantity: isUsage ? quantity : '',
    ConsumedUnit: isUsage ? unit : '',
    ContractedCost: contractedCost,
    EffectiveCost: cost,
    // FOCUS 1.3: may be the service provider if the customer does not see the underlying host; a tax has no
    // host.
    HostProviderName: isTax ? 'Not Applicable' : account.provider,
    InvoiceId: charge.invoiceId,
    InvoiceIssuerName: account.provider,
    ListCost: listCost,
    PricingCategory: !hasPrice ? '' : category === 'Usage' && charge.commitment ? 'Committed' : 'Standard',
    PricingQuantity: !hasPrice || isUncounted ? '' : isUnused ? cost : quantity,
    PricingUnit: !hasPrice || isUncounted ? '' : isUnused ? charge.currency : unit,
    ProviderName: account.provider,
    PublisherName: account.provider,
    ResourceId: charge.subscriptionId,
    ResourceName: isTax ? '' : service.name,
    ResourceType: isTax ? '' : service.type,
    ServiceCategory: isTax ? 'Other' : focusCategory(service.category, service.type),
    // What was agreed with the organization as a whole belongs to no service, but the column is mandatory.
    ServiceName: isTax ? 'Tax' : service.name || charge.description,
    ServiceProviderName: account.provider,
    SkuId: service.id,
    SubAccountId: (account.user ?? account).id,
    SubAccountName: (account.user ?? account).name,
    Tags: focusTags(service.tags),
  };
}
