// The state of a payment for a user who returns from a provider's page and may not be signed in, for example
// after paying in a frame of another site.
import { hkdfSync, timingSafeEqual } from 'node:crypto';
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { paymentsErrors, paymentsPaths, type payments } from '../contract.ts';
import { outcomeOf } from '../rules.ts';
import { paymentById } from './store.ts';

/**
 * A seal that only the console can create, and that gives access to nothing but the outcome of this payment.
 * It is always the same, as a provider's repeated call requires.
 */
const sealOf = ({ secrets }: Pick<App, 'secrets'>, paymentId: string): string =>
  Buffer.from(
    hkdfSync(
      'sha256',
      Buffer.from(secrets.accessTokenKey, 'base64url'),
      '',
      `skytally payment outcome ${paymentId}`,
      32,
    ),
  ).toString('base64url');

/** The address that a provider returns to after a payment, or after it was canceled. */
export const returnAddress = (app: App, paymentId: string, result: 'payment' | 'cancelled'): string =>
  `${app.address()}${paymentsPaths.returned}?${result}=${paymentId}&seal=${sealOf(app, paymentId)}`;

/** @throws payments.not_found also if the seal does not belong to the payment */
export async function paymentOutcome(
  ctx: Ctx,
  { paymentId, seal }: In<typeof payments.paymentOutcome>,
): Promise<Out<typeof payments.paymentOutcome>> {
  const given = Buffer.from(seal);
  const right = Buffer.from(sealOf(ctx.app, paymentId));
  const payment =
    given.length === right.length && timingSafeEqual(given, right)
      ? await paymentById(ctx, paymentId)
      : undefined;
  if (!payment) throw domainError(paymentsErrors, 'payments.not_found');
  return { outcome: outcomeOf(payment) };
}
