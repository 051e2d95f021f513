// The external services of a console whose every page has content: card payments, a receiver, and a broker if
// one is installed.
import { hasNats, startNats } from '../brokers.ts';
import { Receiver } from '../receiver.ts';
import { FakeStripe, stripeSecret } from '../stripe.ts';
import type { Stands } from './filling.ts';

export type StartedStands = {
  readonly stands: Stands;
  /** The settings with which a console finds them. */
  readonly environment: Readonly<Record<string, string>>;
  readonly end: () => Promise<void>;
};

export async function startStands(): Promise<StartedStands> {
  const stripe = new FakeStripe();
  await stripe.start();
  const receiver = await new Receiver().start();
  const nats = hasNats ? await startNats() : undefined;
  return {
    stands: { stripe, receiver: receiver.address, nats: nats?.port },
    environment: {
      STRIPE_SECRET_KEY: 'sk_test',
      STRIPE_WEBHOOK_SECRET: stripeSecret,
      STRIPE_API_BASE: stripe.address,
      PRIVATE_HOSTS: '127.0.0.1',
    },
    end: async () => {
      await stripe.stop();
      await receiver.stop();
      await nats?.kill();
    },
  };
}
