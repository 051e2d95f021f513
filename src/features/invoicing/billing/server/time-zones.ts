// Months are calendar months in an organization's time zone. If that changed once a month is billed, a fee due
// on the first day of the next one could move into the billed month, and never be charged, or be charged again.
import { domainError } from '#kernel/errors.ts';
import { dayFormat } from '#kernel/format-date.ts';
import { addMonths, monthOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { organizationsByIds } from '#features/access/identity/server/index.ts';
import { billingErrors } from '../contract.ts';
import { hasSubscriptionsAround, holdMonths } from './store-closed-months.ts';

/** Months that may be being closed are locked; the grace period lasts at most one month. */
const openMonths = 3;

/** Handles the event of a time zone that is about to change. @throws billing.time_zone_fixed */
export async function refuseTimeZone(
  ctx: Ctx,
  { organization, timeZone }: { readonly organization: Organization; readonly timeZone: string },
): Promise<void> {
  const from = addMonths(monthOf(ctx.now, organization.timeZone), -openMonths);
  const billed = await holdMonths(ctx, organization, from);
  if (billed === null) return;
  const zones = [organization.timeZone, timeZone];
  if (await hasSubscriptionsAround(ctx, organization.id, billed, zones))
    throw domainError(
      billingErrors,
      'billing.time_zone_fixed',
      { month: dayFormat(ctx.language).month(billed) },
      ['timeZone'],
    );
}

/** Whether some organizations have another time zone by now than when they were read. */
export async function areZonesChanged(ctx: Ctx, read: readonly Organization[]): Promise<boolean> {
  const now = await organizationsByIds(
    ctx,
    read.map(({ id }) => id),
  );
  const zones = new Map<string, string>(now.map(({ id, timeZone }) => [id, timeZone]));
  return read.some(({ id, timeZone }) => zones.get(id) !== timeZone);
}
