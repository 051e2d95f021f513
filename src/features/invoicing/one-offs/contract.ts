// One-off charges and credits that an Admin bills an organization. The minimum monthly spend is in
// contract-minimums.ts.
import * as z from 'zod/mini';
import { contract, file, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  acceptedMoney,
  currency,
  day,
  exactDecimal,
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
import { minimumErrors, minimumRoutes } from './contract-minimums.ts';

export const oneOffKinds = ['charge', 'credit'] as const;
export type OneOffKind = (typeof oneOffKinds)[number];

/**
 * `next_bill`: on the bill for the month of its day, or the first one after it; `own_bill`: on a separate
 * bill, at once.
 */
export const oneOffBillings = ['next_bill', 'own_bill'] as const;
export type OneOffBilling = (typeof oneOffBillings)[number];

/** `awaiting_approval → approved → billed`; voiding a bill returns its one-offs to `approved`. */
export const oneOffStates = ['awaiting_approval', 'approved', 'billed', 'rejected', 'withdrawn'] as const;
export type OneOffState = (typeof oneOffStates)[number];

/** The steps in a one-off's history; `released`: the bill that it was on was voided. */
export const oneOffSteps = ['created', 'approved', 'rejected', 'withdrawn', 'billed', 'released'] as const;
export type OneOffStep = (typeof oneOffSteps)[number];

/** Who created it: an Admin, or the console for a bill that was paid late. */
export const oneOffOrigins = ['admin', 'late_fee'] as const;
export type OneOffOrigin = (typeof oneOffOrigins)[number];
/** At the standard rate, or exempt; the latter is shown if taxes are stated by category. */
export const oneOffTaxes = ['standard', 'exempt'] as const;
export type OneOffTax = (typeof oneOffTaxes)[number];

/** The maximum number of fraction digits. */
export const quantityDigits = 6;
export const priceDigits = 12;
export const longestName = 120;

/** The text on the bill. */
const name = z.strictObject({ zhTW: z.string(), enUS: z.string() });
const described = {
  id: id('ooc'),
  name,
  kind: z.enum(oneOffKinds),
  /** Exact positive decimals, without trailing zeros. */
  quantity: exactDecimal,
  unitPrice: exactDecimal,
  /** Before tax: quantity × unit price, rounded once; negative for a credit. */
  amount: moneyShape,
  /** A day in the organization's time zone. */
  chargeOn: day,
  subscriptionId: z.nullable(id('sub')),
  /** The service of the subscription; null without one. */
  service: z.nullable(z.string()),
  billing: z.enum(oneOffBillings),
};

/** The data a customer sees: what will be on a bill. */
export const UpcomingOneOff = z.strictObject({
  ...described,
  /** It will be on the bill of this month, or the first one after it. */
  month,
});
export type UpcomingOneOff = z.output<typeof UpcomingOneOff>;

export const OneOff = z.strictObject({
  ...described,
  organizationId: id('org'),
  organization: z.string(),
  /** For Admins only. */
  note: z.string(),
  state: z.enum(oneOffStates),
  createdAt: instant,
  createdBy: z.strictObject({ id: id('usr'), name: z.string() }),
  /** Who approved it; null if not approved yet, or if no approval was required. */
  approvedAt: z.nullable(instant),
  approvedBy: z.nullable(z.string()),
  bill: z.nullable(z.strictObject({ id: id('bil'), number: z.string() })),
});
export type OneOff = z.output<typeof OneOff>;

export const OneOffDetail = z.extend(OneOff, {
  history: z.array(
    z.strictObject({
      step: z.enum(oneOffSteps),
      at: instant,
      by: z.string(),
      /** Why it was rejected or withdrawn; '' for other steps. */
      reason: z.string(),
      billNumber: z.nullable(z.string()),
    }),
  ),
});
export type OneOffDetail = z.output<typeof OneOffDetail>;

/** The amount above which a second Admin has to approve. */
export const ApprovalSetting = z.strictObject({
  /** Null: no approval is required. */
  approvalAbove: z.nullable(moneyShape),
  /** The number of other active Admins, who could approve what the caller creates. */
  otherAdmins: z.int(),
});
export type ApprovalSetting = z.output<typeof ApprovalSetting>;

const admin = { roles: ['Admin'] } as const;
const readable = { roles: ['User', 'ReadOnly'], apiKey: 'read' } as const;
const one = { oneOffId: id('ooc') };
const filters = {
  q: pageQuery.q,
  organizationId: z.optional(id('org')),
  state: z.optional(z.enum(oneOffStates)),
  currency: z.optional(currency),
};
/** Validated by the rules, whose error at the field explains how to fix it. */
const typedDecimal = z
  .string()
  .check(
    z.trim(),
    z.minLength(1),
    z.maxLength(60),
    z.meta({ description: 'A decimal above zero', examples: ['2.5'] }),
  );

export const oneOffs = contract({
  listOneOffs: route({
    method: 'GET',
    path: '/admin/one-off-charges',
    access: admin,
    isBatchable: true,
    summary: 'List one-off charges and credits',
    description: 'Those of every organization, newest first. `awaiting` counts all that await approval.',
    input: z.strictObject({
      ...filters,
      sort: pageQuery.sort,
      limit: pageQuery.limit,
      cursor: pageQuery.cursor,
    }),
    output: z.extend(pageOf(OneOff), { awaiting: z.int() }),
  }),
  createOneOff: route({
    method: 'POST',
    path: '/admin/one-off-charges',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Create a one-off charge or credit',
    description:
      'On the organization’s next bill, or on a bill of its own. Above the amount in the settings, another Admin has to approve it.',
    input: z.strictObject({
      organizationId: id('org'),
      name: z.strictObject({ zhTW: text(longestName), enUS: text(longestName) }),
      kind: z.enum(oneOffKinds),
      quantity: z.optional(typedDecimal),
      unitPrice: typedDecimal,
      currency,
      chargeOn: z.optional(day),
      subscriptionId: z.optional(z.nullable(id('sub'))),
      billing: z.optional(z.enum(oneOffBillings)),
      note: z.optional(optionalText(500)),
    }),
    output: OneOffDetail,
  }),
  exportOneOffs: route({
    method: 'GET',
    path: '/admin/one-off-charges/export',
    access: admin,
    atOnce: 2,
    summary: 'Export one-off charges and credits',
    description: 'Those that match a filter, as CSV or Excel.',
    input: z.strictObject({
      ...filters,
      sort: pageQuery.sort,
      format: z.enum(['csv', 'xlsx']),
      language: z.optional(language),
    }),
    output: file,
  }),
  oneOffSettings: route({
    method: 'GET',
    path: '/admin/one-off-charges/settings',
    access: admin,
    isBatchable: true,
    summary: 'Get one-off approval settings',
    description: 'The amount above which a second Admin has to approve.',
    input: noInput,
    output: ApprovalSetting,
  }),
  saveOneOffSettings: route({
    method: 'PUT',
    path: '/admin/one-off-charges/settings',
    access: admin,
    summary: 'Update one-off approval settings',
    description: 'For charges and credits created from now on. Null turns approval off.',
    input: z.strictObject({ approvalAbove: z.nullable(acceptedMoney) }),
    output: ApprovalSetting,
  }),
  getOneOff: route({
    method: 'GET',
    path: '/admin/one-off-charges/:oneOffId',
    access: admin,
    summary: 'Get a one-off charge or credit',
    description: 'Includes its history.',
    input: z.strictObject(one),
    output: OneOffDetail,
  }),
  approveOneOff: route({
    method: 'POST',
    path: '/admin/one-off-charges/:oneOffId/approve',
    access: admin,
    idempotent: true,
    summary: 'Approve a one-off charge or credit',
    description: 'Not by the Admin who created it.',
    input: z.strictObject(one),
    output: OneOffDetail,
  }),
  rejectOneOff: route({
    method: 'POST',
    path: '/admin/one-off-charges/:oneOffId/reject',
    access: admin,
    idempotent: true,
    summary: 'Reject a one-off charge or credit',
    description: 'The Admin who created it sees the reason.',
    input: z.strictObject({ ...one, reason: text(500) }),
    output: OneOffDetail,
  }),
  withdrawOneOff: route({
    method: 'POST',
    path: '/admin/one-off-charges/:oneOffId/withdraw',
    access: admin,
    idempotent: true,
    summary: 'Withdraw a one-off charge or credit',
    description: 'Only before it’s on a bill.',
    input: z.strictObject({ ...one, reason: z.optional(optionalText(500)) }),
    output: OneOffDetail,
  }),
  upcomingOneOffs: route({
    method: 'GET',
    path: '/one-off-charges',
    access: readable,
    isBatchable: true,
    summary: 'List your upcoming one-off charges and credits',
    description: 'Approved, but not billed yet.',
    input: noInput,
    output: z.strictObject({ items: z.array(UpcomingOneOff) }),
  }),
  ...minimumRoutes,
});

export const oneOffsErrors = {
  'oneoffs.not_found': 404,
  // Errors of fields.
  'oneoffs.organization_not_found': 404,
  'oneoffs.subscription_not_found': 404,
  'oneoffs.organization_closed': 409,
  'oneoffs.quantity_wrong': 400,
  'oneoffs.price_wrong': 400,
  'oneoffs.amount_zero': 400,
  'oneoffs.amount_too_large': 400,
  'oneoffs.day_out_of_range': 400,
  'oneoffs.own_bill_later': 400,
  'oneoffs.threshold_negative': 400,
  // Another Admin is required: `admins` lists who can.
  'oneoffs.own_approval': 409,
  'oneoffs.no_other_admin': 409,
  'oneoffs.own_rejection': 409,
  'oneoffs.not_awaiting': 409,
  'oneoffs.billed': 409,
  'oneoffs.over': 409,
  ...minimumErrors,
} as const satisfies ErrorTable;

export const oneOffsPaths = { admin: '/admin/one-off-charges' } as const;
