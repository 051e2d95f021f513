// The job that charges bills to saved cards: an attempt is committed first, then the provider is called
// outside any transaction, then its response is applied. Attempts without a response are queried.
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { failPoint } from '#platform/server/fail-point.ts';
import { continueOnError } from '#platform/server/jobs/continue-on-error.ts';
import { inPages } from '#platform/server/jobs/in-pages.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { billById, storeProcessing } from '#features/invoicing/billing/server/index.ts';
import {
  cardProvidersOf,
  ProviderUnsure,
  type CardProvider,
  type ChargeIntent,
} from '#features/receivables/gateways/server/index.ts';
import {
  billsUnderWay,
  insertPayment,
  otherPaymentWaitMs,
  payAutomatically,
} from '#features/receivables/payments/server/index.ts';
import { afterFailure, expiryWarningDays, ownCodes } from '../rules.ts';
import { applyCardNotice } from './apply-card.ts';
import { collectName, webhookOf } from './cards.ts';
import { openSetupOf } from './open-setup.ts';
import { askCharge, chargeCard } from './charge-card.ts';
import { notifyExpiring, notifyFailed, publishCollection } from './notices.ts';
import { planSetting } from './settings.ts';
import {
  cardsToRefresh,
  countSetupAsked,
  settleSetup,
  setupsToAsk,
  takeExpiring,
  type CardSetup,
} from './store.ts';
import {
  attemptOf,
  attemptsToAsk,
  billsToCharge,
  chargeOf,
  countAsked,
  insertAttempt,
  nextAttemptAt,
  storeFailure,
  type StoredAttempt,
} from './store-attempts.ts';

const actor = { kind: 'system', name: 'collection' } as const;
const atOnce = 200;

/** Queries pending attempts, then charges what is due. A failure does not stop the others. */
export async function collect(app: App, signal?: AbortSignal): Promise<void> {
  const providers = cardProvidersOf(app.config);
  if (providers.size === 0) return;
  await askSetups(app);
  const waiting = await unitOfWork(app, { actor, mode: 'read' }, (ctx) => attemptsToAsk(ctx, atOnce));
  for (const { paymentId } of waiting) {
    if (signal?.aborted) return;
    await collectOne(app, paymentId, () => ask(app, paymentId));
  }
  await inPages(async (after) => {
    const bills = await unitOfWork(app, { actor, mode: 'read' }, async (ctx) =>
      billsToCharge(ctx, await ctx.setting(planSetting), after, atOnce),
    );
    for (const billId of bills) {
      if (signal?.aborted) return undefined;
      await collectOne(app, billId, () => chargeBill(app, billId));
    }
    return bills.at(-1);
  }, signal);
}

const collectOne = (app: App, subject: string, work: () => Promise<void>): Promise<void> =>
  continueOnError(app, { subject }, 'a bill could not be collected', work);

async function chargeBill(app: App, billId: Id<'bil'>): Promise<void> {
  const attempt = await unitOfWork(app, { actor }, (ctx) => beginAttempt(ctx, billId));
  if (!attempt) return;
  failPoint(app, 'collection.before_charge');
  await chargeCard(app, attempt.provider, intentOf(app, attempt));
}

/**
 * Stores the next attempt of a bill for its current amount due, after its organization's balance has paid
 * what it may. Returns undefined if there is nothing to charge because it was paid, credited, is being paid
 * otherwise, or collection is off.
 */
async function beginAttempt(ctx: Ctx, billId: Id<'bil'>): Promise<StoredAttempt | undefined> {
  const plan = await ctx.setting(planSetting);
  const before = await billById(ctx, billId, null, true);
  // Read again under the bill's lock: another process may have charged it, or it may have been paid.
  if (before?.state !== 'open' || !(await chargeOf(ctx, plan, billId))) return undefined;
  await payAutomatically(ctx, [before.organizationId]);
  const bill = await billById(ctx, billId, null);
  const found = await chargeOf(ctx, plan, billId);
  if (!bill || !found || !cardProvidersOf(ctx.app.config).has(found.provider)) return undefined;
  if ((await billsUnderWay(ctx, [billId], new Date(ctx.now.getTime() - otherPaymentWaitMs))).has(billId))
    return undefined;
  const { language } = required(await organizationById(ctx.db, bill.organizationId), 'a bill’s organization');
  const paymentId = await insertPayment(ctx, {
    organizationId: bill.organizationId,
    billId,
    method: found.provider,
    amount: money(found.minor, bill.currency),
    note: '',
    createdBy: actor.name,
    language,
    expiresAt: null,
    isOffSession: true,
  });
  await insertAttempt(ctx, {
    billId,
    organizationId: bill.organizationId,
    number: found.attempts + 1,
    tries: found.tries + 1,
    firstAt: found.tries === 0 || found.firstAt === null ? ctx.now : found.firstAt,
    paymentId,
    cardId: found.cardId,
    instalment: found.instalment,
  });
  await storeProcessing(ctx, billId, true);
  ctx.audit('collection.charge', billId, { attempt: found.attempts + 1, payment: paymentId });
  publishCollection(ctx, bill.organizationId);
  return required(await attemptOf(ctx, paymentId), 'the attempt that was just made');
}

const intentOf = (app: App, attempt: StoredAttempt): ChargeIntent => ({
  paymentId: attempt.paymentId,
  billId: attempt.billId,
  attempt: attempt.number,
  amount: attempt.amount,
  customer: attempt.customer ?? '',
  card: attempt.card,
  payer: { name: attempt.payerName, email: attempt.payerEmail },
  // Contains nothing that could differ on a repeat: a provider compares repeats literally.
  description: attempt.billNumber,
  createdAt: attempt.createdAt,
  webhook: webhookOf(app, attempt.provider),
});

/** Queries the result of an attempt. */
async function ask(app: App, paymentId: Id<'pay'>): Promise<void> {
  const attempt = await unitOfWork(app, { actor }, async (ctx) => {
    await countAsked(ctx, paymentId);
    return required(await attemptOf(ctx, paymentId), 'a stored attempt');
  });
  await askCharge(app, attempt.provider, intentOf(app, attempt), attempt.isWanted);
}

/** Plans what follows a failed charge; handles payments' event. */
export async function planAfterFailure(
  ctx: Ctx,
  { paymentId, code }: { paymentId: Id<'pay'>; code: string },
): Promise<void> {
  const attempt = await attemptOf(ctx, paymentId);
  if (!attempt) return;
  const { retryDays } = await ctx.setting(planSetting);
  const next = afterFailure(code, {
    tries: attempt.tries,
    firstAt: attempt.firstAt,
    now: ctx.now,
    retryDays,
  });
  await storeFailure(ctx, attempt, code, next);
  publishCollection(ctx, attempt.organizationId);
  if (code !== ownCodes.notNeeded && code !== ownCodes.lost) await notifyFailed(ctx, attempt, next);
}

/** Queries card entries whose notice was lost. */
async function askSetups(app: App): Promise<void> {
  const waiting = await unitOfWork(app, { actor, mode: 'read' }, (ctx) => setupsToAsk(ctx, atOnce));
  for (const setup of waiting)
    await collectOne(app, setup.id, async () => {
      const answer = await answerOf(app, setup);
      await unitOfWork(app, { actor }, async (ctx) => {
        await countSetupAsked(ctx, setup.id);
        if (answer === 'absent') await settleSetup(ctx, setup.id, 'failed');
        else if (answer !== 'open' && answer !== 'unknown') await applyCardNotice(ctx, { notice: answer });
      });
    });
}

async function answerOf(
  app: App,
  setup: CardSetup,
): Promise<Awaited<ReturnType<CardProvider['querySetup']>> | 'unknown'> {
  const cards = cardProvidersOf(app.config).get(setup.provider);
  const open = await unitOfWork(app, { actor, mode: 'read' }, (ctx) => openSetupOf(ctx, setup));
  if (!open) return 'absent';
  if (!cards) return 'unknown';
  try {
    return await cards.querySetup(open, app.clock.now());
  } catch (error) {
    if (error instanceof ProviderUnsure) return 'unknown';
    throw error;
  }
}

export const collectJob = job({
  name: collectName,
  schedule: '*/5 * * * *',
  nextAt: (app) => unitOfWork(app, { actor, mode: 'read' }, nextAttemptAt),
  run: (app, _payload, signal) => collect(app, signal),
});

/** Announces default cards that expire within a month, once per expiry date. */
export async function warnOfExpiry(app: App): Promise<void> {
  await refreshCards(app);
  await unitOfWork(app, { actor }, async (ctx) =>
    notifyExpiring(ctx, await takeExpiring(ctx, expiryWarningDays)),
  );
}

/** Queries providers that do not report renewals about default cards that are about to expire. */
async function refreshCards(app: App): Promise<void> {
  const silent = [...cardProvidersOf(app.config)].filter(([, cards]) => cards.list);
  const waiting = await unitOfWork(app, { actor, mode: 'read' }, (ctx) =>
    cardsToRefresh(
      ctx,
      silent.map(([name]) => name),
      expiryWarningDays,
    ),
  );
  for (const { provider, customer, setup, references } of waiting)
    await collectOne(app, customer, async () => {
      const found = await cardProvidersOf(app.config).get(provider)?.list?.(customer, setup, app.clock.now());
      await unitOfWork(app, { actor }, async (ctx) => {
        for (const { reference, facts } of found ?? [])
          if (references.includes(reference))
            await applyCardNotice(ctx, {
              notice: {
                about: 'card',
                outcome: 'updated',
                setupId: null,
                reference,
                customer,
                facts,
                sentAt: ctx.now.toISOString(),
              },
            });
      });
    });
}

export const expiryJob = job({ name: 'warn-of-expiring-cards', schedule: '40 1 * * *', run: warnOfExpiry });
