// The part of the simulated Stripe that stores cards: customers, card entry pages, and charges of saved
// cards, one per idempotency key.
type Answer = { status: number; body: object };
export type FakeCard = {
  id: string;
  object: 'payment_method';
  type: 'card';
  customer: string | null;
  card: { brand: string; last4: string; exp_month: number; exp_year: number; fingerprint: string };
};
type SetupSession = {
  id: string;
  object: 'checkout.session';
  mode: 'setup';
  url: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'no_payment_required';
  customer: string;
  setup_intent: string | null;
  client_reference_id: string;
  metadata: Record<string, string>;
  success_url: string;
  cancel_url: string;
};
export type FakeCharge = {
  id: string;
  object: 'payment_intent';
  amount: number;
  amount_received: number;
  currency: string;
  customer: string;
  payment_method: string;
  status: 'succeeded' | 'processing' | 'requires_payment_method';
  metadata: Record<string, string>;
  last_payment_error: { code: string; decline_code: string } | null;
};

export class FakeCards {
  readonly customers = new Map<string, { id: string; object: 'customer'; name: string }>();
  readonly methods = new Map<string, FakeCard>();
  readonly charges = new Map<string, FakeCharge>();
  readonly setups = new Map<string, SetupSession>();
  readonly #setupIntents = new Map<string, string>();
  /** The decline codes of the next charges, in order; empty: success; `processing`: the bank takes time. */
  readonly declines: string[] = [];
  /** Amounts that were refused because of their last digit. */
  readonly refusedAmounts: string[] = [];
  readonly #newId: (prefix: string) => string;
  readonly #address: () => string;

  constructor(newId: (prefix: string) => string, address: () => string) {
    this.#newId = newId;
    this.#address = address;
  }

  /** The minor units captured from saved cards. */
  cash(currency: string): number {
    return [...this.charges.values()]
      .filter((each) => each.status === 'succeeded' && each.currency === currency)
      .reduce((sum, each) => sum + each.amount_received, 0);
  }

  chargesOf(billId: string): FakeCharge[] {
    return [...this.charges.values()].filter((each) => each.metadata['bill'] === billId);
  }

  /** A customer enters a card on the page; returns the completed session, for its event. */
  enter(url: string, card: Partial<FakeCard['card']> = {}): SetupSession {
    const session = [...this.setups.values()].find((each) => each.url === url);
    if (!session) throw new Error(`no page ${url}`);
    const method: FakeCard = {
      id: this.#newId('pm'),
      object: 'payment_method',
      type: 'card',
      customer: session.customer,
      card: {
        brand: 'visa',
        last4: '4242',
        exp_month: 12,
        exp_year: 2030,
        fingerprint: this.#newId('fp'),
        ...card,
      },
    };
    this.methods.set(method.id, method);
    const intent = this.#newId('seti');
    this.#setupIntents.set(intent, method.id);
    Object.assign(session, { status: 'complete', setup_intent: intent });
    return session;
  }

  /** Stripe's own page for entering a card: just a link back. */
  pageOf(id: string): string | undefined {
    const session = this.setups.get(id);
    return (
      session &&
      `<!doctype html><title>Stripe</title><h1>Save a card</h1><a href="${session.success_url.replaceAll('&', '&amp;')}">Save</a>`
    );
  }

  /** Handles a call about cards; undefined for all others. */
  act(method: string, url: URL, form: URLSearchParams): Answer | undefined {
    const path = url.pathname;
    const id = path.split('/').at(-1) ?? '';
    if (path === '/v1/customers' && method === 'POST') {
      const customer = { id: this.#newId('cus'), object: 'customer', name: form.get('name') ?? '' } as const;
      this.customers.set(customer.id, customer);
      return ok(customer);
    }
    if (path === '/v1/checkout/sessions' && method === 'POST' && form.get('mode') === 'setup')
      return ok(this.#newSetup(form));
    if (path.startsWith('/v1/checkout/sessions/')) {
      const found = this.setups.get(id);
      return found && ok(found);
    }
    if (path.startsWith('/v1/setup_intents/')) {
      const card = this.methods.get(this.#setupIntents.get(id) ?? '');
      return card && ok({ id, object: 'setup_intent', status: 'succeeded', payment_method: card });
    }
    if (path.endsWith('/detach')) {
      const card = this.methods.get(path.split('/').at(-2) ?? '');
      if (!card?.customer) return refused('not attached');
      card.customer = null;
      return ok(card);
    }
    if (path === '/v1/payment_intents' && method === 'GET') {
      const customer = url.searchParams.get('customer');
      if (customer !== null && !this.customers.has(customer)) return missing(customer);
      return ok(this.#page(customer, url.searchParams.get('starting_after')));
    }
    if (path === '/v1/payment_intents' && method === 'POST') return this.#charge(form);
    return undefined;
  }

  /** One charge per page when all customers are listed, so that every such test involves paging. */
  #page(customer: string | null, after: string | null): object {
    const all = [...this.charges.values()].filter((each) => customer === null || each.customer === customer);
    const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const data = customer === null ? all.slice(from, from + 1) : all;
    return { object: 'list', has_more: from + data.length < all.length, data };
  }

  #newSetup(form: URLSearchParams): SetupSession {
    const id = this.#newId('cs');
    const session: SetupSession = {
      id,
      object: 'checkout.session',
      mode: 'setup',
      url: `${this.#address()}/save/${id}`,
      status: 'open',
      payment_status: 'no_payment_required',
      customer: form.get('customer') ?? '',
      setup_intent: null,
      client_reference_id: form.get('client_reference_id') ?? '',
      metadata: { setup: form.get('metadata[setup]') ?? '' },
      success_url: form.get('success_url') ?? '',
      cancel_url: form.get('cancel_url') ?? '',
    };
    this.setups.set(id, session);
    return session;
  }

  #charge(form: URLSearchParams): Answer {
    const text = (name: string): string => form.get(name) ?? '';
    if (!this.customers.has(text('customer'))) return missing(text('customer'));
    if (this.methods.get(text('payment_method'))?.customer !== text('customer'))
      return refused('no such card of this customer');
    if (text('off_session') !== 'true' || text('confirm') !== 'true')
      return refused('a charge without its holder says so');
    // The last of three decimal places must be 0 (docs.stripe.com/currencies, “special cases”).
    if (text('currency') === 'kwd' && !text('amount').endsWith('0')) {
      this.refusedAmounts.push(text('amount'));
      return refused('Invalid amount');
    }
    const decline = this.declines.shift() ?? '';
    const isProcessing = decline === 'processing';
    const isPaid = decline === '';
    const charge: FakeCharge = {
      id: this.#newId('pi'),
      object: 'payment_intent',
      amount: Number(text('amount')),
      amount_received: isPaid ? Number(text('amount')) : 0,
      currency: text('currency'),
      customer: text('customer'),
      payment_method: text('payment_method'),
      status: isPaid ? 'succeeded' : isProcessing ? 'processing' : 'requires_payment_method',
      metadata: Object.fromEntries(
        ['payment', 'bill', 'attempt', 'mode'].map((name) => [name, text(`metadata[${name}]`)]),
      ),
      last_payment_error: isPaid || isProcessing ? null : { code: 'card_declined', decline_code: decline },
    };
    this.charges.set(charge.id, charge);
    if (isPaid || isProcessing) return ok(charge);
    return {
      status: 402,
      body: {
        error: {
          type: 'card_error',
          code: decline === 'authentication_required' ? decline : 'card_declined',
          decline_code: decline,
          message: 'Your card was declined.',
          payment_intent: structuredClone(charge),
        },
      },
    };
  }
}

const ok = (body: object): Answer => ({ status: 200, body: structuredClone(body) });
const missing = (customer: string): Answer => ({
  status: 400,
  body: {
    error: {
      type: 'invalid_request_error',
      code: 'resource_missing',
      param: 'customer',
      message: `No such customer: '${customer}'`,
    },
  },
});
const refused = (message: string): Answer => ({
  status: 400,
  body: { error: { type: 'invalid_request_error', message } },
});
