// Credit grants: organizations' prepaid and promotional credit, its movements, and how customers buy it.
import * as z from 'zod/mini';
import { contract, file, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  acceptedMoney,
  currency,
  day,
  id,
  instant,
  language,
  moneyShape,
  month,
  optionalText,
  pageOf,
  pageQuery,
  text,
} from '#kernel/shape.ts';
import { chargeKey } from '#features/selling/rating/contract.ts';

/** Paid: bought with the prepaid balance. Promotional: granted for free. */
export const grantKinds = ['paid', 'promotional'] as const;
export type GrantKind = (typeof grantKinds)[number];
/** Granted by an Admin, bought by a member, or bought by auto top-up. */
export const grantOrigins = ['admin', 'bought', 'top_up'] as const;
export type GrantOrigin = (typeof grantOrigins)[number];
export const grantStates = ['active', 'upcoming', 'used_up', 'expired', 'withdrawn'] as const;
export type GrantState = (typeof grantStates)[number];
export const movementKinds = ['granted', 'used', 'restored', 'expired', 'reopened', 'withdrawn'] as const;
export type MovementKind = (typeof movementKinds)[number];

export const usualPriority = 50;
/**
 * The maximum number of integer digits of a grant's amount, so that decades of rollover still fit its
 * columns.
 */
export const maxAmountDigits = 12;
/** The maximum number of months to which bought credit can be limited. */
export const maxOfferMonths = 120;

const bothLanguages = z.strictObject({ zhTW: z.string(), enUS: z.string() });
const named = z.strictObject({ id: id('svc'), name: z.string() });
/**
 * What a grant covers; null `services` means all. For a service with named charges, only those charges; null
 * if no service is limited to some of its charges.
 */
export const GrantScope = z.strictObject({
  services: z.nullable(z.array(named)),
  charges: z.nullable(z.array(z.strictObject({ serviceId: id('svc'), chargeKey, name: bothLanguages }))),
  usageOnly: z.boolean(),
});
export type GrantScope = z.output<typeof GrantScope>;
/** Renewed every month. Without rollover each month is independent; with it, the remainder is kept. */
const recurring = z.nullable(z.strictObject({ rollover: z.boolean() }));

const shown = {
  id: id('cgr'),
  kind: z.enum(grantKinds),
  origin: z.enum(grantOrigins),
  state: z.enum(grantStates),
  name: bothLanguages,
  /** For a recurring grant: each month's amount. */
  amount: moneyShape,
  /** The remaining amount; for a recurring grant without rollover, of the organization's current month. */
  left: moneyShape,
  /** Everything used on bills, minus what voided bills returned. */
  used: moneyShape,
  priority: z.int(),
  scope: GrantScope,
  startsOn: month,
  /** The last month whose bill it covers; null for any. */
  lastMonth: z.nullable(month),
  recurring,
  createdAt: instant,
  withdrawnAt: z.nullable(instant),
};
export const OwnGrant = z.strictObject(shown);
export type OwnGrant = z.output<typeof OwnGrant>;
export const CreditGrant = z.strictObject({
  ...shown,
  organizationId: id('org'),
  organization: z.string(),
  note: z.string(),
  createdBy: z.string(),
  withdrawnBy: z.nullable(z.string()),
  withdrawalReason: z.nullable(z.string()),
});
export type CreditGrant = z.output<typeof CreditGrant>;

const moved = {
  id: id('cgm'),
  kind: z.enum(movementKinds),
  /** The month that it belongs to. */
  month,
  /** Positive: granted; negative: taken. */
  amount: moneyShape,
  /** The remaining amount of the grant after it. */
  after: moneyShape,
  bill: z.nullable(z.strictObject({ id: id('bil'), number: z.string() })),
  at: instant,
};
export const Movement = z.strictObject({
  ...moved,
  /** Null for the console itself. */
  by: z.nullable(z.string()),
});
export type Movement = z.output<typeof Movement>;
/** A movement as customers see it. */
export const OwnMovement = z.strictObject({ ...moved, grantId: id('cgr'), grant: bothLanguages });
export type OwnMovement = z.output<typeof OwnMovement>;
export const CreditGrantDetail = z.extend(CreditGrant, {
  /** Oldest first. */
  movements: z.array(Movement),
});
export type CreditGrantDetail = z.output<typeof CreditGrantDetail>;

const services = z.nullable(z.array(id('svc')).check(z.minLength(1), z.maxLength(100)));
/** Charges of rate cards. Without `services`, they also determine the services. */
const charges = z.nullable(
  z.array(z.strictObject({ serviceId: id('svc'), chargeKey })).check(z.minLength(1), z.maxLength(100)),
);
/** A scope as submitted: charges are optional. */
export const GivenScope = z.strictObject({ services, charges: z.optional(charges), usageOnly: z.boolean() });
/** The terms on which customers buy credit: what it covers, and for how many months' bills (null: any). */
export const CreditOffer = z.strictObject({
  isOn: z.boolean(),
  services,
  /** Missing in offers stored before charges existed: all charges. */
  charges: z.optional(charges),
  usageOnly: z.boolean(),
  months: z.nullable(z.int().check(z.minimum(1), z.maximum(maxOfferMonths))),
});
export type CreditOffer = z.output<typeof CreditOffer>;

export const OwnCredits = z.strictObject({
  /**
   * The remaining amounts of grants that the current month's bill can use, by currency; the main currency
   * first.
   */
  totals: z.array(
    z.strictObject({
      currency,
      paid: moneyShape,
      promotional: moneyShape,
      /**
       * What bills of open months would use of both, based on usage so far: the current month, and a previous
       * one that is not closed.
       */
      planned: z.strictObject({ paid: moneyShape, promotional: moneyShape }),
      /** The prepaid balance with which credit is bought. */
      balance: moneyShape,
    }),
  ),
  /** Those with a remaining amount first. */
  grants: z.array(OwnGrant),
  /** Newest first, at most 100. */
  movements: z.array(OwnMovement),
  /** What a purchase today would cover; null if credit is not for sale. */
  offer: z.nullable(z.strictObject({ scope: GrantScope, lastMonth: z.nullable(month) })),
});
export type OwnCredits = z.output<typeof OwnCredits>;

/** A subscription to a service that requires prepaid credit, and whether its usage is metered. */
export const CoveredSubscription = z.strictObject({
  subscriptionId: id('sub'),
  serviceId: id('svc'),
  service: z.string(),
  isStopped: z.boolean(),
  /** Null while it is metered, and if it has not been checked yet. */
  stoppedAt: z.nullable(instant),
  /** At least four fifths of the credit for it are used. */
  isNearlyUsed: z.boolean(),
});
export type CoveredSubscription = z.output<typeof CoveredSubscription>;

const topUpTerms = <T extends z.ZodMiniType>(amount: T) =>
  z.strictObject({
    /** Buys when the remaining paid credit, minus what open months will use, is below this amount. */
    threshold: amount,
    amount,
    /** The maximum that it buys in a calendar month. */
    monthlyCap: amount,
  });
export const TopUp = z.strictObject({
  currency,
  topUp: z.nullable(topUpTerms(moneyShape)),
  /** Members are notified once when all remaining credit falls below this. */
  warnBelow: z.nullable(moneyShape),
  boughtThisMonth: moneyShape,
});
export type TopUp = z.output<typeof TopUp>;
const TopUps = z.strictObject({ items: z.array(TopUp) });

const admin = { roles: ['Admin'] } as const;
const user = { roles: ['User'] } as const;
const readable = { roles: ['User', 'ReadOnly'], apiKey: 'read' } as const;
const oneGrant = { grantId: id('cgr') };
const name = text(80);
const filter = {
  q: pageQuery.q,
  organizationId: z.optional(id('org')),
  kind: z.optional(z.enum(grantKinds)),
  state: z.optional(z.enum(grantStates)),
  currency: z.optional(currency),
};

export const creditgrants = contract({
  adminListGrants: route({
    method: 'GET',
    path: '/admin/credit-grants',
    access: admin,
    isBatchable: true,
    summary: 'List all credit grants',
    input: z.strictObject({ ...pageQuery, ...filter }),
    output: pageOf(CreditGrant),
  }),
  adminExportGrants: route({
    method: 'GET',
    path: '/admin/credit-grants/export',
    access: admin,
    atOnce: 2,
    summary: 'Export credit grants',
    description: 'Those that match a filter.',
    input: z.strictObject({
      ...filter,
      sort: pageQuery.sort,
      format: z.enum(['csv', 'xlsx']),
      language: z.optional(language),
    }),
    output: file,
  }),
  adminGetGrant: route({
    method: 'GET',
    path: '/admin/credit-grants/:grantId',
    access: admin,
    summary: 'Get a credit grant',
    description: 'Includes everything that moved it.',
    input: z.strictObject(oneGrant),
    output: CreditGrantDetail,
  }),
  giveGrant: route({
    method: 'POST',
    path: '/admin/credit-grants',
    access: admin,
    status: 201,
    idempotent: true,
    fresh: true,
    summary: 'Grant credit',
    description:
      'Paid credit is bought with the organization’s prepaid balance; promotional credit can recur every month.',
    input: z.strictObject({
      organizationId: id('org'),
      kind: z.enum(grantKinds),
      name: z.strictObject({ zhTW: name, enUS: name }),
      amount: acceptedMoney,
      /** Lower priorities are used first. */
      priority: z.optional(z.int().check(z.minimum(0), z.maximum(100))),
      scope: z.optional(GivenScope),
      /** The first month whose bill it covers; defaults to the organization’s current month. */
      startsOn: z.optional(month),
      /** The bill of the month that contains this day is the last one it covers. */
      expiresOn: z.optional(z.nullable(day)),
      recurring: z.optional(recurring),
      note: z.optional(optionalText(500)),
    }),
    output: CreditGrantDetail,
  }),
  withdrawGrant: route({
    method: 'POST',
    path: '/admin/credit-grants/:grantId/withdraw',
    access: admin,
    idempotent: true,
    fresh: true,
    summary: 'Withdraw a credit grant',
    description:
      'Takes back what’s left: paid credit returns to the prepaid balance, promotional credit ends.',
    input: z.strictObject({ ...oneGrant, reason: text(500) }),
    output: CreditGrantDetail,
  }),
  creditOffer: route({
    method: 'GET',
    path: '/admin/credit-offer',
    access: admin,
    summary: 'Get the credit offer',
    description: 'Whether customers can buy credit, and on which terms.',
    input: noInput,
    output: CreditOffer,
  }),
  setCreditOffer: route({
    method: 'PUT',
    path: '/admin/credit-offer',
    access: admin,
    summary: 'Update the credit offer',
    description:
      'Whether customers can buy credit, and on which terms. Credit already bought keeps its terms.',
    input: CreditOffer,
    output: CreditOffer,
  }),

  ownCredits: route({
    method: 'GET',
    path: '/credits',
    access: readable,
    isBatchable: true,
    summary: 'Get your credit',
    description: 'What’s left, each grant, and what moved them.',
    input: noInput,
    output: OwnCredits,
  }),
  creditCover: route({
    method: 'GET',
    path: '/credits/cover',
    access: readable,
    isBatchable: true,
    summary: 'List subscriptions that require credit',
    description: 'Your subscriptions that require prepaid credit, and whether their usage is being metered.',
    input: noInput,
    output: z.strictObject({
      items: z.array(CoveredSubscription),
      /** Whether members can buy credit themselves. */
      isSold: z.boolean(),
    }),
  }),
  buyCredit: route({
    method: 'POST',
    path: '/credits',
    access: user,
    status: 201,
    idempotent: true,
    summary: 'Buy credit',
    description: 'Uses the prepaid balance, on the operator’s terms.',
    input: z.strictObject({ amount: acceptedMoney }),
    output: OwnGrant,
  }),
  topUps: route({
    method: 'GET',
    path: '/credits/top-up',
    access: readable,
    isBatchable: true,
    summary: 'Get automatic credit purchases',
    description: 'Automatic purchases and the low-credit warning, by currency.',
    input: noInput,
    output: TopUps,
  }),
  setTopUp: route({
    method: 'PUT',
    path: '/credits/top-up',
    access: user,
    summary: 'Update automatic credit purchases',
    description:
      'Sets automatic purchases and the low-credit warning for one currency. Null turns either off.',
    input: z.strictObject({
      currency,
      topUp: z.nullable(topUpTerms(acceptedMoney)),
      warnBelow: z.nullable(acceptedMoney),
    }),
    output: TopUps,
  }),
});

export const creditgrantsErrors = {
  'creditgrants.not_found': 404,
  'creditgrants.already_withdrawn': 409,
  'creditgrants.nothing_to_withdraw': 409,
  'creditgrants.not_for_sale': 409,
  'creditgrants.balance_too_low': 409,
  // Invalid fields: the response names the field (400).
  'creditgrants.amount_not_positive': 400,
  'creditgrants.amount_too_large': 400,
  'creditgrants.paid_recurs': 400,
  'creditgrants.service_unknown': 400,
  'creditgrants.charge_unknown': 400,
  'creditgrants.charge_of_other_service': 400,
  'creditgrants.starts_too_early': 400,
  'creditgrants.ends_too_early': 400,
  'creditgrants.other_currency': 400,
  'creditgrants.cap_below_amount': 400,
} as const satisfies ErrorTable;

export const creditgrantsPaths = { admin: '/admin/credit-grants', own: '/billing/credits' } as const;
