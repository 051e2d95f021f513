// Saved cards at Stripe: entered on its own page, charged without the holder being present, renewed by its
// events.
import type { Stripe } from 'stripe';
import { isId, type Id } from '#kernel/ids.ts';
import { toProviderMinor } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { hasCode } from '#platform/server/system-error.ts';
import { gatewaysErrors } from '../contract.ts';
import {
  ProviderRefused,
  ProviderUnsure,
  type CardFacts,
  type CardNotice,
  type CardProvider,
  type ChargeIntent,
  type PaymentNotice,
} from './provider.ts';
import { callStripe, keyRetentionMs } from './stripe-call.ts';
import { amountOf } from './stripe-dispute.ts';

type Client = () => Promise<Stripe>;
const idOf = (found: string | { id: string } | null | undefined): string | null =>
  typeof found === 'string' ? found : (found?.id ?? null);
const momentOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
/** Marks payments that are charges of saved cards; a checkout's payment is not marked. */
const offSession = 'off_session';

/** Implements saved cards with Stripe. */
export const stripeCards = (stripe: Client): CardProvider => ({
  recognizesMs: keyRetentionMs,
  createCustomer: async (organizationId, name) =>
    (
      await callStripe(stripe, (client) =>
        client.customers.create(
          { name, metadata: { organization: organizationId } },
          { idempotencyKey: `customer-${organizationId}` },
        ),
      )
    ).id,
  beginSetup: async ({ setupId, customer, currency, language, addresses }) => {
    const session = await callStripe(stripe, (client) =>
      client.checkout.sessions.create(
        {
          mode: 'setup',
          customer,
          currency: currency.toLowerCase(),
          allowed_payment_method_types: ['card'],
          client_reference_id: setupId,
          metadata: { setup: setupId },
          setup_intent_data: { metadata: { setup: setupId } },
          success_url: addresses.success,
          cancel_url: addresses.cancelled,
          locale: language === 'zhTW' ? 'zh-TW' : 'en',
        },
        { idempotencyKey: setupId },
      ),
    );
    if (session.url === null) throw new ProviderRefused('the session has no address');
    return { url: session.url, fields: null, reference: session.id };
  },
  querySetup: async ({ reference }, now) => {
    try {
      const session = await callStripe(stripe, (client) => client.checkout.sessions.retrieve(reference));
      if (session.status === 'open') return 'open';
      if (session.status !== 'complete') return 'absent';
      return (await setupNotice(await stripe(), session, now.toISOString())) ?? 'absent';
    } catch (error) {
      if (error instanceof ProviderRefused) return 'absent';
      throw error;
    }
  },
  charge: async (intent) => {
    try {
      const client = await stripe();
      return chargeNotice(
        await client.paymentIntents.create(
          {
            amount: Number(toProviderMinor(intent.amount)),
            currency: intent.amount.currency.toLowerCase(),
            customer: intent.customer,
            payment_method: intent.card,
            allowed_payment_method_types: ['card'],
            confirm: true,
            off_session: true,
            description: intent.description,
            metadata: {
              payment: intent.paymentId,
              bill: intent.billId ?? '',
              attempt: String(intent.attempt),
              mode: offSession,
            },
          },
          // One key per attempt: however often it is sent, the card is charged once.
          {
            idempotencyKey:
              intent.billId === null
                ? `top-up-${intent.paymentId}`
                : `collect-${intent.billId}-${intent.attempt}`,
          },
        ),
        intent.paymentId,
      );
    } catch (error) {
      return declined(error, intent);
    }
  },
  findCharge: async (intent) => {
    const found = await chargeOf(stripe, intent);
    return found ? chargeNotice(found, intent.paymentId) : 'absent';
  },
  detach: async (card) => void (await callStripe(stripe, (client) => client.paymentMethods.detach(card))),
});

/** The maximum number of pages of payments to search for a charge whose customer was deleted. */
const pagesAtMost = 200;

/**
 * Finds the payment of a charge by its mark among its customer's payments. For a customer that was deleted at
 * Stripe (`resource_missing`), payments cannot be listed, but they are still among all payments of that time.
 */
async function chargeOf(stripe: Client, intent: ChargeIntent): Promise<Stripe.PaymentIntent | undefined> {
  // Allows for small clock differences.
  const since = Math.floor(intent.createdAt.getTime() / 1000) - 3600;
  const isIt = (each: Stripe.PaymentIntent): boolean => each.metadata['payment'] === intent.paymentId;
  if (intent.customer !== '')
    try {
      const { data } = await callStripe(stripe, (client) =>
        client.paymentIntents.list({ customer: intent.customer, created: { gte: since }, limit: 100 }),
      );
      return data.find(isIt);
    } catch (error) {
      if (!(error instanceof ProviderRefused)) throw error;
      // Any other refused query says nothing about the charge.
      if (!isMissing(error.cause)) throw new ProviderUnsure(error.message, { cause: error });
    }
  // It cannot have been made after its key expired.
  const until = since + 7200 + keyRetentionMs / 1000;
  let after: string | undefined;
  for (let pages = 0; pages < pagesAtMost; pages++) {
    const { data, has_more: isMore } = await orUnsure(() =>
      callStripe(stripe, (client) =>
        client.paymentIntents.list({
          created: { gte: since, lte: until },
          limit: 100,
          ...(after !== undefined && { starting_after: after }),
        }),
      ),
    );
    const found = data.find(isIt);
    if (found || !isMore) return found;
    after = data.at(-1)?.id;
  }
  throw new ProviderUnsure('too many payments to find one among them');
}

const isMissing = (error: unknown): boolean => hasCode(error, 'resource_missing');

/** A refused query says nothing about the charge. */
async function orUnsure<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderRefused) throw new ProviderUnsure(error.message, { cause: error });
    throw error;
  }
}

/**
 * Interprets an error of a charge. Only a decline by the card, or a request that Stripe calls invalid, means
 * that nothing was charged; a wrong key of ours, or a repeat that Stripe does not recognize, proves nothing.
 */
function declined(error: unknown, { paymentId }: ChargeIntent): PaymentNotice {
  const found = error instanceof Error ? error : new Error('no answer');
  const text = (name: string): string => {
    const value: unknown = Object.entries(found).find(([key]) => key === name)?.[1];
    return typeof value === 'string' ? value : '';
  };
  const status: unknown = Object.entries(found).find(([key]) => key === 'statusCode')?.[1];
  const type = text('rawType');
  if (type === 'card_error')
    return failedCharge(paymentId, text('decline_code') || text('code') || 'generic_decline');
  if (type === 'invalid_request_error' && (status === 400 || status === 404))
    throw new ProviderRefused(text('code') || found.message, { cause: error });
  throw new ProviderUnsure(found.message, { cause: error });
}

const failedCharge = (paymentId: Id<'pay'>, declineCode: string): PaymentNotice => ({
  about: 'payment',
  paymentId,
  outcome: 'failed',
  amount: null,
  reference: null,
  declineCode,
});

/**
 * Converts a payment at Stripe to our terms. One that waits for its holder has failed: they confirm on a page
 * of their own.
 */
function chargeNotice(intent: Stripe.PaymentIntent, paymentId: Id<'pay'>): PaymentNotice {
  const { status, last_payment_error: error } = intent;
  if (status === 'succeeded')
    return {
      about: 'payment',
      paymentId,
      outcome: 'succeeded',
      amount: amountOf(intent.amount_received, intent.currency),
      reference: intent.id,
    };
  if (status === 'requires_payment_method' || status === 'canceled')
    return failedCharge(paymentId, error?.decline_code ?? error?.code ?? 'generic_decline');
  if (status === 'requires_action') return failedCharge(paymentId, 'authentication_required');
  return { about: 'payment', paymentId, outcome: 'processing', amount: null, reference: null };
}

/** Reads an event about a charge of a saved card; a checkout reports its payment with its own events. */
export function chargeEvent(intent: Stripe.PaymentIntent): PaymentNotice | undefined {
  const paymentId = intent.metadata['payment'];
  return intent.metadata['mode'] === offSession && isId('pay', paymentId)
    ? chargeNotice(intent, paymentId)
    : undefined;
}

/** Reads an event about a saved card; undefined for any other. Queries Stripe for the entered card. */
export async function cardEvent(client: Stripe, event: Stripe.Event): Promise<CardNotice | undefined> {
  const sentAt = momentOf(event.created);
  switch (event.type) {
    case 'checkout.session.completed':
      return event.data.object.mode === 'setup' ? setupNotice(client, event.data.object, sentAt) : undefined;
    case 'payment_method.updated':
    case 'payment_method.automatically_updated':
      return ofMethod(event.data.object, 'updated', sentAt);
    case 'payment_method.detached':
      return ofMethod(event.data.object, 'detached', sentAt);
    case 'customer.deleted':
      return {
        about: 'card',
        outcome: 'customer_gone',
        setupId: null,
        reference: '',
        customer: event.data.object.id,
        facts: null,
        sentAt,
      };
    default:
      return undefined;
  }
}

/** Returns the card that was entered on a page; undefined for a page that is not ours. */
async function setupNotice(
  client: Stripe,
  session: Stripe.Checkout.Session,
  sentAt: string,
): Promise<CardNotice | undefined> {
  const setupId = session.metadata?.['setup'];
  const intentId = idOf(session.setup_intent);
  if (!isId('cst', setupId) || intentId === null) return undefined;
  let found: Stripe.SetupIntent;
  try {
    found = await client.setupIntents.retrieve(intentId, { expand: ['payment_method'] });
  } catch {
    // Stripe sends the event again if it is not accepted.
    throw domainError(gatewaysErrors, 'gateways.no_answer');
  }
  const method = found.payment_method;
  if (found.status !== 'succeeded' || method === null || typeof method === 'string') return undefined;
  return { ...ofMethod(method, 'saved', sentAt), setupId, customer: idOf(session.customer) };
}

function ofMethod(
  method: Stripe.PaymentMethod,
  outcome: 'saved' | 'updated' | 'detached',
  sentAt: string,
): CardNotice {
  return {
    about: 'card',
    outcome,
    setupId: null,
    reference: method.id,
    customer: idOf(method.customer),
    facts: method.card ? factsOf(method.card) : null,
    sentAt,
  };
}

const factsOf = (card: Stripe.PaymentMethod.Card): CardFacts => ({
  brand: card.brand,
  last4: card.last4,
  expMonth: card.exp_month,
  expYear: card.exp_year,
  fingerprint: card.fingerprint ?? null,
});
