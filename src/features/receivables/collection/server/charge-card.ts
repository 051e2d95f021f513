// Charges a saved card once, for any purpose: the provider is called outside any transaction, then its
// response is applied.
import type { Id } from '#kernel/ids.ts';
import type { Currency, Money } from '#kernel/money.ts';
import { failPoint } from '#platform/server/fail-point.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import {
  ProviderRefused,
  ProviderUnsure,
  cardProvidersOf,
  providersOf,
  type CardProviderName,
  type ChargeIntent,
  type PaymentNotice,
} from '#features/receivables/gateways/server/index.ts';
import { applyNotice, closeUnpaid, paymentById } from '#features/receivables/payments/server/index.ts';
import { ownCodes } from '../rules.ts';

const actor = { kind: 'system', name: 'collection' } as const;

/** The number of minor units of which a provider charges multiples. */
export const stepOf = (
  { config }: Pick<App, 'config'>,
  provider: CardProviderName,
  currency: Currency,
): bigint => providersOf(config).get(provider)?.stepOf?.(currency) ?? 1n;

/** Whether a provider can charge an amount exactly. */
export const isInSteps = (app: App, provider: CardProviderName, { minor, currency }: Money): boolean =>
  minor % stepOf(app, provider, currency) === 0n;

/**
 * Charges for a stored payment and applies the response. Without a response, the charge stays pending, and
 * its result is queried later.
 */
export async function chargeCard(app: App, provider: CardProviderName, intent: ChargeIntent): Promise<void> {
  const { paymentId } = intent;
  const cards = cardProvidersOf(app.config).get(provider);
  // A provider that is no longer configured is not queried: the charge's result is unknown.
  if (!cards) return;
  // Rounding would charge more than is due, or leave a rest that no card can ever pay: the customer decides.
  if (!isInSteps(app, provider, intent.amount))
    return close(app, paymentId, 'not_in_steps', ownCodes.notInSteps);
  try {
    const answer = await cards.charge(intent, app.clock.now());
    failPoint(app, 'collection.after_charge');
    await settle(app, provider, answer);
  } catch (error) {
    if (error instanceof ProviderRefused) {
      app.log.error({ err: error, paymentId }, 'a payment provider refused to charge a card');
      await close(app, paymentId, 'refused', ownCodes.refused);
    } else if (error instanceof ProviderUnsure)
      app.log.warn({ err: error, paymentId }, 'it is unknown whether a card was charged');
    else throw error;
  }
}

/**
 * Queries the result of a charge. The provider is asked to charge again only if it has no such charge, is
 * certain to recognize a repeat, and the charge is still wanted.
 */
export async function askCharge(
  app: App,
  provider: CardProviderName,
  intent: ChargeIntent,
  isWanted: boolean,
): Promise<void> {
  const { paymentId } = intent;
  const cards = cardProvidersOf(app.config).get(provider);
  if (!cards) return;
  let answer: 'absent' | PaymentNotice;
  try {
    answer = await cards.findCharge(intent, app.clock.now());
  } catch (error) {
    if (error instanceof ProviderUnsure) return;
    throw error;
  }
  if (answer !== 'absent') return settle(app, provider, answer);
  if (app.clock.now().getTime() - intent.createdAt.getTime() > cards.recognizesMs)
    return close(app, paymentId, 'expired', ownCodes.lost);
  if (!isWanted) return close(app, paymentId, 'not_needed', ownCodes.notNeeded);
  return chargeCard(app, provider, intent);
}

const settle = (app: App, provider: CardProviderName, notice: PaymentNotice): Promise<void> =>
  unitOfWork(app, { actor }, (ctx) => applyNotice(ctx, { provider, notice }));

const close = (app: App, paymentId: Id<'pay'>, failure: string, code: string): Promise<void> =>
  unitOfWork(app, { actor }, async (ctx) => {
    const payment = await paymentById(ctx, paymentId, null, true);
    if (payment) await closeUnpaid(ctx, payment, failure, code);
  });
