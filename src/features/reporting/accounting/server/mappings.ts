// The mapping of ledger accounts to the accounting program, and further settings for its files.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { trimDecimal } from '#kernel/decimal.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { setting, storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { accountKinds } from '#features/invoicing/ledger/contract.ts';
import { AccountingSettings, accountingErrors, type accounting, type Mapping } from '../contract.ts';
import { allMappings, deleteMapping, putMapping, serviceName, splits, toMapping } from './store.ts';

/** Further settings for the files. */
export const accountingSettings = setting<AccountingSettings>('accounting.settings', AccountingSettings, {
  xeroTaxRate: 'Tax Exempt',
  xeroTracking: '',
  voucherType: '',
});

export async function listMappings(ctx: Ctx): Promise<Out<typeof accounting.listMappings>> {
  const rows = await allMappings(ctx);
  const { accounts, taxRates, services } = await splits(ctx);
  const used = new Set(accounts.map(({ kind }) => kind));
  const whole = new Set(
    rows
      .filter(
        ({ currency, taxRate, serviceId }) => currency === null && taxRate === null && serviceId === null,
      )
      .map(({ accountKind }) => accountKind),
  );
  return {
    items: rows.map(toMapping),
    unmapped: accountKinds.filter((kind) => used.has(kind) && !whole.has(kind)),
    currencies: [...new Set(accounts.map(({ currency }) => currency))].toSorted(),
    taxRates,
    services,
  };
}

/**
 * Stores a mapping. Throws for a tax rate on any account but tax, and for a service on any account but
 * revenue or an unknown service.
 */
export async function saveMapping(ctx: Ctx, input: In<typeof accounting.saveMapping>): Promise<Mapping> {
  const { accountKind, currency, serviceId, code, name, department, taxName } = input;
  if (input.taxRate !== null && accountKind !== 'tax')
    throw domainError(accountingErrors, 'accounting.only_tax_has_rates', {}, ['taxRate']);
  if (serviceId !== null && accountKind !== 'revenue')
    throw domainError(accountingErrors, 'accounting.only_revenue_has_services', {}, ['serviceId']);
  if (serviceId !== null && (await serviceName(ctx, serviceId)) === undefined)
    throw domainError(accountingErrors, 'accounting.service_not_found', {}, ['serviceId']);
  const taxRate = input.taxRate === null ? null : trimDecimal(input.taxRate);
  const rule = { accountKind, currency, taxRate, serviceId, code, name, department, taxName };
  const id = await putMapping(ctx, rule, person(ctx).userId);
  ctx.audit('accounting.saveMapping', id, rule);
  ctx.publish('system/billing', { kind: 'accounting' });
  return toMapping(
    required(
      (await allMappings(ctx)).find((row) => row.id === id),
      'the mapping that was saved',
    ),
  );
}

export async function removeMapping(
  ctx: Ctx,
  { mappingId }: In<typeof accounting.removeMapping>,
): Promise<null> {
  const removed = await deleteMapping(ctx, mappingId);
  if (!removed) throw domainError(accountingErrors, 'accounting.mapping_not_found');
  ctx.audit('accounting.removeMapping', mappingId, { ...removed });
  ctx.publish('system/billing', { kind: 'accounting' });
  return null;
}

export async function getAccountingSettings(ctx: Ctx): Promise<AccountingSettings> {
  return ctx.setting(accountingSettings);
}

export async function saveAccountingSettings(
  ctx: Ctx,
  after: In<typeof accounting.saveAccountingSettings>,
): Promise<AccountingSettings> {
  const before = await ctx.setting(accountingSettings);
  await storeSetting(ctx.db, accountingSettings, after, ctx.now, person(ctx).userId);
  ctx.audit('accounting.saveAccountingSettings', undefined, { before, after });
  ctx.publish('system/billing', { kind: 'accounting' });
  return after;
}
