// Automatic top-ups: when a balance falls below an amount, the default card is charged, up to a monthly cap.
import * as z from 'zod/mini';
import { contract, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  acceptedMoney,
  currency,
  id,
  instant,
  language,
  moneyShape,
  pageOf,
  pageQuery,
} from '#kernel/shape.ts';
import { declineReasons } from '#features/receivables/collection/contract.ts';

/**
 * Why charging is stopped until a user resolves it. `confirm`: the bank requires the cardholder's
 * confirmation.
 */
export const topUpStops = ['confirm', 'declined', 'refused', 'disputed'] as const;
export type TopUpStop = (typeof topUpStops)[number];

const terms = {
  currency,
  /** Below this amount, the card is charged. */
  threshold: moneyShape,
  /** The amount of each charge. */
  amount: moneyShape,
  /** The maximum charged in a calendar month of the console's time zone. */
  monthlyCap: moneyShape,
};
const standing = {
  isOn: z.boolean(),
  /** What was charged this month or may still be: attempts without a response count. */
  usedThisMonth: moneyShape,
  /** Whether the remainder of the cap is less than one top-up. */
  isCapped: z.boolean(),
  isUnderWay: z.boolean(),
  stopped: z.nullable(z.enum(topUpStops)),
  changedAt: instant,
};
export const AutomaticTopUp = z.strictObject({
  ...terms,
  ...standing,
  /** Why the latest attempt failed, as far as a cardholder may be told. */
  reason: z.nullable(z.enum(declineReasons)),
});
export type AutomaticTopUp = z.output<typeof AutomaticTopUp>;

export const AutomaticTopUps = z.strictObject({
  /** Whether cards can be charged at all. */
  isOffered: z.boolean(),
  /** The default card. */
  card: z.nullable(z.strictObject({ brand: z.string(), last4: z.string() })),
  /** The name in the consent text. */
  brand: z.string(),
  /** The currencies in which the organization has a balance or bills. */
  currencies: z.array(currency),
  items: z.array(AutomaticTopUp),
});
export type AutomaticTopUps = z.output<typeof AutomaticTopUps>;

export const ToppedUpOrganization = z.strictObject({
  organizationId: id('org'),
  organization: z.string(),
  ...terms,
  ...standing,
  /** The provider's code of the latest failed attempt. */
  code: z.string(),
});
export type ToppedUpOrganization = z.output<typeof ToppedUpOrganization>;

const user = { roles: ['User'] } as const;
const admin = { roles: ['Admin'] } as const;

export const topups = contract({
  automaticTopUps: route({
    method: 'GET',
    path: '/billing/automatic-top-ups',
    access: { roles: ['User', 'ReadOnly'] },
    isBatchable: true,
    summary: 'Get automatic top-ups',
    description:
      'When the balance is topped up from the default card, and how much of the month’s cap is used.',
    input: noInput,
    output: AutomaticTopUps,
  }),
  setAutomaticTopUp: route({
    method: 'PUT',
    path: '/billing/automatic-top-ups',
    access: user,
    summary: 'Set up automatic top-ups',
    description:
      'Tops up the balance of one currency from the default card. The consent is stored word for word. A stop after a declined card ends.',
    input: z.strictObject({
      threshold: acceptedMoney,
      amount: acceptedMoney,
      monthlyCap: acceptedMoney,
      consents: z.boolean(),
      language,
    }),
    output: AutomaticTopUps,
  }),
  endAutomaticTopUp: route({
    method: 'DELETE',
    path: '/billing/automatic-top-ups/:currency',
    access: user,
    summary: 'Turn off automatic top-ups',
    description: 'For one currency. An attempt in progress is completed.',
    input: z.strictObject({ currency }),
    output: AutomaticTopUps,
  }),
  adminListTopUps: route({
    method: 'GET',
    path: '/admin/automatic-top-ups',
    access: admin,
    summary: 'List organizations with automatic top-ups',
    description: 'Where each stands.',
    input: z.strictObject(pageQuery),
    output: pageOf(ToppedUpOrganization),
  }),
  adminEndTopUp: route({
    method: 'POST',
    path: '/admin/automatic-top-ups/:organizationId/:currency/end',
    access: admin,
    idempotent: true,
    summary: 'Turn off an organization’s automatic top-ups',
    description: 'Only its own users can turn them on again.',
    input: z.strictObject({ organizationId: id('org'), currency }),
    output: nothing,
  }),
});

export const topupsErrors = {
  'topups.not_offered': 409,
  'topups.no_card': 409,
  'topups.consent_needed': 400,
  'topups.amount_not_positive': 400,
  'topups.other_currency': 400,
  'topups.currency_not_charged': 400,
  'topups.cap_below_amount': 400,
  'topups.amount_not_in_steps': 400,
} as const satisfies ErrorTable;
