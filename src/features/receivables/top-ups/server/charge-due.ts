// The job that tops up balances: an attempt is committed first, then the provider is called outside any
// transaction, then its response is applied. Attempts without a response are queried.
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { dayOf } from '#kernel/time.ts';
import { failPoint } from '#platform/server/fail-point.ts';
import { continueOnError } from '#platform/server/jobs/continue-on-error.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { organizationById, timeZoneSetting } from '#features/access/identity/server/index.ts';
import { cardProvidersOf, type ChargeIntent } from '#features/receivables/gateways/server/index.ts';
import {
  areCardsOffered,
  askCharge,
  chargeCard,
  defaultCardOf,
  webhookOf,
} from '#features/receivables/collection/server/index.ts';
import { insertPayment, spendableBalance } from '#features/receivables/payments/server/index.ts';
import { stopAfter, topUpDue } from '../rules.ts';
import { notifyCapped, notifyStopped, publishTopUps } from './notices.ts';
import {
  attemptOf,
  attemptsToAsk,
  countAsked,
  insertAttempt,
  lockRule,
  rulesToCharge,
  stopRule,
  storeCode,
  type RuleKey,
  type TopUpAttempt,
} from './store.ts';

const actor = { kind: 'system', name: 'top-ups' } as const;
export const topUpName = 'top-up-balances';
const atOnce = 200;

/** Queries pending attempts, then charges where a balance is too low. A failure does not stop the others. */
export async function topUpBalances(app: App, signal?: AbortSignal): Promise<void> {
  if (!areCardsOffered({ app })) return;
  const waiting = await unitOfWork(app, { actor, mode: 'read' }, (ctx) => attemptsToAsk(ctx, atOnce));
  for (const paymentId of waiting) {
    if (signal?.aborted) return;
    await topUpOne(app, paymentId, () => ask(app, paymentId));
  }
  for (let after: RuleKey | undefined; ;) {
    const from: RuleKey | undefined = after;
    const due: RuleKey[] = await unitOfWork(app, { actor, mode: 'read' }, (ctx) =>
      rulesToCharge(ctx, from, atOnce),
    );
    for (const key of due) {
      if (signal?.aborted) return;
      await topUpOne(app, key.organizationId, () => chargeOne(app, key));
    }
    after = due.at(-1);
    if (!after) return;
  }
}

const topUpOne = (app: App, subject: string, work: () => Promise<void>): Promise<void> =>
  continueOnError(app, { subject }, 'a balance could not be topped up', work);

async function chargeOne(app: App, key: RuleKey): Promise<void> {
  const attempt = await unitOfWork(app, { actor }, (ctx) => beginAttempt(ctx, key));
  if (!attempt) return;
  failPoint(app, 'topups.before_charge');
  await chargeCard(app, attempt.provider, intentOf(app, attempt));
}

/**
 * Stores the next attempt under the lock of its setting, so that of two concurrent jobs, one finds the
 * other's attempt. Returns undefined if the balance is high enough or the cap leaves no room.
 */
async function beginAttempt(
  ctx: Ctx,
  { organizationId, currency }: RuleKey,
): Promise<TopUpAttempt | undefined> {
  const zone = await ctx.setting(timeZoneSetting);
  const rule = await lockRule(ctx, zone, organizationId, currency);
  const card = rule && (await defaultCardOf(ctx, organizationId));
  const { language, closedAt } = required(await organizationById(ctx.db, organizationId), 'the organization');
  // The balance of a closed organization is no longer used.
  if (!rule || !card || closedAt !== null || !cardProvidersOf(ctx.app.config).has(card.provider))
    return undefined;
  const due = topUpDue({
    spendable: (await spendableBalance(ctx, organizationId, currency)).minor,
    threshold: rule.threshold.minor,
    amount: rule.amount.minor,
    cap: rule.monthlyCap.minor,
    used: rule.used.minor,
  });
  if (due === 'capped')
    await notifyCapped(ctx, organizationId, rule.monthlyCap, dayOf(ctx.now, zone).slice(0, 7));
  if (due !== 'due') return undefined;
  const paymentId = await insertPayment(ctx, {
    organizationId,
    billId: null,
    method: card.provider,
    amount: rule.amount,
    note: '',
    createdBy: actor.name,
    language,
    expiresAt: null,
    isOffSession: true,
  });
  await insertAttempt(ctx, { organizationId, currency, paymentId, cardId: card.id });
  ctx.audit('topups.charge', organizationId, { payment: paymentId });
  publishTopUps(ctx, organizationId);
  return required(await attemptOf(ctx, paymentId), 'the attempt that was just made');
}

const intentOf = (app: App, attempt: TopUpAttempt): ChargeIntent => ({
  paymentId: attempt.paymentId,
  billId: null,
  attempt: 1,
  amount: attempt.amount,
  customer: attempt.customer ?? '',
  card: attempt.card,
  payer: { name: attempt.payerName, email: attempt.payerEmail },
  description: app.translate(attempt.language, 'payments.checkout_top_up'),
  createdAt: attempt.createdAt,
  webhook: webhookOf(app, attempt.provider),
});

/** Queries the result of an attempt; it is sent again only while the provider is certain to recognize it. */
async function ask(app: App, paymentId: Id<'pay'>): Promise<void> {
  const attempt = await unitOfWork(app, { actor }, async (ctx) => {
    await countAsked(ctx, paymentId);
    return required(await attemptOf(ctx, paymentId), 'a stored attempt');
  });
  await askCharge(app, attempt.provider, intentOf(app, attempt), attempt.isWanted);
}

/** Handles payments' event: a failed charge stops automatic top-ups until a user resolves it. */
export async function stopAfterFailure(
  ctx: Ctx,
  { paymentId, code }: { paymentId: Id<'pay'>; code: string },
): Promise<void> {
  const attempt = await attemptOf(ctx, paymentId);
  if (!attempt) return;
  await storeCode(ctx, paymentId, code);
  const stop = stopAfter(code);
  if (stop !== null) {
    await stopRule(ctx, attempt.organizationId, attempt.currency, stop);
    await notifyStopped(ctx, attempt, stop);
  }
  publishTopUps(ctx, attempt.organizationId);
}

/**
 * Handles payments' event: whoever disputes a top-up is not charged for the next one, until a user agrees to
 * auto top-up again or chooses another card. Each charge would cost another dispute.
 */
export async function stopAfterDispute(ctx: Ctx, { paymentId }: { paymentId: Id<'pay'> }): Promise<void> {
  const attempt = await attemptOf(ctx, paymentId);
  if (!attempt) return;
  await stopRule(ctx, attempt.organizationId, attempt.currency, 'disputed');
  await notifyStopped(ctx, attempt, 'disputed');
  publishTopUps(ctx, attempt.organizationId);
}

export const topUpJob = job({
  name: topUpName,
  schedule: '* * * * *',
  run: (app, _payload, signal) => topUpBalances(app, signal),
});
