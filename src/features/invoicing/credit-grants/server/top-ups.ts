// Auto top-up and the warning about low credit: configured by members, checked hourly.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { money, moneyText } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { dayOf } from '#kernel/time.ts';
import { continueOnError } from '#platform/server/jobs/continue-on-error.ts';
import { inPages } from '#platform/server/jobs/in-pages.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { creditgrantsErrors, type creditgrants, type TopUp } from '../contract.ts';
import { amountMistake, missingOf, ownerKey, topUpDue, warningDue } from '../rules.ts';
import { storePurchase } from './buy-credit.ts';
import type { CreditUse, PlannedUse } from './credit-use.ts';
import { refreshCovers } from './cover.ts';
import type { SpendableBalance } from './give-grant.ts';
import { publishCredits, renewUntilNow } from './move-credit.ts';
import { notifyLow, notifyToppedUp, notifyTopUpShort } from './notices.ts';
import { creditOffer } from './offer.ts';
import {
  leftOf,
  markWarned,
  storeTopUp,
  topUpsOf,
  watchingAfter,
  type Left,
  type TopUpRow,
} from './store-top-ups.ts';

const actor = { kind: 'system', name: 'creditgrants' } as const;
const organizationsAtOnce = 200;
const checkName = 'creditgrants.check';

export async function topUps(ctx: Ctx): Promise<Out<typeof creditgrants.topUps>> {
  return { items: (await topUpsOf(ctx, tenant(ctx))).map(({ isWarned: _isWarned, ...shown }) => shown) };
}

/** Stores both settings for one currency; a job checks them immediately. */
export async function setTopUp(
  ctx: Ctx,
  input: In<typeof creditgrants.setTopUp>,
): Promise<Out<typeof creditgrants.topUps>> {
  const organizationId = tenant(ctx);
  // Auto top-up configured while credit was for sale may be kept when only the warning changes.
  const stored = (await topUpsOf(ctx, organizationId)).find(({ currency }) => currency === input.currency);
  if (input.topUp && !isSameTopUp(input.topUp, stored?.topUp) && !(await creditOffer(ctx)).isOn)
    throw domainError(creditgrantsErrors, 'creditgrants.not_for_sale');
  assertAmounts(input);
  await storeTopUp(ctx, organizationId, input, person(ctx).userId);
  ctx.audit('creditgrants.setTopUp', organizationId, {
    currency: input.currency,
    ...(input.topUp && {
      threshold: moneyText(input.topUp.threshold),
      amount: moneyText(input.topUp.amount),
      monthlyCap: moneyText(input.topUp.monthlyCap),
    }),
    ...(input.warnBelow && { warnBelow: moneyText(input.warnBelow) }),
  });
  publishCredits(ctx, [organizationId]);
  await ctx.enqueue(checkName, { organizationId }, organizationId);
  return topUps(ctx);
}

const isSameTopUp = (a: NonNullable<TopUp['topUp']>, b: TopUp['topUp'] | undefined): boolean =>
  b !== null &&
  b !== undefined &&
  (['threshold', 'amount', 'monthlyCap'] as const).every((part) => a[part].minor === b[part].minor);

function assertAmounts({
  currency,
  topUp,
  warnBelow,
}: Pick<TopUp, 'currency' | 'topUp' | 'warnBelow'>): void {
  const amounts = [
    ['warnBelow', warnBelow],
    ['topUp.threshold', topUp?.threshold],
    ['topUp.amount', topUp?.amount],
    ['topUp.monthlyCap', topUp?.monthlyCap],
  ] as const;
  for (const [field, amount] of amounts) {
    if (!amount) continue;
    if (amount.currency !== currency)
      throw domainError(creditgrantsErrors, 'creditgrants.other_currency', { currency }, [field]);
    const mistake = amountMistake(amount);
    if (mistake) throw domainError(creditgrantsErrors, mistake.code, {}, [field]);
  }
  if (topUp && topUp.monthlyCap.minor < topUp.amount.minor)
    throw domainError(creditgrantsErrors, 'creditgrants.cap_below_amount', {}, ['topUp.monthlyCap']);
}

/**
 * Checks one organization: buys at most once per currency, and warns. Checks of one organization are
 * serialized, so that concurrent ones buy once.
 */
export async function checkTopUps(
  ctx: Ctx,
  organizationId: Id<'org'>,
  planned: PlannedUse,
  spendable: SpendableBalance,
): Promise<void> {
  const rows = await topUpsOf(ctx, organizationId, true);
  if (rows.length === 0) return;
  for (const row of rows) {
    const plan = planned.get(ownerKey(organizationId, row.currency)) ?? { paid: 0n, promotional: 0n };
    await buyIfDue(ctx, organizationId, row, plan.paid, spendable);
    await warnIfLow(ctx, organizationId, row, plan.paid + plan.promotional);
  }
}

async function leftIn(ctx: Ctx, organizationId: string, { currency }: TopUpRow): Promise<Left> {
  const found = (await leftOf(ctx, organizationId)).find((each) => each.currency === currency);
  return found ?? { currency, paid: 0n, promotional: 0n };
}

async function buyIfDue(
  ctx: Ctx,
  organizationId: Id<'org'>,
  row: TopUpRow,
  planned: bigint,
  spendable: SpendableBalance,
): Promise<void> {
  const { topUp, boughtThisMonth } = row;
  const offer = await creditOffer(ctx);
  if (!topUp || !offer.isOn) return;
  const due = topUpDue({
    left: (await leftIn(ctx, organizationId, row)).paid,
    planned,
    threshold: topUp.threshold.minor,
    amount: topUp.amount.minor,
    cap: topUp.monthlyCap.minor,
    bought: boughtThisMonth.minor,
  });
  if (due === 'enough') return;
  const organization = required(await organizationById(ctx.db, organizationId), 'the organization');
  const today = dayOf(ctx.now, organization.timeZone);
  if (due === 'capped') return notifyTopUpShort(ctx, organizationId, topUp.monthlyCap, 'cap', today);
  const missing = missingOf(topUp.amount, await spendable(ctx, organizationId, row.currency));
  if (missing.minor > 0n) return notifyTopUpShort(ctx, organizationId, missing, 'balance', today);
  const id = await storePurchase(ctx, organization, offer, topUp.amount, 'top_up');
  ctx.audit('creditgrants.topUp', id, {
    organizationId,
    amount: moneyText(topUp.amount),
    currency: row.currency,
  });
  await notifyToppedUp(ctx, organizationId, id, topUp.amount);
}

async function warnIfLow(ctx: Ctx, organizationId: Id<'org'>, row: TopUpRow, planned: bigint): Promise<void> {
  if (!row.warnBelow) return;
  const { paid, promotional } = await leftIn(ctx, organizationId, row);
  const left = paid + promotional - planned;
  const due = warningDue({
    left: paid + promotional,
    planned,
    threshold: row.warnBelow.minor,
    isWarned: row.isWarned,
  });
  if (due === null) return;
  await markWarned(ctx, organizationId, row.currency, due === 'warn');
  if (due === 'warn')
    await notifyLow(ctx, organizationId, money(left > 0n ? left : 0n, row.currency), row.warnBelow);
}

/** Runs after a member changed the settings. */
export const checkJob = ({ spendableBalance, plannedUse }: CreditUse): Job =>
  job<{ organizationId: Id<'org'> }>({
    name: checkName,
    run: async (app, { organizationId }) => {
      const planned = await unitOfWork(app, { actor, mode: 'read' }, (ctx) =>
        plannedUse(ctx, [organizationId]),
      );
      await unitOfWork(app, { actor }, async (ctx) => {
        await checkTopUps(ctx, organizationId, planned, spendableBalance);
        await refreshCovers(ctx, organizationId, plannedUse);
      });
    },
  });

/** Hourly: months begin, so recurring credit is renewed; open months use more, so credit runs low. */
export const hourlyJob = ({ spendableBalance, plannedUse }: CreditUse): Job =>
  job({
    name: 'creditgrants.hourly',
    schedule: '11 * * * *',
    run: async (app, _payload, signal) => {
      await unitOfWork(app, { actor }, async (ctx) => {
        const months = await renewUntilNow(ctx, null);
        if (months > 0) ctx.audit('creditgrants.renewGrants', undefined, { months });
      });
      await inPages(async (after) => {
        const { ids, planned } = await unitOfWork(app, { actor, mode: 'read' }, async (ctx) => {
          const found = await watchingAfter(ctx, after, organizationsAtOnce);
          return { ids: found, planned: await plannedUse(ctx, found) };
        });
        // One transaction each, so that a failure does not stop the others.
        for (const organizationId of ids) {
          if (signal.aborted) return undefined;
          await continueOnError(app, { organizationId }, 'auto top-up could not be checked', () =>
            unitOfWork(app, { actor }, async (ctx) => {
              await checkTopUps(ctx, organizationId, planned, spendableBalance);
              await refreshCovers(ctx, organizationId, plannedUse);
            }),
          );
        }
        return ids.at(-1);
      }, signal);
    },
  });
