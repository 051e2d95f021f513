// Stripe behind our interface: Checkout sessions, signed events, refunds; through its official library, loaded when first needed.
import type { Stripe } from 'stripe';
import { isId, type Id } from '#kernel/ids.ts';
import { toProviderMinor } from '#kernel/money.ts';
import { DomainError, domainError } from '#kernel/errors.ts';
import type { StripeConfig } from '#platform/server/config.ts';
import type { RawInput } from '#platform/server/unit-of-work/feature.ts';
import { gatewaysErrors } from '../contract.ts';
import {
  ProviderRefused,
  type CardNotice,
  type Checkout,
  type Intent,
  type Notice,
  type PaymentNotice,
  type Provider,
  type RefundAnswer,
  type RefundIntent,
} from './provider.ts';
import { callStripe, keyRetentionMs } from './stripe-call.ts';
import { chargeEvent, cardEvent, stripeCards } from './stripe-cards.ts';
import { amountOf, ofDispute } from './stripe-dispute.ts';

const toleranceSeconds = 300;
const longestMs = 10_000;
/** In currencies with three decimal places, the last one must be 0 (docs.stripe.com/currencies, "special cases"). */
const threeDecimalStep = 10n;

/** Creates the Stripe provider with an operator's keys. */
export function stripeProvider(config: StripeConfig): Provider {
  let made: Promise<Stripe> | undefined;
  const stripe = (): Promise<Stripe> => (made ??= makeClient(config));
  return {
    name: 'stripe',
    takes: () => true,
    stepOf: (currency) => (currency === 'KWD' ? threeDecimalStep : 1n),
    reopens: true,
    openMinutes: 60,
    knowsRefunds: true,
    thanks: { mediaType: 'application/json', body: '{"received":true}' },
    check: async () => ({
      isLive: (await callStripe(stripe, (client) => client.balance.retrieve())).livemode,
    }),
    begin: async (intent) =>
      checkoutOf(
        await callStripe(stripe, (client) =>
          client.checkout.sessions.create(sessionParams(intent), { idempotencyKey: intent.paymentId }),
        ),
      ),
    close: async (reference) =>
      void (await callStripe(stripe, (client) => client.checkout.sessions.expire(reference))),
    read: async (raw, now) => readEvent(await stripe(), config.webhookSecret, raw, now),
    queryPayment: async (intent, reference) => {
      try {
        // A checkout without a stored reference is started again with the same idempotency key: Stripe then
        // returns the existing one, or refuses if it is too late.
        const session = await callStripe(stripe, (client) =>
          reference === null
            ? client.checkout.sessions.create(sessionParams(intent), { idempotencyKey: intent.paymentId })
            : client.checkout.sessions.retrieve(reference),
        );
        return session.payment_status === 'paid'
          ? sessionNotice(session, intent.paymentId, 'succeeded')
          : session.status === 'complete'
            ? sessionNotice(session, intent.paymentId, 'processing')
            : session.status === 'expired'
              ? 'absent'
              : 'open';
      } catch (error) {
        if (error instanceof ProviderRefused) return 'absent';
        throw error;
      }
    },
    cards: stripeCards(stripe),
    refund: (intent) => refund(stripe, intent),
    askRefund: async (intent, now) => {
      const { reference } = intent;
      if (reference !== null)
        return refundAnswer(await callStripe(stripe, (client) => client.refunds.retrieve(reference)));
      const { data } = await callStripe(stripe, (client) =>
        client.refunds.list({ payment_intent: intent.paymentReference, limit: 100 }),
      );
      const found = data.find((each) => each.metadata?.['refund'] === intent.refundId);
      if (found) return refundAnswer(found);
      if (now.getTime() - intent.createdAt.getTime() > keyRetentionMs)
        return { outcome: 'failed', reference: null, reason: 'never asked for' };
      return refund(stripe, intent);
    },
  };
}

async function makeClient({ secretKey, apiBase }: StripeConfig): Promise<Stripe> {
  const { Stripe: Client } = await import('stripe');
  const { hostname, port, protocol } = new URL(apiBase);
  // The library must not retry: the job repeats failed calls with the same idempotency key.
  return new Client(secretKey, {
    host: hostname,
    ...(port !== '' && { port }),
    protocol: protocol === 'http:' ? 'http' : 'https',
    timeout: longestMs,
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

function sessionParams(intent: Intent): Stripe.Checkout.SessionCreateParams {
  const { amount, paymentId, description } = intent;
  return {
    mode: 'payment',
    allowed_payment_method_types: ['card'],
    client_reference_id: paymentId,
    metadata: { payment: paymentId },
    payment_intent_data: { description, metadata: { payment: paymentId } },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: amount.currency.toLowerCase(),
          unit_amount: Number(toProviderMinor(amount)),
          product_data: { name: description },
        },
      },
    ],
    success_url: intent.addresses.success,
    cancel_url: intent.addresses.cancelled,
    expires_at: Math.floor(intent.expiresAt.getTime() / 1000),
    locale: intent.language === 'zhTW' ? 'zh-TW' : 'en',
  };
}

function checkoutOf(session: Stripe.Checkout.Session): Checkout {
  if (session.url === null) throw new ProviderRefused('the session has no address');
  return { url: session.url, fields: null, reference: session.id };
}

async function refund(stripe: () => Promise<Stripe>, intent: RefundIntent): Promise<RefundAnswer> {
  try {
    const params = {
      payment_intent: intent.paymentReference,
      amount: Number(toProviderMinor(intent.amount)),
      metadata: { refund: intent.refundId, payment: intent.paymentId },
    };
    return refundAnswer(
      await callStripe(stripe, (client) =>
        client.refunds.create(params, { idempotencyKey: intent.refundId }),
      ),
    );
  } catch (error) {
    if (error instanceof ProviderRefused)
      return { outcome: 'failed', reference: null, reason: error.message };
    throw error;
  }
}

const outcomeOf = (status: string | null): RefundAnswer['outcome'] =>
  status === 'succeeded' ? 'succeeded' : status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
const refundAnswer = (found: Stripe.Refund): RefundAnswer => ({
  outcome: outcomeOf(found.status),
  reference: found.id,
  reason: found.failure_reason ?? '',
});

/**
 * Verifies the signature over the raw bytes, and its age in both directions (reliability.md 2.H-122, 123).
 */
async function readEvent(
  client: Stripe,
  secret: string,
  raw: RawInput,
  now: Date,
): Promise<{ eventId: string; notice: Notice | CardNotice | DomainError } | undefined> {
  const header = raw.headers['stripe-signature'];
  if (typeof header !== 'string') throw domainError(gatewaysErrors, 'gateways.signature_wrong');
  let event: Stripe.Event;
  try {
    // The library's own check of the age is off, because it accepts signatures from the future.
    event = await client.webhooks.constructEventAsync(raw.bytes, header, secret, 0);
  } catch {
    // The error is the same for every kind of wrong signature, so that an attacker learns nothing.
    throw domainError(gatewaysErrors, 'gateways.signature_wrong');
  }
  const signedAt = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(header)?.[1]);
  if (!(Math.abs(now.getTime() / 1000 - signedAt) <= toleranceSeconds))
    throw domainError(gatewaysErrors, 'gateways.too_old');
  const notice = (await cardEvent(client, event)) ?? readable(event);
  return notice && { eventId: event.id, notice };
}

/** Reads a signed event; returns the error of an unreadable one, so that it is recorded. */
function readable(event: Stripe.Event): Notice | DomainError | undefined {
  try {
    return noticeOf(event);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

function noticeOf(event: Stripe.Event): Notice | undefined {
  switch (event.type) {
    case 'checkout.session.completed':
      return ofSession(
        event.data.object,
        event.data.object.payment_status === 'paid' ? 'succeeded' : 'processing',
      );
    case 'checkout.session.async_payment_succeeded':
      return ofSession(event.data.object, 'succeeded');
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return ofSession(event.data.object, 'failed');
    case 'payment_intent.succeeded':
    case 'payment_intent.processing':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return chargeEvent(event.data.object);
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return ofRefund(event.data.object);
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'charge.dispute.closed':
      return ofDispute(event.data.object, event.created);
    default:
      return undefined;
  }
}

/** Sessions without our payment's id belong to another use of the same account. */
function ofSession(
  session: Stripe.Checkout.Session,
  outcome: PaymentNotice['outcome'],
): PaymentNotice | undefined {
  const paymentId = session.metadata?.['payment'] ?? session.client_reference_id;
  return isId('pay', paymentId) ? sessionNotice(session, paymentId, outcome) : undefined;
}

function sessionNotice(
  session: Stripe.Checkout.Session,
  paymentId: Id<'pay'>,
  outcome: PaymentNotice['outcome'],
): PaymentNotice {
  if (outcome !== 'succeeded') return { about: 'payment', paymentId, outcome, amount: null, reference: null };
  const reference =
    typeof session.payment_intent === 'string' ? session.payment_intent : session.payment_intent?.id;
  if (reference === undefined || session.amount_total === null)
    throw domainError(gatewaysErrors, 'gateways.event_unreadable');
  return {
    about: 'payment',
    paymentId,
    outcome,
    amount: amountOf(session.amount_total, session.currency),
    reference,
  };
}

function ofRefund(found: Stripe.Refund): Notice | undefined {
  const paymentReference =
    typeof found.payment_intent === 'string' ? found.payment_intent : found.payment_intent?.id;
  if (paymentReference === undefined) return undefined;
  const refundId = found.metadata?.['refund'];
  return {
    about: 'refund',
    refundId: isId('rfd', refundId) ? refundId : null,
    outcome: outcomeOf(found.status),
    amount: amountOf(found.amount, found.currency),
    paymentReference,
    reference: found.id,
  };
}
