// Discounts: reductions of bills before tax, and the organizations that have them, granted by an Admin or by
// a promo code.
import * as z from 'zod/mini';
import { contract, file, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  acceptedMoney,
  day,
  id,
  instant,
  language,
  moneyShape,
  month,
  pageOf,
  pageQuery,
  text,
} from '#kernel/shape.ts';
import { chargeKey } from '#features/selling/rating/contract.ts';
import { EstimateInput } from '#features/selling/catalogue/contract.ts';

/**
 * How several discounts reduce one bill. `as_listed`: in the order in which they were granted.
 * `percent_first`: percentages before fixed amounts. `best_only`: only the one that takes most.
 */
export const discountOrders = ['as_listed', 'percent_first', 'best_only'] as const;
export type DiscountOrder = (typeof discountOrders)[number];

/**
 * Who may redeem a code: any organization, one that has never subscribed to anything, or specific
 * organizations.
 */
export const audiences = ['anyone', 'new', 'named'] as const;
export type Audience = (typeof audiences)[number];
/**
 * `used_up`: the maximum number of redemptions is reached. `expired`: its last day is over. Neither affects
 * existing redemptions, nor does archiving.
 */
export const discountStates = ['active', 'used_up', 'expired', 'archived'] as const;
export type DiscountState = (typeof discountStates)[number];
/**
 * `used`: a discount for one bill was used on one. `over`: its last month has passed. `ended`: an Admin took
 * it away.
 */
export const redemptionStates = ['active', 'used', 'over', 'ended'] as const;
export type RedemptionState = (typeof redemptionStates)[number];

export const maxScopeServices = 50;
export const maxNamedOrganizations = 200;
export const maxMonths = 120;
const maxCount = 1_000_000;

/** Letters, digits, hyphens and underscores, case-insensitive. The rules report what is wrong with others. */
const typedCode = text(80);
const names = z.strictObject({ zhTW: text(80), enUS: text(80) });
/** In percent, for example "12.5"; the rules check the range. */
const percent = z.string().check(z.regex(/^\d{1,24}(\.\d{1,12})?$/));

const reductionOf = <M extends z.core.SomeType>(amount: M) =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('percent'), percent }),
    /** Per month. */
    z.strictObject({ kind: z.literal('fixed'), amount }),
  ]);
export const Reduction = reductionOf(moneyShape);
export type Reduction = z.output<typeof Reduction>;

/**
 * How long it lasts for an organization, from the month of its redemption on; `until` includes the month of
 * that day.
 */
export const Duration = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('once') }),
  z.strictObject({ kind: z.literal('months'), months: z.int().check(z.minimum(1), z.maximum(maxMonths)) }),
  z.strictObject({ kind: z.literal('until'), until: day }),
  z.strictObject({ kind: z.literal('forever') }),
]);
export type Duration = z.output<typeof Duration>;

const chargeKeys = z.nullable(z.array(chargeKey).check(z.minLength(1), z.maxLength(50)));
/** A service whose lines are reduced: all of them (null), or those of some charges. */
const ScopeService = z.strictObject({ serviceId: id('svc'), chargeKeys });
export type ScopeService = z.output<typeof ScopeService>;
const scopeOf = <T extends z.core.SomeType>(service: T) =>
  /** null: every line of a bill. */
  z.nullable(z.array(service).check(z.minLength(1), z.maxLength(maxScopeServices)));
/** With names for display. */
const ShownScope = scopeOf(
  z.strictObject({
    ...ScopeService.shape,
    serviceName: z.string(),
    charges: z.nullable(z.array(z.strictObject({ key: chargeKey, name: names }))),
  }),
);
export type ShownScope = z.output<typeof ShownScope>;

/** The terms of a discount; they never change. */
const terms = {
  name: names,
  reduction: Reduction,
  /** The maximum that a percentage takes off a month; it then applies only in this currency. */
  maximum: z.nullable(moneyShape),
  duration: Duration,
  scope: ShownScope,
};
export const Terms = z.strictObject(terms);
export type Terms = z.output<typeof Terms>;

export const Discount = z.strictObject({
  id: id('dsc'),
  ...terms,
  /** In upper case; null if only an Admin grants it. */
  code: z.nullable(z.string()),
  /** The last day on which the code is accepted, in the time zone of the redeeming organization. */
  redeemableUntil: z.nullable(day),
  maxRedemptions: z.nullable(z.int()),
  maxPerOrganization: z.int(),
  audience: z.enum(audiences),
  /** The organizations for audience `named`. */
  organizations: z.array(z.strictObject({ id: id('org'), name: z.string() })),
  state: z.enum(discountStates),
  /** How often it was granted or redeemed, including redemptions taken away later. */
  redemptions: z.int(),
  /** What it took off bills in force, by currency. */
  saved: z.array(moneyShape),
  createdAt: instant,
  /** Incremented with every change; a change based on an older version is rejected. */
  version: z.int(),
});
export type Discount = z.output<typeof Discount>;

const subscriptionNamed = z.nullable(z.strictObject({ id: id('sub'), serviceName: z.string() }));
/** An organization's redemption of a discount. */
const held = {
  id: id('rdm'),
  /** The only subscription of the organization that it reduces; null for all. */
  subscription: subscriptionNamed,
  redeemedAt: instant,
  firstMonth: month,
  /** The last month that it may reduce; null: until further notice, or the next bill. */
  lastMonth: z.nullable(month),
  state: z.enum(redemptionStates),
  saved: z.array(moneyShape),
};
export const Redemption = z.strictObject({
  ...held,
  organizationId: id('org'),
  organization: z.string(),
  endedAt: z.nullable(instant),
  /** The bills that it is on, newest first. */
  bills: z.array(
    z.strictObject({ id: id('bil'), number: z.string(), month, amount: moneyShape, isVoid: z.boolean() }),
  ),
});
export type Redemption = z.output<typeof Redemption>;
export const OwnDiscount = z.strictObject({
  ...held,
  ...terms,
  /** The terms as a sentence, in the language of the request. */
  terms: z.string(),
});
export type OwnDiscount = z.output<typeof OwnDiscount>;

/** The terms of a code, and its effect on an estimate. */
export const CheckedCode = z.strictObject({
  code: z.string(),
  ...terms,
  terms: z.string(),
  /**
   * A month of the service, before tax and without one-time fees, as it would be on the current month's bill
   * next to the other lines and discounts: without and with the code; null if no estimate was requested.
   */
  estimate: z.nullable(
    z.strictObject({
      before: moneyShape,
      after: moneyShape,
      /** How much the whole bill is reduced. */
      saved: moneyShape,
      lines: z.array(
        z.strictObject({
          /** The charge; null for the price of a service without charges, and for its minimum or maximum. */
          chargeKey: z.nullable(chargeKey),
          before: moneyShape,
          after: moneyShape,
        }),
      ),
    }),
  ),
});
export type CheckedCode = z.output<typeof CheckedCode>;

const admin = { roles: ['Admin'] } as const;
const one = { discountId: id('dsc') };
const count = z.int().check(z.minimum(1), z.maximum(maxCount));
const limits = {
  redeemableUntil: z.optional(z.nullable(day)),
  maxRedemptions: z.optional(z.nullable(count)),
  maxPerOrganization: z.optional(count),
  audience: z.optional(z.enum(audiences)),
  organizationIds: z.optional(z.array(id('org')).check(z.maxLength(maxNamedOrganizations))),
};
const filter = {
  q: pageQuery.q,
  state: z.optional(z.enum(discountStates)),
};
export const discountExportFormats = ['csv', 'xlsx'] as const;
const Settings = z.strictObject({ stackingOrder: z.enum(discountOrders) });

export const discounts = contract({
  listDiscounts: route({
    method: 'GET',
    path: '/admin/discounts',
    access: admin,
    isBatchable: true,
    summary: 'List discounts',
    description: 'Searchable by name and code.',
    input: z.strictObject({ ...pageQuery, ...filter }),
    output: pageOf(Discount),
  }),
  createDiscount: route({
    method: 'POST',
    path: '/admin/discounts',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Create a discount',
    description: 'What it gives never changes. For different terms, create a new discount.',
    input: z.strictObject({
      name: names,
      reduction: reductionOf(acceptedMoney),
      maximum: z.optional(z.nullable(acceptedMoney)),
      duration: Duration,
      scope: z.optional(scopeOf(ScopeService)),
      code: z.optional(z.nullable(typedCode)),
      ...limits,
    }),
    output: Discount,
  }),
  discountSettings: route({
    method: 'GET',
    path: '/admin/discounts/settings',
    access: admin,
    isBatchable: true,
    summary: 'Get discount settings',
    description: 'The order in which several discounts apply to one bill.',
    input: noInput,
    output: Settings,
  }),
  saveDiscountSettings: route({
    method: 'PUT',
    path: '/admin/discounts/settings',
    access: admin,
    summary: 'Update discount settings',
    description: 'The order in which several discounts apply to bills issued from now on.',
    input: Settings,
    output: Settings,
  }),
  exportDiscounts: route({
    method: 'GET',
    path: '/admin/discounts/export',
    access: admin,
    summary: 'Export discounts',
    description: 'Those that match a filter.',
    input: z.strictObject({
      ...filter,
      format: z.enum(discountExportFormats),
      language: z.optional(language),
    }),
    output: file,
  }),
  getDiscount: route({
    method: 'GET',
    path: '/admin/discounts/:discountId',
    access: admin,
    summary: 'Get a discount',
    input: z.strictObject(one),
    output: Discount,
  }),
  updateDiscount: route({
    method: 'PATCH',
    path: '/admin/discounts/:discountId',
    access: admin,
    summary: 'Update a discount',
    description: 'Changes its name, who can redeem it, how often, and until when.',
    input: z.strictObject({
      ...one,
      name: z.optional(names),
      ...limits,
      /** The version that the change is based on; an outdated one is rejected. */
      version: z.optional(z.int()),
    }),
    output: Discount,
  }),
  archiveDiscount: route({
    method: 'POST',
    path: '/admin/discounts/:discountId/archive',
    access: admin,
    summary: 'Archive a discount',
    description:
      'Nobody can get it anymore and its code becomes available. Organizations that have it keep it.',
    input: z.strictObject(one),
    output: Discount,
  }),
  restoreDiscount: route({
    method: 'POST',
    path: '/admin/discounts/:discountId/restore',
    access: admin,
    summary: 'Restore a discount',
    description: 'Not if another discount now uses its code.',
    input: z.strictObject(one),
    output: Discount,
  }),
  listRedemptions: route({
    method: 'GET',
    path: '/admin/discounts/:discountId/redemptions',
    access: admin,
    summary: 'List redemptions',
    description: 'The organizations that have a discount, with what it saved each.',
    input: z.strictObject({ ...one, ...pageQuery }),
    output: pageOf(Redemption),
  }),
  giveDiscount: route({
    method: 'POST',
    path: '/admin/discounts/:discountId/redemptions',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Give a discount',
    description:
      'To an organization or one of its subscriptions. Its limits apply; its audience and last day don’t.',
    input: z.strictObject({
      ...one,
      organizationId: id('org'),
      subscriptionId: z.optional(id('sub')),
      /** The first bill that it reduces: of the organization's current month, or of the previous one. */
      fromMonth: z.optional(month),
    }),
    output: Redemption,
  }),
  endRedemption: route({
    method: 'POST',
    path: '/admin/redemptions/:redemptionId/end',
    access: admin,
    summary: 'End a redemption',
    description: 'Bills issued to the organization from now on aren’t discounted.',
    input: z.strictObject({ redemptionId: id('rdm') }),
    output: Redemption,
  }),
  ownDiscounts: route({
    method: 'GET',
    path: '/discounts',
    access: { roles: ['User', 'ReadOnly'], apiKey: 'read' },
    isBatchable: true,
    summary: 'List your discounts',
    description: 'What each has saved so far, and until when it lasts.',
    input: noInput,
    output: z.strictObject({ items: z.array(OwnDiscount) }),
  }),
  checkCode: route({
    method: 'POST',
    path: '/discounts/check',
    access: { roles: ['User'] },
    perMinute: 60,
    summary: 'Check a promo code',
    description:
      'What it gives and how it changes a service’s estimate, or why it’s rejected. Changes nothing.',
    input: z.strictObject({
      code: typedCode,
      serviceId: z.optional(id('svc')),
      estimate: z.optional(EstimateInput),
    }),
    output: CheckedCode,
  }),
  redeemCode: route({
    method: 'POST',
    path: '/discounts/redeem',
    access: { roles: ['User'] },
    status: 201,
    idempotent: true,
    perMinute: 120,
    summary: 'Redeem a promo code',
    description: 'For your organization or one of its subscriptions.',
    input: z.strictObject({ code: typedCode, subscriptionId: z.optional(id('sub')) }),
    output: OwnDiscount,
  }),
});

export const discountErrors = {
  'discounts.not_found': 404,
  'discounts.redemption_not_found': 404,
  'discounts.changed_meanwhile': 409,
  'discounts.code_taken': 409,
  'discounts.archived': 409,
  'discounts.too_many_guesses': 429,
  // Why a discount cannot be redeemed or granted: the response names the field.
  'discounts.code_unknown': 422,
  'discounts.expired': 422,
  'discounts.used_up': 422,
  'discounts.already_redeemed': 422,
  'discounts.other_services': 422,
  'discounts.from_month_out_of_range': 422,
  'discounts.other_currency': 422,
  'discounts.subscription_unknown': 422,
  'discounts.organization_unknown': 422,
  // Invalid fields of a discount: the response names the field (400).
  'discounts.code_wrong': 400,
  'discounts.percent_out_of_range': 400,
  'discounts.amount_not_positive': 400,
  'discounts.maximum_of_percent': 400,
  'discounts.until_passed': 400,
  'discounts.service_unknown': 400,
  'discounts.service_repeated': 400,
  'discounts.charge_unknown': 400,
  'discounts.organizations_needed': 400,
  'discounts.organizations_unneeded': 400,
  'discounts.below_redeemed': 400,
} as const satisfies ErrorTable;
