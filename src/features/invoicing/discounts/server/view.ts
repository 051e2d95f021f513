// Discounts for display, with the names of services, charges and organizations.
import { organizationsByIds, timeZoneSetting } from '#features/access/identity/server/index.ts';
import { servicesByIds } from '#features/selling/catalogue/server/index.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { dayOf, monthOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Discount, OwnDiscount, Redemption, ShownScope, Terms } from '../contract.ts';
import { discountState, lastMonthOf, redemptionState, termsInWords, type Standing } from '../rules.ts';
import type { DiscountRow, StoredTerms } from './store.ts';
import type { RedemptionRow } from './store-redemptions.ts';

/** Today in the installation's time zone, which determines what Admins see as expired. */
export const operatorDay = async (ctx: Ctx): Promise<LocalDay> =>
  dayOf(ctx.now, await ctx.setting(timeZoneSetting));

/** Loads the names of services and charges in some terms; a deleted service is shown by its id. */
export async function shownTerms(
  ctx: Ctx,
  all: readonly Pick<StoredTerms, 'scope'>[],
): Promise<(terms: StoredTerms) => Terms> {
  const ids = [...new Set(all.flatMap(({ scope }) => scope?.map(({ serviceId }) => serviceId) ?? []))];
  const services = new Map(
    ids.length === 0
      ? []
      : (await servicesByIds(ctx.db, ids, ctx.now)).map((service) => [service.id, service] as const),
  );
  return ({ name, reduction, maximum, duration, scope }) => ({
    name,
    reduction,
    maximum,
    duration,
    scope:
      scope?.map(({ serviceId, chargeKeys }): NonNullable<ShownScope>[number] => {
        const service = services.get(serviceId);
        return {
          serviceId,
          chargeKeys,
          serviceName: service?.name ?? serviceId,
          charges:
            chargeKeys?.map((key) => ({
              key,
              name: service?.charges.find((charge) => charge.key === key)?.name ?? { zhTW: key, enUS: key },
            })) ?? null,
        };
      }) ?? null,
  });
}

/** Discounts as Admins see them. */
export async function discountViews(ctx: Ctx, rows: readonly DiscountRow[]): Promise<Discount[]> {
  const termsOf = await shownTerms(ctx, rows);
  const named = [...new Set(rows.flatMap((row) => row.organizationIds))];
  const organizations = new Map<string, Discount['organizations'][number]>(
    named.length === 0
      ? []
      : (await organizationsByIds(ctx, named)).map(({ id, name }) => [id, { id, name }] as const),
  );
  const today = await operatorDay(ctx);
  return rows.map((row) => ({
    id: row.id,
    ...termsOf(row),
    code: row.code,
    redeemableUntil: row.redeemableUntil,
    maxRedemptions: row.maxRedemptions,
    maxPerOrganization: row.maxPerOrganization,
    audience: row.audience,
    organizations: row.organizationIds.flatMap((id) => organizations.get(id) ?? []),
    state: discountState(row, today),
    redemptions: row.redemptions,
    saved: [...row.saved],
    createdAt: row.createdAt,
    version: row.version,
  }));
}

const standingOf = ({ duration, firstMonth, endedAt, bills }: RedemptionRow): Standing => ({
  duration,
  firstMonth,
  isEnded: endedAt !== null,
  appliedMonths: bills.filter(({ isVoid }) => !isVoid).map(({ month }) => month),
});

function heldOf(
  ctx: Ctx,
  row: RedemptionRow,
): Omit<Redemption, 'organizationId' | 'organization' | 'endedAt' | 'bills'> {
  const standing = standingOf(row);
  return {
    id: row.id,
    subscription: row.subscription,
    redeemedAt: row.redeemedAt,
    firstMonth: row.firstMonth,
    lastMonth: lastMonthOf(standing),
    state: redemptionState(standing, monthOf(ctx.now, row.timeZone)),
    saved: [...row.saved],
  };
}

/** A redemption as Admins see it. */
export const redemptionView = (ctx: Ctx, row: RedemptionRow): Redemption => ({
  ...heldOf(ctx, row),
  organizationId: row.organizationId,
  organization: row.organization,
  endedAt: row.endedAt,
  bills: row.bills,
});

/** Describes terms in the language of the request. */
export const termsText = (ctx: Ctx, terms: Terms): string =>
  termsInWords(terms, ctx.language, (key, params) => ctx.text(key, params)).full;

/** An organization's discounts as it sees them. */
export async function ownViews(ctx: Ctx, rows: readonly RedemptionRow[]): Promise<OwnDiscount[]> {
  const termsOf = await shownTerms(ctx, rows);
  return rows.map((row) => {
    const terms = termsOf(row);
    return { ...heldOf(ctx, row), ...terms, terms: termsText(ctx, terms) };
  });
}
