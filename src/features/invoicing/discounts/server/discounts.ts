// Discounts for Admins: list, create, change and archive them, and set the order in which they reduce bills.
import { inLanguage } from '#kernel/language.ts';
import type { FileAnswer, In, Out } from '#kernel/contract.ts';
import { formatMoney } from '#kernel/format-money.ts';
import { required } from '#kernel/assert.ts';
import { domainError, ValidationError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { LocalDay, Page } from '#kernel/shape.ts';
import { organizationsByIds } from '#features/access/identity/server/index.ts';
import { servicesByIds } from '#features/selling/catalogue/server/index.ts';
import { exportTable } from '#platform/server/files/export.ts';
import { figure } from '#platform/server/files/csv.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { isUniqueViolation } from '#platform/server/unit-of-work/unit-of-work.ts';
import { discountErrors, type Discount, type discounts, type ScopeService } from '../contract.ts';
import {
  audienceMistakes,
  discountState,
  isChargeKeyOf,
  normalizedCode,
  termsInWords,
  termsMistakes,
} from '../rules.ts';
import { stackingOrderSetting } from './settings.ts';
import {
  countDiscounts,
  discountById,
  discountsQuery,
  idOfCode,
  insertDiscount,
  lockDiscount,
  pageOfDiscounts,
  servicesInScopes,
  setArchived,
  toDiscount,
  updateDiscountRow,
  type DiscountRow,
} from './store.ts';
import { discountViews, operatorDay, shownTerms } from './view.ts';

/** Returns one page of all discounts. */
export async function listDiscounts(
  ctx: Ctx,
  input: In<typeof discounts.listDiscounts>,
): Promise<Page<Discount>> {
  const page = await pageOfDiscounts(ctx, input, await operatorDay(ctx));
  return { ...page, items: await discountViews(ctx, page.items) };
}

export async function getDiscount(
  ctx: Ctx,
  { discountId }: In<typeof discounts.getDiscount>,
): Promise<Discount> {
  const row = await discountById(ctx, discountId);
  if (!row) throw domainError(discountErrors, 'discounts.not_found');
  return required((await discountViews(ctx, [row]))[0], 'the view of one discount');
}

/** Creates a discount. Throws for terms that could never reduce a bill, and for a code that is taken. */
export async function createDiscount(
  ctx: Ctx,
  input: In<typeof discounts.createDiscount>,
): Promise<Discount> {
  const { name, reduction, duration, maximum = null, scope = null, audience = 'anyone' } = input;
  const organizationIds = [...new Set(input.organizationIds ?? [])];
  const redeemableUntil = input.redeemableUntil ?? null;
  const code = typeof input.code === 'string' ? normalizedCode(input.code) : null;
  const today = await operatorDay(ctx);
  const mistakes = [
    ...termsMistakes({ reduction, maximum, duration, code }, today),
    ...untilMistakes(redeemableUntil, today),
    ...audienceMistakes(audience, organizationIds),
  ];
  if (mistakes.length > 0) throw new ValidationError(mistakes);
  if (scope) await assertScope(ctx, scope);
  await assertOrganizations(ctx, organizationIds);
  if (code !== null && (await idOfCode(ctx, code)) !== undefined) throw codeTaken(code);
  const discountId = ctx.newId('dsc');
  await unlessCodeTaken(
    code,
    insertDiscount(ctx, {
      id: discountId,
      name,
      reduction,
      maximum,
      duration,
      scope,
      code,
      redeemableUntil,
      maxRedemptions: input.maxRedemptions ?? null,
      maxPerOrganization: input.maxPerOrganization ?? 1,
      audience,
      organizationIds,
      createdBy: person(ctx).userId,
    }),
  );
  ctx.audit('discounts.createDiscount', discountId, { name, ...(code !== null && { code }) });
  return changed(ctx, discountId);
}

/**
 * Changes a discount's name and limits. Throws if another user changed it after the version that this change
 * is based on.
 */
export async function updateDiscount(
  ctx: Ctx,
  input: In<typeof discounts.updateDiscount>,
): Promise<Discount> {
  const before = await requireLocked(ctx, input.discountId);
  if (input.version !== undefined && input.version !== before.version)
    throw domainError(discountErrors, 'discounts.changed_meanwhile');
  const { audience = before.audience, maxRedemptions = before.maxRedemptions } = input;
  const kept = audience === 'named' ? before.organizationIds : [];
  const organizationIds = [...new Set(input.organizationIds ?? kept)];
  const mistakes = audienceMistakes(audience, organizationIds);
  if (mistakes.length > 0) throw new ValidationError(mistakes);
  if (maxRedemptions !== null && maxRedemptions < before.redemptions)
    throw domainError(discountErrors, 'discounts.below_redeemed', { count: before.redemptions }, [
      'maxRedemptions',
    ]);
  await assertOrganizations(ctx, organizationIds);
  const after = {
    name: input.name ?? before.name,
    redeemableUntil: input.redeemableUntil === undefined ? before.redeemableUntil : input.redeemableUntil,
    maxRedemptions,
    maxPerOrganization: input.maxPerOrganization ?? before.maxPerOrganization,
    audience,
    organizationIds,
  };
  await updateDiscountRow(ctx, before.id, after);
  ctx.audit('discounts.updateDiscount', before.id, {
    changed: (Object.keys(after) as (keyof typeof after)[]).filter(
      (field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]),
    ),
  });
  return changed(ctx, before.id);
}

/** Archives a discount, so that it can no longer be granted; archiving it again has no effect. */
export async function archiveDiscount(
  ctx: Ctx,
  { discountId }: In<typeof discounts.archiveDiscount>,
): Promise<Discount> {
  const { isArchived } = await requireLocked(ctx, discountId);
  if (isArchived) return getDiscount(ctx, { discountId });
  await setArchived(ctx, discountId, ctx.now);
  ctx.audit('discounts.archiveDiscount', discountId);
  return changed(ctx, discountId);
}

/** Restores an archived discount. Throws if another discount has its code by now. */
export async function restoreDiscount(
  ctx: Ctx,
  { discountId }: In<typeof discounts.restoreDiscount>,
): Promise<Discount> {
  const { isArchived, code } = await requireLocked(ctx, discountId);
  if (!isArchived) return getDiscount(ctx, { discountId });
  if (code !== null && (await idOfCode(ctx, code)) !== undefined) throw codeTaken(code);
  await unlessCodeTaken(code, setArchived(ctx, discountId, null));
  ctx.audit('discounts.restoreDiscount', discountId);
  return changed(ctx, discountId);
}

export async function discountSettings(ctx: Ctx): Promise<Out<typeof discounts.discountSettings>> {
  return { stackingOrder: await ctx.setting(stackingOrderSetting) };
}

/** Sets the order in which several discounts reduce bills issued from now on. */
export async function saveDiscountSettings(
  ctx: Ctx,
  { stackingOrder }: In<typeof discounts.saveDiscountSettings>,
): Promise<Out<typeof discounts.saveDiscountSettings>> {
  const before = await ctx.setting(stackingOrderSetting);
  if (before !== stackingOrder) {
    await storeSetting(ctx.db, stackingOrderSetting, stackingOrder, ctx.now, person(ctx).userId);
    ctx.audit('discounts.saveDiscountSettings', undefined, {
      before: { stackingOrder: before },
      after: { stackingOrder },
    });
    ctx.publish('system/billing', { kind: 'discount' });
  }
  return { stackingOrder };
}

const exportColumns = [
  'name',
  'code',
  'terms',
  'scope',
  'state',
  'redemptions',
  'limit',
  'saved',
  'redeemable_until',
  'created',
] as const;

/** Exports all discounts that match a filter. */
export async function exportDiscounts(
  ctx: Ctx,
  { format, language = ctx.language, ...filter }: In<typeof discounts.exportDiscounts>,
): Promise<FileAnswer> {
  const today = await operatorDay(ctx);
  // Rows are loaded while the file is sent, so the names of their services are read first.
  const services = await servicesInScopes(ctx, filter, today);
  const termsOf = await shownTerms(ctx, [
    { scope: services.map((serviceId) => ({ serviceId, chargeKeys: null })) },
  ]);
  return exportTable(ctx, {
    format,
    action: 'discounts.exportDiscounts',
    filter,
    title: `${ctx.text('discounts.export_title', {}, language)}-${today}`,
    // used as: 'discounts.column_*'
    header: exportColumns.map((column) => ctx.text(`discounts.column_${column}`, {}, language)),
    total: await countDiscounts(ctx, filter, today),
    query: discountsQuery(filter, today),
    cells: (stored) => {
      const row = toDiscount(stored);
      const { short, scope } = termsInWords(termsOf(row), language, (key, params) =>
        ctx.text(key, params, language),
      );
      return [
        inLanguage(row.name, language),
        row.code ?? '',
        short,
        scope ?? ctx.text('discounts.scope_all', {}, language),
        // used as: 'discounts.state_*'
        ctx.text(`discounts.state_${discountState(row, today)}`, {}, language),
        figure(String(row.redemptions)),
        row.maxRedemptions === null ? '' : figure(String(row.maxRedemptions)),
        row.saved.map((amount) => formatMoney(amount, language)).join(' '),
        row.redeemableUntil ?? '',
        row.createdAt.toISOString(),
      ];
    },
  });
}

async function requireLocked(ctx: Ctx, discountId: Id<'dsc'>): Promise<DiscountRow> {
  await lockDiscount(ctx, discountId);
  const row = await discountById(ctx, discountId);
  if (!row) throw domainError(discountErrors, 'discounts.not_found');
  return row;
}

async function changed(ctx: Ctx, discountId: Id<'dsc'>): Promise<Discount> {
  ctx.publish('system/billing', { kind: 'discount' });
  return getDiscount(ctx, { discountId });
}

const untilMistakes = (until: LocalDay | null, today: LocalDay) =>
  until !== null && until < today
    ? [{ field: 'redeemableUntil', code: 'discounts.until_passed' } as const]
    : [];

const codeTaken = (code: string) => domainError(discountErrors, 'discounts.code_taken', { code }, ['code']);
/** Two Admins may find the same code free concurrently; the database accepts only one of them. */
async function unlessCodeTaken(code: string | null, write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    throw isUniqueViolation(error) && code !== null ? codeTaken(code) : error;
  }
}

/** Throws unless every service exists, is listed once, and has the named charges. */
async function assertScope(ctx: Ctx, scope: readonly ScopeService[]): Promise<void> {
  const services = new Map<string, Awaited<ReturnType<typeof servicesByIds>>[number]>(
    (
      await servicesByIds(
        ctx.db,
        scope.map(({ serviceId }) => serviceId),
        ctx.now,
      )
    ).map((service) => [service.id, service]),
  );
  for (const [index, { serviceId, chargeKeys }] of scope.entries()) {
    const field = `scope.${index}`;
    const service = services.get(serviceId);
    if (!service) throw domainError(discountErrors, 'discounts.service_unknown', {}, [`${field}.serviceId`]);
    if (scope.findIndex((each) => each.serviceId === serviceId) !== index)
      throw domainError(discountErrors, 'discounts.service_repeated', { service: service.name }, [
        `${field}.serviceId`,
      ]);
    const unknown = chargeKeys?.find((key) => !isChargeKeyOf(service.pricing, key));
    if (unknown !== undefined)
      throw domainError(discountErrors, 'discounts.charge_unknown', { service: service.name, key: unknown }, [
        `${field}.chargeKeys`,
      ]);
  }
}

async function assertOrganizations(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0 && (await organizationsByIds(ctx, ids)).length < ids.length)
    throw domainError(discountErrors, 'discounts.organization_unknown', {}, ['organizationIds']);
}
