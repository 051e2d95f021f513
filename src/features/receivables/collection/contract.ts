// Collection: cards that organizations saved with the payment provider, and bills charged to them.
import * as z from 'zod/mini';
import { contract, noInput, nothing, redirect, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { day, id, instant, language, moneyShape, pageOf, pageQuery, text } from '#kernel/shape.ts';

/** The providers that store cards. */
export const cardProviders = ['stripe', 'ecpay'] as const;

/** A saved card; only the provider knows its number. */
export const SavedCard = z.strictObject({
  id: id('crd'),
  provider: z.enum(cardProviders),
  brand: z.string(),
  last4: z.string(),
  expMonth: z.int(),
  expYear: z.int(),
  isDefault: z.boolean(),
  /** `soon`: within 30 days; `over`: it has expired. */
  expiry: z.enum(['fine', 'soon', 'over']),
  createdAt: instant,
});
export type SavedCard = z.output<typeof SavedCard>;

/** The day on which a bill is first charged. */
export const firstDays = ['issue', 'due', 'before'] as const;
const retryDay = z.int().check(z.minimum(1), z.maximum(60));
/**
 * When bills are charged: `daysBefore` the due date applies to `before`; a soft decline is retried
 * `retryDays` after the first attempt. Card networks allow at most 15 attempts within 30 days.
 */
export const CollectionPlan = z.strictObject({
  firstDay: z.enum(firstDays),
  daysBefore: z.int().check(z.minimum(1), z.maximum(30)),
  retryDays: z.array(retryDay).check(z.maxLength(10)),
});
export type CollectionPlan = z.output<typeof CollectionPlan>;

/** The organization's cards, and whether its bills are charged to them. */
export const PaymentCards = z.strictObject({
  cards: z.array(SavedCard),
  /** Whether cards can be saved at all. */
  isOffered: z.boolean(),
  /** The providers a card can be saved with; the first one is the default. */
  providers: z.array(z.enum(cardProviders)),
  isOn: z.boolean(),
  changedAt: z.nullable(instant),
  plan: CollectionPlan,
  /** The consent given when saving a card, in the user's language; stored with the card as it was shown. */
  consent: z.string(),
});
export type PaymentCards = z.output<typeof PaymentCards>;

/** The page for entering a card, for a provider whose script takes the number there. */
export const CardEntry = z.strictObject({
  /** `over`: the card was entered, or the entry expired. */
  state: z.enum(['open', 'over']),
  /** Opens the provider's part of the page; empty if the entry is over. */
  token: z.string(),
  /** Whether it is the provider's test environment. */
  isTrial: z.boolean(),
  /** To load in this order; with `integrity`, no other content is run. */
  scripts: z.array(z.strictObject({ url: z.string(), integrity: z.nullable(z.string()) })),
});
export type CardEntry = z.output<typeof CardEntry>;

/** The screen for entering a card; `setup` identifies the entry. */
export const cardEntryPath = '/billing/card-entry';
/**
 * Where a provider's card page returns to, whoever entered the card: in the console, or next to an embedding
 * frame of another site.
 */
export const cardReturnedPath = '/payments/card-returned';

/**
 * Why no attempt follows. `confirm`: the bank requires the cardholder's confirmation; `declined`:
 * permanently; `given_up`: the schedule is over; `steps`: the provider charges only multiples of more than the
 * currency’s smallest unit.
 */
export const stops = ['confirm', 'declined', 'given_up', 'refused', 'steps'] as const;
export type Stop = (typeof stops)[number];
/** Why a card was declined, as far as its holder may be told (docs.stripe.com/declines/codes). */
export const declineReasons = [
  'insufficient_funds',
  'expired',
  'confirm',
  'limit',
  'unsupported',
  'invalid',
  'unavailable',
  'revoked',
  'unanswered',
  'not_needed',
  'other',
] as const;
export type DeclineReason = (typeof declineReasons)[number];

export const CollectionAttempt = z.strictObject({
  number: z.int(),
  paymentId: id('pay'),
  state: z.enum(['pending', 'succeeded', 'failed']),
  amount: moneyShape,
  brand: z.string(),
  last4: z.string(),
  reason: z.nullable(z.enum(declineReasons)),
  /** The provider's code, for Admins; empty for others. */
  code: z.string(),
  at: instant,
});
export type CollectionAttempt = z.output<typeof CollectionAttempt>;

/** The charges of a bill, and what follows. */
export const BillCollection = z.strictObject({
  /** Whether the bill is charged to a card automatically. */
  isOn: z.boolean(),
  /** The day of the next attempt, in the organization's time zone; null if none is scheduled. */
  nextOn: z.nullable(day),
  card: z.nullable(z.strictObject({ brand: z.string(), last4: z.string() })),
  stopped: z.nullable(z.enum(stops)),
  attempts: z.array(CollectionAttempt),
});
export type BillCollection = z.output<typeof BillCollection>;

export const CollectedOrganization = z.strictObject({
  organizationId: id('org'),
  organization: z.string(),
  isOn: z.boolean(),
  changedAt: z.nullable(instant),
  cards: z.array(
    z.strictObject({
      brand: z.string(),
      last4: z.string(),
      isDefault: z.boolean(),
      expiry: SavedCard.shape.expiry,
    }),
  ),
  /** Open bills whose collection has stopped. */
  stopped: z.int(),
});
export type CollectedOrganization = z.output<typeof CollectedOrganization>;

const readable = { roles: ['User', 'ReadOnly'] } as const;
const user = { roles: ['User'] } as const;
const admin = { roles: ['Admin'] } as const;
const oneCard = z.strictObject({ cardId: id('crd') });
const oneSetup = z.strictObject({ setupId: id('cst') });
const oneBill = z.strictObject({ billId: id('bil') });

export const collection = contract({
  listCards: route({
    method: 'GET',
    path: '/billing/cards',
    access: readable,
    isBatchable: true,
    summary: 'List your cards',
    description: 'Your saved cards, and whether bills are charged to the default one automatically.',
    input: noInput,
    output: PaymentCards,
  }),
  addCard: route({
    method: 'POST',
    path: '/billing/cards',
    access: user,
    status: 201,
    idempotent: true,
    summary: 'Add a card',
    description:
      'Returns the URL of the provider’s page for entering its number. The consent is stored word for word.',
    input: z.strictObject({ consents: z.boolean(), language, provider: z.optional(z.enum(cardProviders)) }),
    output: z.strictObject({ url: z.string() }),
  }),
  cardEntry: route({
    method: 'GET',
    path: '/billing/cards/entries/:setupId',
    access: user,
    summary: 'Get the card form',
    description: 'What the page needs for entering a card, for providers without a page of their own.',
    input: oneSetup,
    output: CardEntry,
  }),
  enterCard: route({
    method: 'POST',
    path: '/billing/cards/entries/:setupId',
    access: user,
    summary: 'Save a card',
    description:
      'Takes what the provider’s script returned and answers where to go next: the bank’s page or your cards. The number itself is never sent here.',
    input: z.strictObject({ setupId: id('cst'), payToken: text(200) }),
    output: z.strictObject({ url: z.string() }),
  }),
  cardResult: route({
    method: 'POST',
    path: '/billing/cards/entries/:setupId/result',
    access: 'public',
    fromOtherSites: true,
    perMinute: 120,
    raw: { types: ['application/x-www-form-urlencoded'], maxBytes: 64 * 1024 },
    summary: 'Receive a card result',
    description: 'Where the provider sends the browser after the bank asked the cardholder.',
    input: oneSetup,
    output: redirect,
  }),
  setDefaultCard: route({
    method: 'POST',
    path: '/billing/cards/:cardId/default',
    access: user,
    summary: 'Set the default card',
    description: 'Bills are charged to it from now on. Bills whose collection stopped are retried with it.',
    input: oneCard,
    output: PaymentCards,
  }),
  removeCard: route({
    method: 'DELETE',
    path: '/billing/cards/:cardId',
    access: user,
    summary: 'Remove a card',
    description:
      'Here and at the provider. The default card can be removed only last, which turns off automatic charging.',
    input: oneCard,
    output: PaymentCards,
  }),
  setCollection: route({
    method: 'PUT',
    path: '/billing/collection',
    access: user,
    summary: 'Set automatic charging',
    description:
      'Whether bills are charged to the default card automatically, on the operator’s schedule. What’s already due is charged within minutes.',
    input: z.strictObject({ isOn: z.boolean() }),
    output: PaymentCards,
  }),
  billCollection: route({
    method: 'GET',
    path: '/bills/:billId/collection',
    access: readable,
    summary: 'Get a bill’s card charges',
    description: 'The attempts to charge it to a saved card, and the next one.',
    input: oneBill,
    output: BillCollection,
  }),
  adminBillCollection: route({
    method: 'GET',
    path: '/admin/bills/:billId/collection',
    access: admin,
    summary: 'Get any bill’s card charges',
    description: 'The attempts, with the provider’s codes.',
    input: oneBill,
    output: BillCollection,
  }),
  collectionPlan: route({
    method: 'GET',
    path: '/admin/collection',
    access: admin,
    summary: 'Get the collection schedule',
    description: 'When bills are charged to saved cards, and when declined charges are retried.',
    input: noInput,
    output: CollectionPlan,
  }),
  saveCollectionPlan: route({
    method: 'PUT',
    path: '/admin/collection',
    access: admin,
    summary: 'Update the collection schedule',
    description: 'Attempts that are already scheduled keep their day.',
    input: CollectionPlan,
    output: CollectionPlan,
  }),
  listCollected: route({
    method: 'GET',
    path: '/admin/collection/organizations',
    access: admin,
    summary: 'List organizations with saved cards',
    description: 'Brand and last four digits, and whether bills are charged automatically.',
    input: z.strictObject(pageQuery),
    output: pageOf(CollectedOrganization),
  }),
  stopCollection: route({
    method: 'POST',
    path: '/admin/collection/:organizationId/stop',
    access: admin,
    idempotent: true,
    summary: 'Turn off an organization’s automatic charging',
    description: 'Only its own users can turn it on again.',
    input: z.strictObject({ organizationId: id('org') }),
    output: nothing,
  }),
});

export const collectionErrors = {
  'collection.consent_needed': 400,
  'collection.not_offered': 409,
  'collection.card_not_found': 404,
  'collection.default_card': 409,
  'collection.no_card': 409,
  'collection.days_not_rising': 400,
  'collection.provider_refused': 502,
  'collection.provider_unreachable': 503,
  'collection.customer_differs': 409,
  'collection.entry_over': 409,
  'collection.card_declined': 422,
} as const satisfies ErrorTable;
