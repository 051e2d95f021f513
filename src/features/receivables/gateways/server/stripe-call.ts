// Calls Stripe, and interprets its failures.
import type { Stripe } from 'stripe';
import { hourMs } from '#kernel/durations.ts';
import { ProviderRefused, ProviderUnsure } from './provider.ts';

/** Stripe stores idempotency keys for at least 24 hours; after that a repeat could pay twice. */
export const keyRetentionMs = 20 * hourMs;

/** Calls Stripe. A refusal means that nothing happened; after any other error the outcome is unknown. */
export async function callStripe<T>(
  stripe: () => Promise<Stripe>,
  call: (client: Stripe) => Promise<T>,
): Promise<T> {
  try {
    return await call(await stripe());
  } catch (error) {
    const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
    const reason = error instanceof Error ? error.message : 'no answer';
    if (typeof status === 'number' && status >= 400 && status < 500 && status !== 409 && status !== 429)
      throw new ProviderRefused(reason, { cause: error });
    throw new ProviderUnsure(reason, { cause: error });
  }
}
