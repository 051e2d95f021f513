// Credit limits: the maximum outstanding amount of an organization, by currency. At the limit nothing new can
// start; running services continue.
import * as z from 'zod/mini';
import { contract, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, moneyShape, pageOf, pageQuery } from '#kernel/shape.ts';
import { amountOf, AmountToSet } from '#features/invoicing/billing/contract-amounts.ts';

/** `near`: at 80 percent or more; `reached`: nothing new can start. */
export const creditLevels = ['within', 'near', 'reached'] as const;
export type CreditLevel = (typeof creditLevels)[number];
/** The share of a limit, in percent, at which members are warned. */
export const nearPercent = 80;

/** Amounts with tax. */
export const CreditLimit = amountOf('crl');
export type CreditLimit = z.output<typeof CreditLimit>;

export const CreditUse = z.strictObject({
  limit: moneyShape,
  /** Whether the limit is the organization's own rather than the one for all. */
  isOwn: z.boolean(),
  /**
   * Unpaid plus unbilled minus the balance: the amount that counts against the limit. Negative if more is
   * prepaid.
   */
  used: moneyShape,
  /** The amount due of issued bills, with tax, and disputed money that had been spent from the balance. */
  unpaid: moneyShape,
  /**
   * What the open months would be billed now, with tax, after discounts, excluding what prepaid credit pays.
   */
  unbilled: moneyShape,
  /** The prepaid balance without refunds in progress. */
  balance: moneyShape,
  /** How much more may be outstanding; zero at the limit. */
  left: moneyShape,
  /** The used share of the limit in percent, truncated to one fraction digit; never negative. */
  percent: z.number(),
  level: z.enum(creditLevels),
});
export type CreditUse = z.output<typeof CreditUse>;
const uses = z.strictObject({ items: z.array(CreditUse) });

const admin = { roles: ['Admin'] } as const;

export const creditLimits = contract({
  creditLimit: route({
    method: 'GET',
    path: '/credit-limit',
    access: { roles: ['User', 'ReadOnly'], apiKey: 'read' },
    isBatchable: true,
    summary: 'Get your credit limits',
    description: 'What’s outstanding against your organization’s limits, by currency. Empty without a limit.',
    input: noInput,
    output: uses,
  }),
  adminCreditLimit: route({
    method: 'GET',
    path: '/admin/organizations/:organizationId/credit-limit',
    access: admin,
    summary: 'Get an organization’s credit limits',
    description: 'What’s outstanding against them, by currency.',
    input: z.strictObject({ organizationId: id('org') }),
    output: uses,
  }),
  listCreditLimits: route({
    method: 'GET',
    path: '/admin/credit-limits',
    access: admin,
    isBatchable: true,
    summary: 'List credit limits',
    description: 'The limit for all organizations comes first.',
    input: z.strictObject(pageQuery),
    output: pageOf(CreditLimit),
  }),
  setCreditLimit: route({
    method: 'PUT',
    path: '/admin/credit-limits',
    access: admin,
    summary: 'Set a credit limit',
    description:
      'The most that may be outstanding, with tax, for one organization or (null) for all, in one currency. With a null amount, the organization has no limit.',
    input: AmountToSet,
    output: CreditLimit,
  }),
  removeCreditLimit: route({
    method: 'DELETE',
    path: '/admin/credit-limits/:limitId',
    access: admin,
    summary: 'Remove a credit limit',
    description: 'The limit for all organizations applies again, if there is one.',
    input: z.strictObject({ limitId: id('crl') }),
    output: nothing,
  }),
});

export const creditLimitsErrors = {
  'creditlimits.reached': 409,
  'creditlimits.payer_reached': 409,
  /** A reseller's customer must not learn how much its reseller owes. */
  'creditlimits.seller_refuses': 409,
  'creditlimits.not_found': 404,
  // Errors of fields.
  'creditlimits.organization_not_found': 404,
  'creditlimits.not_positive': 400,
  'creditlimits.other_currency': 400,
  'creditlimits.needs_amount': 400,
} as const satisfies ErrorTable;
