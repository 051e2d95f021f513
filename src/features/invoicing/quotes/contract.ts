// Quotes: the seller's offers to an organization, which accepts by a link; everything in the quote is then
// created.
import * as z from 'zod/mini';
import { contract, file, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  currency,
  day,
  id,
  instant,
  language,
  moneyShape,
  optionalText,
  pageOf,
  pageQuery,
  queryInteger,
  text,
} from '#kernel/shape.ts';
import { QuoteContent, ShownEstimate, ShownItem, ShownTerm } from './contract-content.ts';

/** `expired`: the last day of the sent version is over. */
export const quoteStates = ['draft', 'sent', 'accepted', 'declined', 'expired', 'withdrawn'] as const;
export type QuoteState = (typeof quoteStates)[number];

/** What an accepted quote was turned into. */
export const madeKinds = [
  'subscription',
  'one_off',
  'discount',
  'grant',
  'minimum_spend',
  'commitment',
] as const;
export type MadeKind = (typeof madeKinds)[number];
const bothLanguages = z.strictObject({ zhTW: z.string(), enUS: z.string() });
export const Made = z.strictObject({ kind: z.enum(madeKinds), id: z.string(), name: bothLanguages });
export type Made = z.output<typeof Made>;

const listed = {
  id: id('qot'),
  /** `Q-202611-0001`, assigned when it is first sent; null before. */
  number: z.nullable(z.string()),
  organizationId: id('org'),
  organization: z.string(),
  currency,
  state: z.enum(quoteStates),
  /** Whether its newest version is unsent. */
  hasDraft: z.boolean(),
  /** Of the newest version: its number, its last day, and its contract value with tax. */
  version: z.int(),
  validUntil: day,
  total: moneyShape,
  createdAt: instant,
  createdBy: z.string(),
  sentAt: z.nullable(instant),
};
export const Quote = z.strictObject(listed);
export type Quote = z.output<typeof Quote>;

/** Who accepted or declined it, by their own account, and from which address. */
const Decision = z.strictObject({
  at: instant,
  name: z.string(),
  address: z.string(),
  /** Why it was declined; otherwise empty. */
  reason: z.string(),
});

export const QuoteVersion = z.strictObject({
  version: z.int(),
  validUntil: day,
  content: QuoteContent,
  estimate: ShownEstimate,
  items: z.array(ShownItem),
  terms: z.array(ShownTerm),
  createdAt: instant,
  createdBy: z.string(),
  sentAt: z.nullable(instant),
  sentBy: z.nullable(z.string()),
});
export type QuoteVersion = z.output<typeof QuoteVersion>;

export const QuoteDetail = z.strictObject({
  ...listed,
  /** Incremented with every change; a change based on an older revision is rejected. */
  revision: z.int(),
  /** Newest first. */
  versions: z.array(QuoteVersion),
  /** The version that can be accepted, or was decided on; null before the first one is sent. */
  sentVersion: z.nullable(z.int()),
  /** Where the customer can read and accept it, while that is possible. */
  link: z.nullable(z.string()),
  decision: z.nullable(Decision),
  withdrawn: z.nullable(z.strictObject({ at: instant, by: z.string(), reason: z.string() })),
  made: z.array(Made),
});
export type QuoteDetail = z.output<typeof QuoteDetail>;

const Party = z.strictObject({
  name: z.string(),
  taxId: z.string(),
  address: z.string(),
  email: z.string(),
});
/** A quote as seen by anyone who has its link. */
export const OpenedQuote = z.strictObject({
  number: z.string(),
  version: z.int(),
  state: z.enum(['sent', 'accepted', 'declined']),
  brand: z.string(),
  seller: Party,
  customer: Party,
  currency,
  sentAt: instant,
  validUntil: day,
  /** When the last day is over, in the customer’s time zone. */
  expiresAt: instant,
  timeZone: z.string(),
  message: z.string(),
  items: z.array(ShownItem),
  terms: z.array(ShownTerm),
  estimate: ShownEstimate,
  decision: z.nullable(z.strictObject({ at: instant, name: z.string() })),
});
export type OpenedQuote = z.output<typeof OpenedQuote>;

export const OwnQuote = z.strictObject({
  id: id('qot'),
  number: z.string(),
  validUntil: day,
  total: moneyShape,
  months: z.int(),
  sentAt: instant,
  /** The path of its page. */
  link: z.string(),
});
export type OwnQuote = z.output<typeof OwnQuote>;

const admin = { roles: ['Admin'] } as const;
const one = { quoteId: id('qot') };
const filter = {
  q: pageQuery.q,
  organizationId: z.optional(id('org')),
  state: z.optional(z.enum(quoteStates)),
  currency: z.optional(currency),
};
/** 32 random bytes in the URL-safe alphabet; any other text matches no quote. */
const token = z.string().check(z.minLength(1), z.maxLength(100));
const byLink = { token };
const shownIn = z.optional(language);

export const quotes = contract({
  listQuotes: route({
    method: 'GET',
    path: '/admin/quotes',
    access: admin,
    isBatchable: true,
    summary: 'List quotes',
    description: 'Those to every organization, searchable by number and organization.',
    input: z.strictObject({ ...pageQuery, ...filter }),
    output: pageOf(Quote),
  }),
  createQuote: route({
    method: 'POST',
    path: '/admin/quotes',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Create a quote',
    description: 'Saves a draft for an organization. Nobody else sees it until it’s sent.',
    input: z.strictObject({ organizationId: id('org'), currency, validUntil: day, content: QuoteContent }),
    output: QuoteDetail,
  }),
  previewQuote: route({
    method: 'POST',
    path: '/admin/quotes/estimate',
    access: admin,
    atOnce: 3,
    summary: 'Preview a quote',
    description:
      'What its content would come to, calculated as for real bills: the first month if accepted now, a full month, and the whole contract. Stores nothing.',
    input: z.strictObject({ organizationId: id('org'), currency, content: QuoteContent }),
    output: ShownEstimate,
  }),
  exportQuotes: route({
    method: 'GET',
    path: '/admin/quotes/export',
    access: admin,
    atOnce: 2,
    summary: 'Export quotes',
    description: 'Those that match a filter.',
    input: z.strictObject({
      ...filter,
      sort: pageQuery.sort,
      format: z.enum(['csv', 'xlsx']),
      language: shownIn,
    }),
    output: file,
  }),
  getQuote: route({
    method: 'GET',
    path: '/admin/quotes/:quoteId',
    access: admin,
    summary: 'Get a quote',
    description: 'Includes its versions and what it led to.',
    input: z.strictObject(one),
    output: QuoteDetail,
  }),
  updateQuote: route({
    method: 'PATCH',
    path: '/admin/quotes/:quoteId',
    access: admin,
    summary: 'Update a quote',
    description:
      'Changes the draft. For a sent quote, this starts the next version; the sent one can be accepted until the new one is sent.',
    input: z.strictObject({
      ...one,
      validUntil: z.optional(day),
      content: z.optional(QuoteContent),
      /** The revision that the change is based on. */
      revision: z.optional(z.int()),
    }),
    output: QuoteDetail,
  }),
  deleteQuote: route({
    method: 'DELETE',
    path: '/admin/quotes/:quoteId',
    access: admin,
    summary: 'Discard a draft quote',
    description: 'Deletes the quote if no version of it was ever sent.',
    input: z.strictObject(one),
    output: nothing,
  }),
  sendQuote: route({
    method: 'POST',
    path: '/admin/quotes/:quoteId/send',
    access: admin,
    idempotent: true,
    summary: 'Send a quote',
    description:
      'Creates its link and notifies the organization’s members. It supersedes any version sent before.',
    input: z.strictObject({ ...one, revision: z.optional(z.int()) }),
    output: QuoteDetail,
  }),
  withdrawQuote: route({
    method: 'POST',
    path: '/admin/quotes/:quoteId/withdraw',
    access: admin,
    idempotent: true,
    summary: 'Withdraw a quote',
    description: 'Nobody can accept it anymore.',
    input: z.strictObject({ ...one, reason: z.optional(optionalText(500)) }),
    output: QuoteDetail,
  }),
  quotePdf: route({
    method: 'GET',
    path: '/admin/quotes/:quoteId/versions/:version/document',
    access: admin,
    summary: 'Download a quote version as PDF',
    input: z.strictObject({ ...one, version: queryInteger(1, 100_000), language: shownIn }),
    output: file,
  }),

  ownQuotes: route({
    method: 'GET',
    path: '/quotes',
    access: { roles: ['User', 'ReadOnly'] },
    isBatchable: true,
    summary: 'List quotes to your organization',
    description: 'Those that can be accepted now, with their links.',
    input: noInput,
    output: z.strictObject({ items: z.array(OwnQuote) }),
  }),
  openQuote: route({
    method: 'GET',
    path: '/quotes/:token',
    access: 'public',
    perMinute: 60,
    summary: 'Open a quote',
    description: 'For anyone who has its link.',
    input: z.strictObject({ ...byLink, language: shownIn }),
    output: OpenedQuote,
  }),
  quoteDocument: route({
    method: 'GET',
    path: '/quotes/:token/document',
    access: 'public',
    perMinute: 20,
    summary: 'Download a quote as PDF',
    description: 'For anyone who has its link.',
    input: z.strictObject({ ...byLink, language: shownIn }),
    output: file,
  }),
  acceptQuote: route({
    method: 'POST',
    path: '/quotes/:token/accept',
    access: 'public',
    perMinute: 120,
    summary: 'Accept a quote',
    description:
      'Once, for its organization. Everything in it takes effect together or not at all. A repeat returns the result of the first time.',
    input: z.strictObject({
      ...byLink,
      name: text(120),
      /** The confirmation to be authorized to act for the organization. */
      mayAct: z.boolean(),
      language: shownIn,
    }),
    output: OpenedQuote,
  }),
  declineQuote: route({
    method: 'POST',
    path: '/quotes/:token/decline',
    access: 'public',
    perMinute: 30,
    summary: 'Decline a quote',
    input: z.strictObject({ ...byLink, name: text(120), reason: optionalText(500), language: shownIn }),
    output: OpenedQuote,
  }),
});

export const quotesErrors = {
  'quotes.not_found': 404,
  'quotes.version_not_found': 404,
  'quotes.changed_meanwhile': 409,
  'quotes.organization_closed': 409,
  'quotes.final': 409,
  'quotes.no_draft': 409,
  'quotes.not_sent': 409,
  // Errors of links.
  'quotes.link_unknown': 404,
  'quotes.link_superseded': 410,
  'quotes.link_withdrawn': 410,
  'quotes.link_expired': 410,
  'quotes.declined_already': 409,
  'quotes.accepted_already': 409,
  'quotes.may_act_needed': 400,
  'quotes.price_changed': 409,
  'quotes.part_refused': 409,
  // Invalid fields: the response names the field (400).
  'quotes.nothing_offered': 400,
  'quotes.item_twice': 400,
  'quotes.service_unavailable': 400,
  'quotes.service_currency': 400,
  'quotes.add_on': 400,
  'quotes.charge_unknown': 400,
  'quotes.usage_without_rate': 400,
  'quotes.currency_differs': 400,
  'quotes.amount_wrong': 400,
  'quotes.discount_unclear': 400,
  'quotes.percent_wrong': 400,
  'quotes.maximum_of_percent': 400,
  'quotes.not_offered': 400,
  'quotes.charge_of_other_service': 400,
  'quotes.commitment_charge_unknown': 400,
  'quotes.quantity_wrong': 400,
  'quotes.price_wrong': 400,
  'quotes.amount_zero': 400,
  'quotes.valid_until_past': 400,
  'quotes.valid_until_far': 400,
} as const satisfies ErrorTable;

export const quotesPaths = {
  admin: '/admin/quotes',
  own: '/billing/credits',
  open: '/quotes/:token',
} as const;
