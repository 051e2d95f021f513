// Imports for Admins: upload, preview, apply, cancel, and read again.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { LocalDay, Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { idMaker, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { costImportsErrors, type CostImport, type costImports, type Preview } from '../contract.ts';
import { costText, costUnits } from '../rules-exact.ts';
import { soldText } from '../rules-sell.ts';
import { openAccounts } from '../rules-unassigned.ts';
import { unitsOf } from '#kernel/decimal.ts';
import { applyTo } from './apply.ts';
import { digestOf, uploadName } from './import-files.ts';
import { salesOf, Sums, type Sale, type Sales } from './sales.ts';
import { assertTerms, lockedSource } from './sources.ts';
import { sourceById } from './store.ts';
import {
  endImport,
  importById,
  importOfDigest,
  insertImport,
  lockImport,
  pageOfImports,
  periodsIn,
  periodsOf,
  readAgain,
  type ImportRow,
} from './store-imports.ts';
import { importView, payerView, reasonText } from './views.ts';

const listedAccounts = 100;
const listedScopes = 20;
const soldScale = 12;

export async function listCostImports(
  ctx: Ctx,
  { sourceId, ...input }: In<typeof costImports.listCostImports>,
): Promise<Page<CostImport>> {
  if (!(await sourceById(ctx, sourceId))) throw domainError(costImportsErrors, 'costs.not_found');
  const page = await pageOfImports(ctx, sourceId, input);
  return { ...page, items: page.items.map((row) => importView(ctx, row)) };
}

async function viewOf(ctx: Ctx, importId: string): Promise<CostImport> {
  const row = await importById(ctx, importId);
  if (!row) throw domainError(costImportsErrors, 'costs.import_not_found');
  return importView(ctx, row);
}

/**
 * Stores an uploaded file and queues it for reading. Uploading the same content again returns the existing
 * import and adds nothing. The file is stored before the transaction that references it; unreferenced files
 * are removed at night.
 */
export async function uploadCostFile(
  ctx: Ctx,
  { sourceId, name }: In<typeof costImports.uploadCostFile>,
  reply: Reply,
): Promise<Out<typeof costImports.uploadCostFile>> {
  const content = reply.raw?.bytes;
  if (!content || content.length === 0) throw domainError(costImportsErrors, 'costs.is_empty');
  const { app, actor, language, requestId } = ctx;
  const importId = idMaker(app.clock.now())('cim');
  const digest = digestOf(content);
  const only = async function* (): AsyncGenerator<Uint8Array, void, void> {
    yield content;
  };
  await app.files.write(uploadName(importId), only());
  return unitOfWork(app, { actor, language, requestId }, async (unit) => {
    const { place, assumedCurrency } = await lockedSource(unit, sourceId);
    if (place.kind !== 'upload') throw domainError(costImportsErrors, 'costs.not_found');
    const same = await importOfDigest(unit, sourceId, digest, assumedCurrency, false);
    if (same) return viewOf(unit, same);
    await insertImport(unit, {
      id: importId,
      sourceId,
      name,
      digest,
      files: null,
      bytes: content.length,
    });
    unit.audit('costs.uploadCostFile', importId, { name, bytes: content.length });
    unit.publish('system/costs', { kind: 'imports' });
    return viewOf(unit, importId);
  });
}

/** Returns an import, locking its source first, like every other writer of both. */
async function lockedImport(ctx: Ctx, importId: string) {
  const found = await importById(ctx, importId);
  if (!found) throw domainError(costImportsErrors, 'costs.import_not_found');
  const source = await lockedSource(ctx, found.sourceId);
  const row = await lockImport(ctx, importId);
  if (!row) throw domainError(costImportsErrors, 'costs.import_not_found');
  return { source, row };
}

export async function applyCostImport(
  ctx: Ctx,
  { importId }: In<typeof costImports.applyCostImport>,
): Promise<CostImport> {
  const { source, row } = await lockedImport(ctx, importId);
  // Applying twice has no further effect.
  if (row.state === 'applied') return viewOf(ctx, importId);
  if (row.state !== 'ready') throw domainError(costImportsErrors, 'costs.not_ready', { name: row.name });
  await applyTo(ctx, source, row);
  ctx.audit('costs.applyCostImport', importId, { name: row.name });
  return viewOf(ctx, importId);
}

const cancellable: readonly ImportRow['state'][] = ['waiting', 'reading', 'ready'];
export async function cancelCostImport(
  ctx: Ctx,
  { importId }: In<typeof costImports.cancelCostImport>,
): Promise<CostImport> {
  const { row } = await lockedImport(ctx, importId);
  if (!cancellable.includes(row.state))
    throw domainError(costImportsErrors, 'costs.not_cancellable', { name: row.name });
  await endImport(ctx, importId, 'cancelled');
  ctx.audit('costs.cancelCostImport', importId, { name: row.name });
  ctx.publish('system/costs', { kind: 'imports' });
  return viewOf(ctx, importId);
}

const repeatable: readonly ImportRow['state'][] = ['failed', 'cancelled', 'reading'];
export async function retryCostImport(
  ctx: Ctx,
  { importId }: In<typeof costImports.retryCostImport>,
): Promise<CostImport> {
  const { row } = await lockedImport(ctx, importId);
  if (!repeatable.includes(row.state))
    throw domainError(costImportsErrors, 'costs.not_repeatable', { name: row.name });
  await readAgain(ctx, importId);
  ctx.audit('costs.retryCostImport', importId, { name: row.name });
  ctx.publish('system/costs', { kind: 'imports' });
  return viewOf(ctx, importId);
}

/** Previews rules and mark-ups on a file or on the applied data. */
export async function previewCosts(ctx: Ctx, input: In<typeof costImports.previewCosts>): Promise<Preview> {
  const source = await sourceById(ctx, input.sourceId);
  if (!source) throw domainError(costImportsErrors, 'costs.not_found');
  const { rules = source.rules, selling = source.selling } = input;
  if (input.rules || input.selling) await assertTerms(ctx, rules, selling);
  const targets = await previewedPeriods(ctx, input);
  const perRule = rules.map(() => new Sums());
  const periods: Preview['periods'] = [];
  for (const { importId, periodStart } of targets) {
    const sales = await salesOf(ctx, { sourceId: source.id, rules, selling }, importId, periodStart);
    for (const [place, amounts] of sales.perRule.entries())
      for (const { amount, currency } of amounts) perRule[place]?.add(currency, costUnits(amount) ?? 0n);
    periods.push(periodPreview(ctx, periodStart, sales));
  }
  return { periods, perRule: perRule.map((sums) => sums.amounts()) };
}

async function previewedPeriods(
  ctx: Ctx,
  { sourceId, importId }: In<typeof costImports.previewCosts>,
): Promise<{ readonly importId: string; readonly periodStart: string }[]> {
  if (importId === undefined) return (await periodsOf(ctx, [sourceId])).slice(0, 3);
  const row = await importById(ctx, importId);
  if (row?.sourceId !== sourceId) throw domainError(costImportsErrors, 'costs.import_not_found');
  if (row.state !== 'ready' && row.state !== 'applied')
    throw domainError(costImportsErrors, 'costs.not_ready', { name: row.name });
  return (await periodsIn(ctx, importId)).map(({ periodStart }) => ({ importId, periodStart }));
}

function periodPreview(
  ctx: Ctx,
  periodStart: string,
  { totals, sales, payers, unassigned }: Sales,
): Preview['periods'][number] {
  const accounts = openAccounts(unassigned);
  const bySubscription = Map.groupBy(sales, ({ subscriptionId }) => subscriptionId);
  return {
    periodStart: periodStart as LocalDay,
    ...totals,
    subscriptions: [...bySubscription].flatMap(([id, own]) => {
      const payer = payers.get(id);
      return payer ? [{ subscription: payerView(payer), ...soldPreview(ctx, own) }] : [];
    }),
    unassignedAccounts: accounts.slice(0, listedAccounts).map(({ sums, parts, ...account }) => ({
      ...account,
      cost: [...sums].map(([currency, cost]) => ({ amount: costText(cost), currency })),
      scopes: parts.slice(0, listedScopes).map(({ scope, currency, cost }) => ({
        provider: scope.provider,
        account: scope.account,
        subAccount: scope.subAccount,
        subAccountName: scope.subAccountName,
        resourceGroup: scope.resourceGroup,
        tags: scope.tags,
        amount: costText(cost),
        currency,
      })),
      scopeCount: parts.length,
    })),
    unassignedCount: accounts.length,
  };
}

function soldPreview(ctx: Ctx, own: readonly Sale[]) {
  const cost = new Sums();
  for (const sale of own) cost.add(sale.costCurrency, costUnits(sale.cost) ?? 0n);
  const [first] = own;
  const reason = own.find((sale) => sale.reason !== null)?.reason ?? null;
  const sold = own.reduce((sum, sale) => sum + (sale.sold === null ? 0n : unitsOf(sale.sold, soldScale)), 0n);
  return {
    cost: cost.amounts(),
    sold:
      first && own.some((sale) => sale.sold !== null)
        ? { amount: soldText(sold), currency: first.soldCurrency }
        : null,
    message: reason === null ? null : reasonText(ctx, reason),
    services: new Set(own.map(({ service }) => service)).size,
  };
}
