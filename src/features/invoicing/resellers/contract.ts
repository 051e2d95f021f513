// Resellers: organizations that sell to their own customers, at their own prices, and pay the operator for
// their usage.
import * as z from 'zod/mini';
import { contract, file, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
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
  email,
  unsignedDecimal,
} from '#kernel/shape.ts';
import { maxPictureBytes, pictureTypes } from '#features/access/identity/contract.ts';
import { MarkUps } from '#features/selling/resale/contract.ts';
import { subscriptionStates } from '#features/selling/subscriptions/contract.ts';
import { BillLine, LineStep } from '#features/invoicing/billing/contract.ts';
import { RetailBill, RetailCredit } from '#features/invoicing/billing/contract-retail.ts';

/** The prefix of a reseller's bill numbers: `SHOP` results in SHOP-202411-0001. */
const numberPrefix = z.string().check(z.trim(), z.regex(/^[A-Z0-9]{1,8}$/));
const taxRate = z.string().check(z.regex(/^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/));
const dueDays = z.int().check(z.minimum(0), z.maximum(365));

/** The details on a reseller's bills. */
const saidByReseller = {
  name: text(120),
  numberPrefix,
  taxRate,
  dueDays,
  /** Payment instructions for its customers. */
  instructions: optionalText(1000),
};

export const Reseller = z.strictObject({
  organizationId: id('org'),
  /** The organization's own name; `name` is the one it sells under. */
  organization: z.string(),
  name: z.string(),
  /** The organization's, from its billing details. */
  taxId: z.string(),
  numberPrefix: z.string(),
  taxRate: exactDecimal,
  dueDays: z.int(),
  instructions: z.string(),
  /** When it stopped taking new customers; null if it takes them. */
  stoppedAt: z.nullable(instant),
  /** The number of organizations it sells to now or will by schedule. */
  customers: z.int(),
});
export type Reseller = z.output<typeof Reseller>;

export const resoldStates = ['planned', 'current', 'ended'] as const;
/** An organization that a reseller sells to in some months. */
export const ResoldSpan = z.strictObject({
  id: z.string(),
  organizationId: id('org'),
  organization: z.string(),
  resellerId: id('org'),
  reseller: z.string(),
  from: month,
  /** The last month; null if no end is set. */
  until: z.nullable(month),
  /** In the customer's current month. */
  state: z.enum(resoldStates),
});
export type ResoldSpan = z.output<typeof ResoldSpan>;

/**
 * Amounts in one currency, before tax: what the customer pays, what the reseller pays, and the difference.
 */
export const Margin = z.strictObject({
  currency,
  retail: moneyShape,
  wholesale: moneyShape,
  margin: moneyShape,
});
export type Margin = z.output<typeof Margin>;

/** A customer of the caller's organization. */
export const ResoldCustomer = z.strictObject({
  id: id('org'),
  name: z.string(),
  from: month,
  until: z.nullable(month),
  state: z.enum(resoldStates),
  /** The current month in the customer's time zone, by currency. */
  month,
  running: z.array(Margin),
});
export type ResoldCustomer = z.output<typeof ResoldCustomer>;

/** A service of one of the caller's organization's customers. */
export const CustomerService = z.strictObject({
  id: id('sub'),
  name: z.string(),
  state: z.enum(subscriptionStates),
});
export type CustomerService = z.output<typeof CustomerService>;

/** A retail bill as the reseller sees it. */
export const ResellerBill = z.extend(RetailBill, {
  /** What the operator charged for the same month, before tax; null if nothing. */
  wholesale: z.nullable(moneyShape),
});
export type ResellerBill = z.output<typeof ResellerBill>;

const lines = z.array(z.extend(BillLine, { steps: z.array(LineStep) }));
const credits = z.array(RetailCredit);
export const RetailBillDetail = z.extend(RetailBill, { lines, credits });
export type RetailBillDetail = z.output<typeof RetailBillDetail>;
export const ResellerBillDetail = z.extend(ResellerBill, { lines, credits });
export type ResellerBillDetail = z.output<typeof ResellerBillDetail>;

/**
 * Usage that arrived after its month, in which another party was the seller: bills do not include it
 * automatically.
 */
export const UnbilledLate = z.strictObject({
  organizationId: id('org'),
  organization: z.string(),
  month,
  /** The name under which a reseller sold in the month; null if the operator sold. */
  seller: z.nullable(z.string()),
  /** The organization that pays for the month. */
  payer: z.string(),
  /**
   * The change before tax at the prices of its month; negative if usage decreased, empty if the price is
   * unchanged.
   */
  amounts: z.array(moneyShape),
});
export type UnbilledLate = z.output<typeof UnbilledLate>;

/** An operator's bill for the usage of a reseller's customer. */
export const WholesaleBill = z.strictObject({
  billId: id('bil'),
  number: z.string(),
  organizationId: id('org'),
  organization: z.string(),
  month,
  currency,
  /** The recomputed sum of its lines: equal to the net amount. */
  lines: moneyShape,
  net: moneyShape,
  /** What the customer was billed before tax, minus credits; null if nothing. */
  retail: z.nullable(moneyShape),
});
export type WholesaleBill = z.output<typeof WholesaleBill>;

export const Wholesale = z.strictObject({
  items: z.array(WholesaleBill),
  /** By currency. */
  totals: z.array(Margin),
  /** Whether the lines of each bill add up to what it charges. */
  isProven: z.boolean(),
});
export type Wholesale = z.output<typeof Wholesale>;

export const MarkUpTerm = z.strictObject({
  from: month,
  markUps: MarkUps,
  setBy: z.string(),
  setAt: instant,
});
export type MarkUpTerm = z.output<typeof MarkUpTerm>;

/** A reseller's branding towards its customers, as configured by itself and by Admins. */
export const SellerBrand = z.strictObject({
  resellerId: id('org'),
  name: z.string(),
  /** `#RRGGBB`; null for the console's own color. */
  accent: z.nullable(z.string()),
  logo: z.nullable(id('lgo')),
  /** The sender name of mails; empty: `name`. */
  senderName: z.string(),
  replyTo: z.string(),
  host: z.nullable(
    z.strictObject({
      name: z.string(),
      /** The host name at which its customers open the console. */
      address: z.string(),
      verifiedAt: z.nullable(instant),
      /** The TXT record that proves control of the name. */
      record: z.strictObject({ name: z.string(), value: z.string() }),
    }),
  ),
  /** The sender address of mails, which remains the operator's. */
  mailFrom: z.string(),
  /** The address at which passkeys and sign-in by a provider work. */
  mainAddress: z.string(),
});
export type SellerBrand = z.output<typeof SellerBrand>;

const accent = z.string().check(z.regex(/^#[0-9A-Fa-f]{6}$/), z.toUpperCase());
const brandSet = {
  accent: z.nullable(accent),
  senderName: optionalText(120),
  replyTo: z.union([email, z.literal('')]),
};
const hostSet = { host: z.nullable(text(253)) };

const admin = { roles: ['Admin'] } as const;
const member = { roles: ['User'] } as const;
const readable = { roles: ['User', 'ReadOnly'] } as const;
const oneReseller = { resellerId: id('org') };
const oneCustomer = { organizationId: id('org') };
const oneBill = { retailBillId: id('rtb') };

export const resellers = contract({
  listResellers: route({
    method: 'GET',
    path: '/admin/resellers',
    access: admin,
    isBatchable: true,
    summary: 'List resellers',
    description: 'Organizations that sell to customers of their own.',
    input: noInput,
    output: z.strictObject({ items: z.array(Reseller) }),
  }),
  makeReseller: route({
    method: 'POST',
    path: '/admin/resellers',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Make an organization a reseller',
    description: 'Also lets a stopped reseller take on customers again.',
    input: z.strictObject({ organizationId: id('org'), ...saidByReseller }),
    output: Reseller,
  }),
  stopReseller: route({
    method: 'POST',
    path: '/admin/resellers/:resellerId/stop',
    access: admin,
    summary: 'Stop a reseller',
    description: 'It can’t take on more customers, but keeps selling to those it has.',
    input: z.strictObject({ resellerId: id('org') }),
    output: Reseller,
  }),
  listResold: route({
    method: 'GET',
    path: '/admin/resellers/customers',
    access: admin,
    isBatchable: true,
    summary: 'List resold organizations',
    description: 'Which organizations resellers sell to, and in which months.',
    input: z.strictObject({ ...pageQuery, resellerId: z.optional(id('org')) }),
    output: pageOf(ResoldSpan),
  }),
  setReseller: route({
    method: 'PUT',
    path: '/admin/resellers/customers',
    access: admin,
    summary: 'Set an organization’s reseller',
    description:
      'From the given month. With null, the operator sells to it directly. Billed months stay as they are.',
    input: z.strictObject({ organizationId: id('org'), resellerId: z.nullable(id('org')), from: month }),
    output: nothing,
  }),
  listUnbilledLate: route({
    method: 'GET',
    path: '/admin/resellers/late-usage',
    access: admin,
    isBatchable: true,
    summary: 'List unbilled late usage',
    description:
      'Late usage of months in which someone else was the seller, which no bill picks up automatically.',
    input: noInput,
    output: z.strictObject({ items: z.array(UnbilledLate) }),
  }),
  billUnbilledLate: route({
    method: 'POST',
    path: '/admin/resellers/late-usage/bill',
    access: admin,
    idempotent: true,
    summary: 'Bill late usage',
    description: 'Bills late usage of a month to whoever pays for that month.',
    input: z.strictObject({ organizationId: id('org'), month }),
    output: z.strictObject({
      bills: z.array(z.strictObject({ id: id('bil'), number: z.string(), total: moneyShape })),
    }),
  }),
  adminWholesale: route({
    method: 'GET',
    path: '/admin/resellers/:resellerId/wholesale',
    access: admin,
    isBatchable: true,
    summary: 'Get a reseller’s month',
    description: 'What it was charged for its customers in a month, and what it charged them.',
    input: z.strictObject({ resellerId: id('org'), month }),
    output: Wholesale,
  }),
  adminBrand: route({
    method: 'GET',
    path: '/admin/resellers/:resellerId/brand',
    access: admin,
    isBatchable: true,
    summary: 'Get a reseller’s brand',
    description: 'How it appears to its customers.',
    input: z.strictObject(oneReseller),
    output: SellerBrand,
  }),
  adminSaveBrand: route({
    method: 'PUT',
    path: '/admin/resellers/:resellerId/brand',
    access: admin,
    summary: 'Update a reseller’s brand',
    description: 'Its color, and the sender name of emails to its customers.',
    input: z.strictObject({ ...oneReseller, ...brandSet }),
    output: SellerBrand,
  }),
  adminSetLogo: route({
    method: 'PUT',
    path: '/admin/resellers/:resellerId/brand/logo',
    access: admin,
    perMinute: 10,
    atOnce: 1,
    summary: 'Upload a reseller’s logo',
    description: 'PNG, JPEG, or WebP of up to 1 MiB and 4,096 pixels a side.',
    raw: { types: pictureTypes, maxBytes: maxPictureBytes },
    input: z.strictObject(oneReseller),
    output: SellerBrand,
  }),
  adminRemoveLogo: route({
    method: 'DELETE',
    path: '/admin/resellers/:resellerId/brand/logo',
    access: admin,
    summary: 'Remove a reseller’s logo',
    input: z.strictObject(oneReseller),
    output: SellerBrand,
  }),
  adminSetHost: route({
    method: 'PUT',
    path: '/admin/resellers/:resellerId/brand/host',
    access: admin,
    summary: 'Set a reseller’s host name',
    description: 'It takes effect once it’s verified. Null removes it.',
    input: z.strictObject({ ...oneReseller, ...hostSet }),
    output: SellerBrand,
  }),
  adminVerifyHost: route({
    method: 'POST',
    path: '/admin/resellers/:resellerId/brand/host/verify',
    access: admin,
    perMinute: 20,
    summary: 'Verify a reseller’s host name',
    description: 'Looks up its TXT record.',
    input: z.strictObject(oneReseller),
    output: SellerBrand,
  }),
  ownBrand: route({
    method: 'GET',
    path: '/reseller/brand',
    access: readable,
    isBatchable: true,
    summary: 'Get your brand',
    description: 'How your organization appears to its customers.',
    input: noInput,
    output: SellerBrand,
  }),
  saveBrand: route({
    method: 'PUT',
    path: '/reseller/brand',
    access: member,
    summary: 'Update your brand',
    description: 'Your color, and the sender name of emails to your customers.',
    input: z.strictObject(brandSet),
    output: SellerBrand,
  }),
  setLogo: route({
    method: 'PUT',
    path: '/reseller/brand/logo',
    access: member,
    perMinute: 10,
    atOnce: 1,
    summary: 'Upload your logo',
    description:
      'PNG, JPEG, or WebP of up to 1 MiB and 4,096 pixels a side. It’s re-encoded without metadata.',
    raw: { types: pictureTypes, maxBytes: maxPictureBytes },
    input: noInput,
    output: SellerBrand,
  }),
  removeLogo: route({
    method: 'DELETE',
    path: '/reseller/brand/logo',
    access: member,
    summary: 'Remove your logo',
    input: noInput,
    output: SellerBrand,
  }),
  setHost: route({
    method: 'PUT',
    path: '/reseller/brand/host',
    access: member,
    summary: 'Set your host name',
    description: 'It takes effect once it’s verified. Null removes it.',
    input: z.strictObject(hostSet),
    output: SellerBrand,
  }),
  verifyHost: route({
    method: 'POST',
    path: '/reseller/brand/host/verify',
    access: member,
    perMinute: 20,
    summary: 'Verify your host name',
    description: 'Looks up its TXT record.',
    input: noInput,
    output: SellerBrand,
  }),
  brandLogo: route({
    method: 'GET',
    path: '/brand/logos/:logoId',
    access: 'public',
    summary: 'Get a brand’s logo',
    description: 'A PNG, by an ID that can’t be guessed.',
    lasting: true,
    input: z.strictObject({ logoId: id('lgo') }),
    output: file,
  }),
  ownResale: route({
    method: 'GET',
    path: '/resale',
    access: readable,
    isBatchable: true,
    summary: 'Get your resale status',
    description: 'Whether your organization is a reseller, and which reseller sells to it.',
    input: noInput,
    output: z.strictObject({
      reseller: z.nullable(Reseller),
      soldBy: z.nullable(z.strictObject({ name: z.string(), instructions: z.string() })),
    }),
  }),
  saveReseller: route({
    method: 'PUT',
    path: '/reseller',
    access: member,
    summary: 'Update your bill details',
    description: 'What your organization says on the bills it issues from now on.',
    input: z.strictObject(saidByReseller),
    output: Reseller,
  }),
  listCustomers: route({
    method: 'GET',
    path: '/reseller/customers',
    access: readable,
    isBatchable: true,
    summary: 'List your customers',
    description: 'Each with its current month at both prices.',
    input: z.strictObject(pageQuery),
    output: pageOf(ResoldCustomer),
  }),
  customerServices: route({
    method: 'GET',
    path: '/reseller/customers/:organizationId/services',
    access: readable,
    isBatchable: true,
    summary: 'List a customer’s services',
    input: z.strictObject(oneCustomer),
    output: z.strictObject({ items: z.array(CustomerService) }),
  }),
  pauseService: route({
    method: 'POST',
    path: '/reseller/customers/:organizationId/services/:subscriptionId/pause',
    access: member,
    summary: 'Pause a customer’s service',
    description: 'Now. While paused, there’s no base fee and usage isn’t accepted.',
    input: z.strictObject({ ...oneCustomer, subscriptionId: id('sub'), reason: text(300) }),
    output: nothing,
  }),
  resumeService: route({
    method: 'POST',
    path: '/reseller/customers/:organizationId/services/:subscriptionId/resume',
    access: member,
    summary: 'Resume a customer’s service',
    description: 'Now. Refused while your organization is suspended.',
    input: z.strictObject({ ...oneCustomer, subscriptionId: id('sub'), reason: text(300) }),
    output: nothing,
  }),
  addCustomer: route({
    method: 'POST',
    path: '/reseller/customers',
    access: member,
    status: 201,
    idempotent: true,
    returnedOnce: ['link'],
    summary: 'Add a customer',
    description: 'Creates an organization that yours sells to from this month, and invites its first user.',
    input: z.strictObject({ name: text(120), email }),
    output: z.strictObject({
      organizationId: id('org'),
      /** The invitation link; for delivery by other means if no mail can be sent. */
      link: z.string(),
      mailed: z.boolean(),
    }),
  }),
  listMarkUps: route({
    method: 'GET',
    path: '/reseller/mark-ups',
    access: readable,
    isBatchable: true,
    summary: 'List your markups',
    description: 'What you add to what you pay, by the month in which each starts, newest first.',
    input: noInput,
    output: z.strictObject({
      items: z.array(MarkUpTerm),
      /** The first month in which mark-ups may start. */
      first: month,
    }),
  }),
  saveMarkUps: route({
    method: 'PUT',
    path: '/reseller/mark-ups',
    access: member,
    summary: 'Set your markups',
    description: 'From the given month. They replace what was set for that month or a later one.',
    input: z.strictObject({ from: month, markUps: MarkUps }),
    output: nothing,
  }),
  resellerBills: route({
    method: 'GET',
    path: '/reseller/bills',
    access: readable,
    isBatchable: true,
    summary: 'List bills to your customers',
    input: z.strictObject({
      ...pageQuery,
      month: z.optional(month),
      organizationId: z.optional(id('org')),
    }),
    output: pageOf(ResellerBill),
  }),
  resellerBill: route({
    method: 'GET',
    path: '/reseller/bills/:retailBillId',
    access: readable,
    isBatchable: true,
    summary: 'Get a bill to a customer',
    description: 'Includes its lines and how each was calculated.',
    input: z.strictObject(oneBill),
    output: ResellerBillDetail,
  }),
  notePayment: route({
    method: 'PUT',
    path: '/reseller/bills/:retailBillId/payment',
    access: member,
    summary: 'Record a customer’s payment',
    description: 'When the bill was paid. Null means that it isn’t.',
    input: z.strictObject({ ...oneBill, paidOn: z.nullable(day), note: optionalText(500) }),
    output: ResellerBillDetail,
  }),
  creditBill: route({
    method: 'POST',
    path: '/reseller/bills/:retailBillId/credits',
    access: member,
    status: 201,
    idempotent: true,
    summary: 'Credit a customer’s bill',
    description:
      'Issues a credit note for part of the bill, with tax. Without an amount, for all that’s left.',
    input: z.strictObject({
      ...oneBill,
      /** In the bill's currency. */
      amount: z.nullable(unsignedDecimal),
      reason: text(300),
    }),
    output: ResellerBillDetail,
  }),
  wholesale: route({
    method: 'GET',
    path: '/reseller/wholesale',
    access: readable,
    isBatchable: true,
    summary: 'Get your month as a reseller',
    description: 'What you were charged for your customers in a month, and what you charged them.',
    input: z.strictObject({ month }),
    output: Wholesale,
  }),
  retailBills: route({
    method: 'GET',
    path: '/retail-bills',
    access: readable,
    isBatchable: true,
    summary: 'List bills from your reseller',
    input: z.strictObject({ ...pageQuery, month: z.optional(month) }),
    output: pageOf(RetailBill),
  }),
  retailBill: route({
    method: 'GET',
    path: '/retail-bills/:retailBillId',
    access: readable,
    isBatchable: true,
    summary: 'Get a bill from your reseller',
    description: 'Includes its lines and how each was calculated.',
    input: z.strictObject(oneBill),
    output: RetailBillDetail,
  }),
  retailCreditPdf: route({
    method: 'GET',
    path: '/retail-bills/:retailBillId/credits/:creditId/pdf',
    access: readable,
    summary: 'Download a reseller’s credit note as PDF',
    description: 'For the customer and for the reseller that issued it.',
    input: z.strictObject({ ...oneBill, creditId: id('rcn'), language: z.optional(language) }),
    output: file,
  }),
  retailBillPdf: route({
    method: 'GET',
    path: '/retail-bills/:retailBillId/pdf',
    access: readable,
    summary: 'Download a reseller’s bill as PDF',
    input: z.strictObject({ ...oneBill, language: z.optional(language) }),
    output: file,
  }),
});

export const resellersErrors = {
  'resellers.not_found': 404,
  'resellers.bill_not_found': 404,
  /** For an organization that is not a reseller, none of a reseller's routes exist. */
  'resellers.not_reseller': 404,
  // Errors of fields.
  'resellers.organization_not_found': 404,
  'resellers.organization_closed': 409,
  'resellers.organization_resold': 409,
  'resellers.reseller_not_found': 404,
  'resellers.stopped': 409,
  'resellers.suspended': 409,
  /** To customers of a suspended reseller. */
  'resellers.seller_refuses': 409,
  'resellers.is_reseller': 409,
  'resellers.month_begun': 400,
  'resellers.service_not_found': 400,
  'resellers.service_twice': 400,
  'resellers.charge_no_amount': 400,
  'resellers.customer_not_found': 404,
  'resellers.paid_too_late': 400,
  'resellers.credit_not_found': 404,
  'resellers.nothing_left': 409,
  'resellers.credit_zero': 400,
  'resellers.credit_too_much': 409,
  'resellers.credit_digits': 400,
  'resellers.accent_pale': 400,
  'resellers.host_wrong': 400,
  'resellers.host_main': 400,
  'resellers.host_missing': 409,
  'resellers.host_taken': 409,
  'resellers.host_record_missing': 409,
  'resellers.host_record_other': 409,
  'resellers.dns_unavailable': 503,
  'resellers.logo_not_found': 404,
  'resellers.late_nothing': 409,
  'resellers.late_lowers': 409,
  /** The operator's bills are not available to organizations that a reseller sells to. */
  'resellers.sold_by_reseller': 403,
} as const satisfies ErrorTable;

/** The page of a reseller's customers. */
export const resellersPaths = { customers: '/billing/customers' } as const;
