// All settings as one form.
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Permission } from '#kernel/permissions.ts';
import { isTimeZone } from '#kernel/time.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  loadSettings,
  settingOf,
  storeSetting,
  type Setting,
} from '#platform/server/unit-of-work/settings.ts';
import { dueDays, graceHours, mainCurrency, seller } from '#features/invoicing/billing/server/index.ts';
import { taxRate } from '#features/invoicing/taxes/server/index.ts';
import { allowAdminSetting, defaultRoleSetting } from '#features/access/federation/server/index.ts';
import { isTaxId } from '#features/access/identity/rules.ts';
import {
  companyPrefix,
  mailLanguage,
  minimumPasswordLength,
  profile,
  requireAdminTwoFactor,
  supportEmail,
  systemName,
  timeZoneSetting,
} from '#features/access/identity/server/index.ts';
import { retentionDays } from '#features/reporting/packs/server/index.ts';
import { criticalPercent, warningPercent } from '#features/metering/quotas/server/index.ts';
import { rejectedEventDays } from '#features/metering/rejections/server/index.ts';
import {
  archiveEvents,
  eventRetentionMonths,
  forgetEventIds,
} from '#features/metering/usage/server/index.ts';
import { offAfterDays } from '#features/messaging/webhooks/server/index.ts';
import { administrationErrors, type administration, type Settings } from '../contract.ts';

const all: { readonly [K in keyof Settings]: Setting<Settings[K]> } = {
  name: systemName,
  companyPrefix,
  supportEmail,
  currency: mainCurrency,
  timeZone: timeZoneSetting,
  language: mailLanguage,
  taxRate,
  dueDays,
  graceHours,
  packKeepDays: retentionDays,
  seller,
  quotaWarningPercent: warningPercent,
  quotaCriticalPercent: criticalPercent,
  rejectedEventDays,
  eventRetentionMonths,
  archiveEvents,
  forgetEventIds,
  webhookOffDays: offAfterDays,
  minimumPasswordLength,
  requireAdminTwoFactor,
  providerAllowsAdmin: allowAdminSetting,
  providerDefaultRole: defaultRoleSetting,
};

/**
 * Settings with an effect in other areas: whoever may change the console's settings needs that area's permission, too.
 */
const permissionsOfSettings: Readonly<Partial<Record<keyof Settings, Permission>>> = {
  currency: 'billing:write',
  taxRate: 'billing:write',
  dueDays: 'billing:write',
  graceHours: 'billing:write',
  seller: 'billing:write',
  eventRetentionMonths: 'usage:write',
  archiveEvents: 'usage:write',
  forgetEventIds: 'usage:write',
  minimumPasswordLength: 'people:write',
  requireAdminTwoFactor: 'people:write',
  providerAllowsAdmin: 'people:write',
  providerDefaultRole: 'people:write',
};

/** The permissions that a change of settings requires: those of the settings that it really changes. */
export async function permissionsToChange(
  app: App,
  change: In<typeof administration.updateSettings>,
): Promise<Permission[]> {
  const stored = await loadSettings(app.database.kysely);
  const isChanged = (key: keyof Settings): boolean =>
    change[key] !== undefined &&
    JSON.stringify(change[key]) !== JSON.stringify(settingOf<unknown>(stored, all[key]));
  const needed = (Object.keys(permissionsOfSettings) as (keyof Settings)[]).flatMap((key) =>
    isChanged(key) ? (permissionsOfSettings[key] ?? []) : [],
  );
  return [...new Set(needed)];
}

/** Returns the current settings. */
export async function getSettings(ctx: Ctx): Promise<Settings> {
  return {
    name: await ctx.setting(all.name),
    companyPrefix: await ctx.setting(all.companyPrefix),
    supportEmail: await ctx.setting(all.supportEmail),
    currency: await ctx.setting(all.currency),
    timeZone: await ctx.setting(all.timeZone),
    language: await ctx.setting(all.language),
    taxRate: await ctx.setting(all.taxRate),
    dueDays: await ctx.setting(all.dueDays),
    graceHours: await ctx.setting(all.graceHours),
    packKeepDays: await ctx.setting(all.packKeepDays),
    seller: await ctx.setting(all.seller),
    quotaWarningPercent: await ctx.setting(all.quotaWarningPercent),
    quotaCriticalPercent: await ctx.setting(all.quotaCriticalPercent),
    rejectedEventDays: await ctx.setting(all.rejectedEventDays),
    eventRetentionMonths: await ctx.setting(all.eventRetentionMonths),
    archiveEvents: await ctx.setting(all.archiveEvents),
    forgetEventIds: await ctx.setting(all.forgetEventIds),
    webhookOffDays: await ctx.setting(all.webhookOffDays),
    minimumPasswordLength: await ctx.setting(all.minimumPasswordLength),
    requireAdminTwoFactor: await ctx.setting(all.requireAdminTwoFactor),
    providerAllowsAdmin: await ctx.setting(all.providerAllowsAdmin),
    providerDefaultRole: await ctx.setting(all.providerDefaultRole),
  };
}

/** Stores the given settings. */
export async function store(ctx: Ctx, change: Partial<Settings>): Promise<void> {
  const by = ctx.actor.kind === 'user' ? ctx.actor.userId : ctx.actor.kind;
  for (const key of Object.keys(change) as (keyof Settings)[]) {
    const value = change[key];
    if (value !== undefined)
      await storeSetting(ctx.db, all[key] as Setting<typeof value>, value, ctx.now, by);
  }
}

/** Changes settings; throws when a warning threshold is above the critical one. */
export async function updateSettings(
  ctx: Ctx,
  input: In<typeof administration.updateSettings>,
): Promise<Settings> {
  const before = await getSettings(ctx);
  const after = { ...before, ...input };
  if (!isTimeZone(after.timeZone))
    throw domainError(administrationErrors, 'administration.time_zone_unknown');
  if (after.seller.taxId !== '' && !isTaxId(after.seller.taxId))
    throw domainError(administrationErrors, 'administration.tax_id_invalid', {}, ['seller.taxId']);
  if (after.quotaWarningPercent >= after.quotaCriticalPercent)
    throw domainError(administrationErrors, 'administration.thresholds_crossed');
  // An Admin without a second factor who requires one for all Admins would lock themselves out.
  if (after.requireAdminTwoFactor && !before.requireAdminTwoFactor && !(await profile(ctx)).twoFactor)
    throw domainError(administrationErrors, 'administration.own_factor_first');
  await store(ctx, input);
  const changed = (Object.keys(input) as (keyof Settings)[]).filter(
    (key) => input[key] !== undefined && JSON.stringify(input[key]) !== JSON.stringify(before[key]),
  );
  ctx.audit('administration.updateSettings', undefined, {
    before: Object.fromEntries(changed.map((key) => [key, before[key]])),
    after: Object.fromEntries(changed.map((key) => [key, after[key]])),
  });
  return after;
}
