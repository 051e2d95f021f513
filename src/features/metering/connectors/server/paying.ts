// Whoever shall pay for a resource or for cost: a subscription that exists, or one that is made in the same unit of work.
import { DomainError, ValidationError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { dayPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { adminSubscribe } from '#features/selling/subscriptions/server/index.ts';
import type { PayerTarget } from '../contract.ts';
import { assertSubscriptions } from './check-settings.ts';

/** What the app passes in: which closed months a start in the past must not lie in. */
export type PayingUse = Parameters<typeof adminSubscribe>[2];

/** The field of the decision that an error of subscribing is about. */
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
 * The subscription that shall pay. A new one begins at the start of its day where the customer is.
 * @throws DomainError `connectors.subscription_unknown`, and whatever refuses a subscription; each names its field below `to`
 */
export async function payingSubscription(ctx: Ctx, to: PayerTarget, use: PayingUse): Promise<Id<'sub'>> {
  if (to.kind === 'subscription') {
    await assertSubscriptions(ctx, [to.subscriptionId], () => 'to.subscriptionId');
    return to.subscriptionId;
  }
  const { organizationId, serviceId, startsOn } = to;
  // An organization that does not exist is refused below, whatever zone its day is in.
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
