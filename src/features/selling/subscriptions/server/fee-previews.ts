// Previews of what customers can do with a subscription: the base fees on the bills that follow. Each action is
// executed and rolled back, so its preview is refused exactly when the action would be.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { decimalText } from '#kernel/decimal.ts';
import { sumMoney, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthOf } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { tryOut } from '#platform/server/unit-of-work/try-out.ts';
import type { FeeLine, FeeMonth, FeePreview, subscriptions } from '../contract.ts';
import { chargeFeeLines } from '../rules-charges.ts';
import { feeLines, later, priceAt, type PlannedFee, type Timeline } from '../rules-fees.ts';
import { addAddOn } from './add-ons.ts';
import { cancel } from './cancel.ts';
import { stop } from './pause.ts';
import { renew } from './renew.ts';
import { subscribe } from './subscribe.ts';
import { subscriptionById, type SubscriptionRow } from './store.ts';
import { offersFor, servicesOf, type Offers, type Use } from './view.ts';

const shown = ({
  kind,
  charge,
  serviceName,
  quantity,
  unit,
  unitPrice,
  exact,
  amount,
  steps,
}: PlannedFee): FeeLine => ({
  kind,
  ...(charge && { charge }),
  serviceName,
  quantity,
  unit,
  unitPrice,
  exact: decimalText(exact),
  total: amount,
  steps: [...steps],
});

/** Returns the base fees of a subscription on the bill of a month, calculated as the bill does. */
export function feesOfMonth(
  row: Timeline & Pick<SubscriptionRow, 'organizationId' | 'timeZone'>,
  offers: Offers,
  month: BillingMonth,
  currency: Currency,
): FeeMonth {
  const lines = [feeLines, chargeFeeLines].flatMap((linesOf) =>
    linesOf(row, (serviceId) => offers.plan(serviceId, row.organizationId), month, row.timeZone).map(shown),
  );
  return {
    month,
    lines,
    net: sumMoney(
      lines.map((line) => line.total),
      currency,
    ),
  };
}

/** Executes an action and returns the fees of the month that `at` is in, and of the next; then rolls it back. */
const feesAfter = (
  ctx: Ctx,
  act: (trial: Ctx) => Promise<string>,
  at: (row: SubscriptionRow) => Date,
): Promise<FeePreview> =>
  tryOut(ctx, async (trial) => {
    const id = await act(trial);
    const row = required(await subscriptionById(trial.db, id, tenant(ctx)), 'the subscription of the action');
    const offers = await offersFor(trial, servicesOf(row));
    const { pricing } = priceAt(offers.plan(row.serviceId, row.organizationId).prices, ctx.now);
    const month = monthOf(at(row), row.timeZone);
    return {
      currency: pricing.currency,
      thisBill: feesOfMonth(row, offers, month, pricing.currency),
      nextBill: feesOfMonth(row, offers, addMonths(month, 1), pricing.currency),
    };
  });

/** The month of the first fee: a trial is free. */
const firstCharged = ({ startedAt, trialEndsAt }: SubscriptionRow): Date => trialEndsAt ?? startedAt;

/** Returns the fees after subscribing; only consent to a Beta service is not required yet. */
export const previewSubscribe = (
  ctx: Ctx,
  input: In<typeof subscriptions.previewSubscribe>,
): Promise<FeePreview> =>
  feesAfter(ctx, (trial) => subscribe(trial, { ...input, acceptBeta: true }), firstCharged);

/** Returns the fees after adding an add-on; only consent to a Beta service is not required yet. */
export const previewAddOn = (
  ctx: Ctx,
  input: In<typeof subscriptions.previewAddOn>,
  use: Use,
): Promise<FeePreview> =>
  feesAfter(ctx, (trial) => addAddOn(trial, { ...input, acceptBeta: true }, use), firstCharged);

/** Returns the fees after a cancellation: from the month of its last moment, or this month if that is later. */
export const previewCancel = (ctx: Ctx, input: In<typeof subscriptions.previewCancel>): Promise<FeePreview> =>
  feesAfter(
    ctx,
    async (trial) => {
      await cancel(trial, input);
      return input.subscriptionId;
    },
    ({ endsAt }) => later(ctx.now, new Date((endsAt ?? ctx.now).getTime() - 1)),
  );

/** Returns the fees after a pause: of the month in which it begins, and of the next. */
export const previewStop = (ctx: Ctx, input: In<typeof subscriptions.previewStop>): Promise<FeePreview> =>
  feesAfter(
    ctx,
    async (trial) => {
      await stop(trial, input);
      return input.subscriptionId;
    },
    () => input.at ?? ctx.now,
  );

/** Returns the fees after a renewal: from the month in which the next term begins, or this month if that is later. */
export async function previewRenew(
  ctx: Ctx,
  input: In<typeof subscriptions.previewRenew>,
): Promise<FeePreview> {
  const before = await subscriptionById(ctx.db, input.subscriptionId, tenant(ctx));
  return feesAfter(
    ctx,
    async (trial) => {
      await renew(trial, input);
      return input.subscriptionId;
    },
    () => later(ctx.now, before?.endsAt ?? ctx.now),
  );
}
