// A console in a separate process with a simulated Stripe, and people with saved cards: for tests that kill
// it around charges.
import pg from 'pg';
import { expect } from 'vitest';
import { findRunningPostgres } from '#platform/server/database/embedded/listen-address.ts';
import { atFileEnd } from './clean-up.ts';
import {
  processApi as api,
  processPassword as password,
  signInProcess as signIn,
  type ProcessConsole,
} from './process.ts';
import { FakeStripe, stripeSecret, type StripeEvent } from './stripe.ts';

/**
 * Starts a simulated Stripe until the end of the calling test file. `environment`: the settings of a console
 * that uses it.
 */
export async function startStripe() {
  const stripe = await new FakeStripe().start();
  atFileEnd(() => stripe.stop());
  const environment = {
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: stripeSecret,
    STRIPE_API_BASE: stripe.address,
  };
  return { stripe, environment };
}

/** Makes Stripe send an event to the console; returns the response status. */
export async function sendEvent(
  { address }: ProcessConsole,
  stripe: FakeStripe,
  event: StripeEvent,
): Promise<number> {
  const { body, headers } = stripe.signed(event, new Date());
  const response = await fetch(`${address}/api/payments/webhooks/stripe`, { method: 'POST', body, headers });
  await response.arrayBuffer();
  return response.status;
}

/** Queries the console's own database. */
export async function query<T>(dataDir: string, statement: string): Promise<T[]> {
  const running = await findRunningPostgres(dataDir);
  if (!running) throw new Error('the database is not running');
  const client = new pg.Client(running.connection);
  await client.connect();
  try {
    return (await client.query(statement)).rows as T[];
  } finally {
    await client.end();
    await running.release();
  }
}

/** A person with a saved card, whose organization has subscribed to the service since before 2010. */
export async function newcomer(
  console: ProcessConsole,
  stripe: FakeStripe,
  account: string,
  serviceId: string,
): Promise<void> {
  const { user } = await api<{ user: { organizationId: string } }>(console, 'POST', '/user/register', {
    email: account,
    name: 'Owner',
    password,
    organization: account,
    agreeToTerms: true,
  });
  await api(
    console,
    'POST',
    '/admin/subscriptions',
    { organizationId: user.organizationId, serviceId, startedAt: '2009-12-31T16:00:00Z' },
    await signIn(console),
  );
  const token = await signIn(console, account);
  const { url } = await api<{ url: string }>(
    console,
    'POST',
    '/billing/cards',
    { consents: true, language: 'zhTW' },
    token,
  );
  expect(
    await sendEvent(console, stripe, stripe.event('checkout.session.completed', stripe.cards.enter(url))),
  ).toBe(200);
}
