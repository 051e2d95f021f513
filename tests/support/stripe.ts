// A simulated Stripe: a real HTTP server with its own ledger; calls can be made to fail before or after they
// take effect.
import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { FakeCards } from './stripe-cards.ts';
import { StandIn } from './stand-in.ts';

/** What happens to the next call: lost before or after it takes effect, rejected, or answered with a server error. */
export type Mishap = 'lost before' | 'lost after' | 'refused' | 'fault';
type Session = {
  id: string;
  object: 'checkout.session';
  url: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  payment_intent: string | null;
  amount_total: number;
  currency: string;
  client_reference_id: string;
  metadata: Record<string, string>;
  success_url: string;
};
type Refund = {
  id: string;
  object: 'refund';
  amount: number;
  currency: string;
  payment_intent: string;
  status: string;
  metadata: Record<string, string>;
  failure_reason?: string;
};
type Movement = { id: string; object: 'balance_transaction'; amount: number; fee: number; currency: string };
export type Dispute = {
  id: string;
  object: 'dispute';
  amount: number;
  currency: string;
  payment_intent: string;
  reason: string;
  status: string;
  evidence_details: { due_by: number | null };
  balance_transactions: Movement[];
};
export type StripeEvent = {
  id: string;
  object: 'event';
  type: string;
  created: number;
  data: { object: object };
};

export const stripeSecret = 'whsec_for_tests';

export class FakeStripe extends StandIn {
  readonly sessions = new Map<string, Session>();
  readonly refunds = new Map<string, Refund>();
  readonly disputes = new Map<string, Dispute>();
  readonly calls: string[] = [];
  /** What happens to the next calls, in order. */
  readonly mishaps: Mishap[] = [];
  /** The status that `refunds.create` returns. */
  refundStatus = 'succeeded';
  /** Customers, cards and the charges of saved cards. */
  readonly cards = new FakeCards(
    (prefix) => this.#id(prefix),
    () => this.address,
  );
  readonly #answers = new Map<string, { status: number; body: object }>();
  #count = 0;

  /** The minor units captured, less those refunded or withdrawn with a fee, by currency. */
  cash(currency: string): number {
    const captured = [...this.sessions.values()]
      .filter((each) => each.payment_status === 'paid' && each.currency === currency)
      .reduce((sum, each) => sum + each.amount_total, 0);
    const moved = [...this.disputes.values()]
      .flatMap((each) => each.balance_transactions)
      .filter((each) => each.currency === currency)
      .reduce((sum, each) => sum + each.amount - each.fee, 0);
    return (
      captured +
      this.cards.cash(currency) +
      moved -
      [...this.refunds.values()]
        .filter((each) => each.status === 'succeeded' && each.currency === currency)
        .reduce((sum, each) => sum + each.amount, 0)
    );
  }

  sessionOf(paymentId: string): Session {
    const found = [...this.sessions.values()].filter((each) => each.metadata['payment'] === paymentId);
    if (found.length !== 1 || !found[0]) throw new Error(`${found.length} sessions for ${paymentId}`);
    return found[0];
  }

  /** The customer pays; `amount` in Stripe's minor units, when it differs from the session's. */
  pay(paymentId: string, amount?: number, currency?: string): StripeEvent {
    const session = this.sessionOf(paymentId);
    Object.assign(session, {
      status: 'complete',
      payment_status: 'paid',
      payment_intent: this.#id('pi'),
      ...(amount === undefined ? {} : { amount_total: amount }),
      ...(currency === undefined ? {} : { currency }),
    });
    return this.event('checkout.session.completed', session);
  }

  expire(paymentId: string): StripeEvent {
    const session = this.sessionOf(paymentId);
    if (session.payment_status !== 'paid') session.status = 'expired';
    return this.event('checkout.session.expired', {
      ...session,
      payment_status: 'unpaid',
      payment_intent: null,
    });
  }

  /** A refund made in Stripe's own dashboard. */
  refundThere(paymentId: string, amount: number): Refund {
    const session = this.sessionOf(paymentId);
    const refund: Refund = {
      id: this.#id('re'),
      object: 'refund',
      amount,
      currency: session.currency,
      payment_intent: session.payment_intent ?? '',
      status: 'succeeded',
      metadata: {},
    };
    this.refunds.set(refund.id, refund);
    return refund;
  }

  /** A cardholder disputes a payment. */
  dispute(
    paymentId: string,
    amount: number,
    reason = 'fraudulent',
  ): { dispute: Dispute; event: StripeEvent } {
    const { currency, intent } = this.#takenFor(paymentId);
    const dispute: Dispute = {
      id: this.#id('du'),
      object: 'dispute',
      amount,
      currency,
      payment_intent: intent,
      reason,
      status: 'needs_response',
      evidence_details: { due_by: 1_735_689_599 },
      balance_transactions: [],
    };
    this.disputes.set(dispute.id, dispute);
    return { dispute, event: this.event('charge.dispute.created', dispute) };
  }

  /** The money that was taken for a payment: at a checkout, or from a saved card. */
  #takenFor(paymentId: string): { readonly currency: string; readonly intent: string } {
    const charge = [...this.cards.charges.values()].find(
      ({ metadata, status }) => metadata['payment'] === paymentId && status === 'succeeded',
    );
    if (charge) return { currency: charge.currency, intent: charge.id };
    const session = this.sessionOf(paymentId);
    return { currency: session.currency, intent: session.payment_intent ?? '' };
  }

  /** Moves disputed money: a negative amount is withdrawn, a positive one is returned. */
  moveDisputed(dispute: Dispute, amount: number, fee = 0): StripeEvent {
    dispute.balance_transactions.push({
      id: this.#id('txn'),
      object: 'balance_transaction',
      amount,
      fee,
      currency: dispute.currency,
    });
    return this.event(
      amount < 0 ? 'charge.dispute.funds_withdrawn' : 'charge.dispute.funds_reinstated',
      dispute,
    );
  }

  closeDispute(dispute: Dispute, status: 'won' | 'lost' | 'warning_closed'): StripeEvent {
    dispute.status = status;
    return this.event('charge.dispute.closed', dispute);
  }

  /** An event with the object's current state; its time is one second after the previous event's. */
  event(type: string, object: object): StripeEvent {
    return {
      id: this.#id('evt'),
      object: 'event',
      type,
      created: 1_700_000_000 + this.#count,
      data: { object: structuredClone(object) },
    };
  }

  /** A body with its signature for a given time. */
  signed(
    event: StripeEvent,
    at: Date,
    secret = stripeSecret,
  ): { body: string; headers: Record<string, string> } {
    const body = JSON.stringify(event);
    const time = Math.floor(at.getTime() / 1000);
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'stripe-signature': `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`,
      },
    };
  }

  #id(prefix: string): string {
    this.#count++;
    return `${prefix}_${this.#count}`;
  }

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (request.url?.startsWith('/save/')) {
      const page = this.cards.pageOf(request.url.slice('/save/'.length));
      response
        .writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
        .end(page ?? '');
      return;
    }
    if (request.url?.startsWith('/pay/')) {
      // Stripe's own page, as far as end-to-end tests need it: a link back.
      const session = this.sessions.get(request.url.slice('/pay/'.length));
      response
        .writeHead(session ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
        .end(
          `<!doctype html><title>Stripe</title><h1>Checkout</h1><a href="${session?.success_url.replaceAll('&', '&amp;') ?? ''}">Back to the shop</a>`,
        );
      return;
    }
    const form = new URLSearchParams(body);
    const url = new URL(request.url ?? '/', this.address);
    this.calls.push(`${request.method} ${url.pathname}`);
    const mishap = this.mishaps.shift();
    if (mishap === 'lost before') return void request.socket.destroy();
    if (mishap === 'refused' || mishap === 'fault')
      return send(response, mishap === 'refused' ? 400 : 500, {
        error: { type: mishap === 'refused' ? 'invalid_request_error' : 'api_error', message: 'as told' },
      });
    const key = request.headers['idempotency-key'];
    const known = typeof key === 'string' ? this.#answers.get(key) : undefined;
    const answer = known ?? this.#act(request.method ?? '', url, form);
    if (typeof key === 'string' && request.method === 'POST') this.#answers.set(key, answer);
    if (mishap === 'lost after') return void request.socket.destroy();
    send(response, answer.status, answer.body);
  }

  #act(method: string, url: URL, form: URLSearchParams): { status: number; body: object } {
    const id = url.pathname.split('/').at(-1) ?? '';
    const ofCards = this.cards.act(method, url, form);
    if (ofCards) return ofCards;
    if (url.pathname === '/v1/balance')
      return ok({ object: 'balance', livemode: false, available: [], pending: [] });
    if (url.pathname === '/v1/checkout/sessions' && method === 'POST') return ok(this.#newSession(form));
    if (url.pathname.endsWith('/expire'))
      return this.#close(this.sessions.get(url.pathname.split('/').at(-2) ?? ''));
    if (url.pathname.startsWith('/v1/checkout/sessions/')) return orAbsent(this.sessions.get(id));
    if (url.pathname === '/v1/refunds' && method === 'POST') return this.#newRefund(form);
    if (url.pathname === '/v1/refunds')
      return ok({
        object: 'list',
        has_more: false,
        data: [...this.refunds.values()].filter(
          (each) => each.payment_intent === url.searchParams.get('payment_intent'),
        ),
      });
    return orAbsent(this.refunds.get(id));
  }

  #newSession(form: URLSearchParams): Session {
    const id = this.#id('cs');
    const session: Session = {
      id,
      object: 'checkout.session',
      url: `${this.address}/pay/${id}`,
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      client_reference_id: form.get('client_reference_id') ?? '',
      metadata: { payment: form.get('metadata[payment]') ?? '' },
      success_url: form.get('success_url') ?? '',
    };
    this.sessions.set(id, session);
    return session;
  }

  #close(session: Session | undefined): { status: number; body: object } {
    if (session?.status !== 'open')
      return {
        status: 400,
        body: { error: { type: 'invalid_request_error', message: 'only open sessions can be expired' } },
      };
    session.status = 'expired';
    return ok(structuredClone(session));
  }

  /** What was paid at a checkout. */
  #paidAt(intent: string): { readonly amount: number; readonly currency: string } | undefined {
    const session = [...this.sessions.values()].find((each) => each.payment_intent === intent);
    return session && { amount: session.amount_total, currency: session.currency };
  }

  #newRefund(form: URLSearchParams): { status: number; body: object } {
    const intent = form.get('payment_intent') ?? '';
    const charge = this.cards.charges.get(intent);
    const taken = charge
      ? { amount: charge.amount_received, currency: charge.currency }
      : this.#paidAt(intent);
    const amount = Number(form.get('amount'));
    const refunded = [...this.refunds.values()]
      .filter((each) => each.payment_intent === intent && each.status !== 'failed')
      .reduce((sum, each) => sum + each.amount, 0);
    if (!taken || refunded + amount > taken.amount)
      return {
        status: 400,
        body: { error: { type: 'invalid_request_error', message: 'more than is left' } },
      };
    const refund: Refund = {
      id: this.#id('re'),
      object: 'refund',
      amount,
      currency: taken.currency,
      payment_intent: intent,
      status: this.refundStatus,
      metadata: { refund: form.get('metadata[refund]') ?? '' },
    };
    this.refunds.set(refund.id, refund);
    return ok(structuredClone(refund));
  }
}

const ok = (body: object): { status: number; body: object } => ({ status: 200, body });
const orAbsent = (found: object | undefined): { status: number; body: object } =>
  found ? ok(found) : { status: 404, body: { error: { type: 'invalid_request_error', message: 'none' } } };

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
