// Resolves who pays for a resource or a cost: an existing subscription, or one created in the same unit of
// work.
import { DomainError, ValidationError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { dayPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { adminSubscribe } from '#features/selling/subscriptions/server/index.ts';
import type { PayerTarget } from '../contract.ts';
import { assertSubscriptions } from './check-settings.ts';

/** Passed in by the app: the check that a start in the past does not lie in a closed month. */
export type PayingUse = Parameters<typeof adminSubscribe>[2];

/** Maps an error of subscribing to the field of the decision. */
const fieldOf: Readonly<Record<string, string>> = {
  'subscriptions.organization_not_found': 'to.organizationId',
  'subscriptions.organization_suspended': 'to.organizationId',
  'subscriptions.service_not_available': 'to.serviceId',
  'subscriptions.beta_not_accepted': 'to.serviceId',
  'subscriptions.add_on_only': 'to.serviceId',
  'subscriptions.already_subscribed': 'to.serviceId',
  'subscriptions.start_in_future': 'to.startsOn',
};

/**
 * Returns the subscription that pays. A new one starts at the beginning of its day in the customer's time
 * zone.
 * @throws DomainError `connectors.subscription_unknown`, and every error of subscribing; each names its field
 * below `to`
 */
export async function payingSubscription(ctx: Ctx, to: PayerTarget, use: PayingUse): Promise<Id<'sub'>> {
  if (to.kind === 'subscription') {
    await assertSubscriptions(ctx, [to.subscriptionId], () => 'to.subscriptionId');
    return to.subscriptionId;
  }
  const { organizationId, serviceId, startsOn } = to;
  // A nonexistent organization is rejected below, whatever the time zone.
  const zone = (await organizationById(ctx.db, organizationId))?.timeZone ?? 'UTC';
  try {
    return await adminSubscribe(
      ctx,
      { organizationId, serviceId, startedAt: dayPeriod(startsOn, zone).start },
      use,
    );
  } catch (error) {
    throw atItsField(error);
  }
}

function atItsField(error: unknown): unknown {
  if (error instanceof ValidationError)
    return new ValidationError(error.fields.map((each) => ({ ...each, field: 'to.startsOn' })));
  const field = error instanceof DomainError ? fieldOf[error.code] : undefined;
  return error instanceof DomainError && field !== undefined
    ? new DomainError(error.code, error.status, error.params, [field])
    : error;
}
