// Cost sources for Admins: create, change and delete them, set rates, and sell a period again. Every change
// is written to the audit log, without keys.
import type { In, Out } from '#kernel/contract.ts';
import { decimal } from '#kernel/decimal.ts';
import { domainError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { payingSubscription, type PayingUse } from '#features/metering/connectors/server/index.ts';
import {
  costImportsErrors,
  maxRules,
  maxSources,
  type AssignRule,
  type costImports,
  type CostSource,
  type Place,
  type Selling,
} from '../contract.ts';
import { repeatedMarkUp } from '../rules-sell.ts';
import { assertPlace, sealedKey } from './place.ts';
import { sellPeriod } from './sell.ts';
import {
  askPull,
  changeSource,
  countSources,
  deleteSourceRow,
  hasSold,
  insertSource,
  organizationsByIds,
  lockSource,
  pageOfSources,
  payersByIds,
  sourceById,
  storeRate,
  type SourceRow,
} from './store.ts';
import { periodsOf, type PeriodRow } from './store-imports.ts';
import { sourceViews } from './views.ts';

export async function listCostSources(
  ctx: Ctx,
  input: In<typeof costImports.listCostSources>,
): Promise<Page<CostSource>> {
  const page = await pageOfSources(ctx, input);
  return { ...page, items: await sourceViews(ctx, page.items) };
}

/** @throws DomainError `costs.not_found` */
export async function getCostSource(
  ctx: Ctx,
  { sourceId }: In<typeof costImports.getCostSource>,
): Promise<CostSource> {
  const row = await sourceById(ctx, sourceId);
  const [view] = row ? await sourceViews(ctx, [row]) : [];
  if (!view) throw domainError(costImportsErrors, 'costs.not_found');
  return view;
}

/** Returns one source, locked. @throws DomainError `costs.not_found` */
export async function lockedSource(ctx: Ctx, sourceId: string): Promise<SourceRow> {
  const row = await lockSource(ctx, sourceId);
  if (!row) throw domainError(costImportsErrors, 'costs.not_found');
  return row;
}

/** Checks that rules name existing subscriptions and are distinct; errors name their field. */
export async function assertTerms(
  ctx: Ctx,
  rules: readonly AssignRule[],
  { markUps }: Selling,
): Promise<void> {
  const untagged = rules.findIndex(({ field, tag }) => field === 'tag' && tag === '');
  if (untagged !== -1)
    throw domainError(costImportsErrors, 'costs.tag_needed', {}, [`rules.${untagged}.tag`]);
  for (const [place, { percent, service, minimumFee }] of markUps.entries()) {
    if (decimal(percent).lt('-100'))
      throw domainError(costImportsErrors, 'costs.percent_too_low', {}, [`selling.markUps.${place}.percent`]);
    if (service !== '' && minimumFee !== null)
      throw domainError(costImportsErrors, 'costs.minimum_of_service', {}, [
        `selling.markUps.${place}.minimumFee`,
      ]);
  }
  const twice = repeatedMarkUp(markUps);
  if (twice !== undefined)
    throw domainError(costImportsErrors, 'costs.same_mark_up', {}, [`selling.markUps.${twice}.percent`]);
  const named = [
    ...rules.map(({ subscriptionId }, place) => ({
      id: subscriptionId,
      field: `rules.${place}.subscriptionId`,
    })),
    ...markUps.map(({ subscriptionId }, place) => ({
      id: subscriptionId,
      field: `selling.markUps.${place}.subscriptionId`,
    })),
  ];
  const known = await payersByIds(
    ctx,
    named.flatMap(({ id }) => id ?? []),
  );
  const unknown = named.find(({ id }) => id !== null && !known.has(id));
  if (unknown) throw domainError(costImportsErrors, 'costs.subscription_unknown', {}, [unknown.field]);
  const organizations = new Set<string>(
    (
      await organizationsByIds(
        ctx,
        markUps.flatMap(({ organizationId }) => organizationId ?? []),
      )
    ).map(({ id }) => id),
  );
  const stranger = markUps.findIndex(
    ({ organizationId }) => organizationId !== null && !organizations.has(organizationId),
  );
  if (stranger !== -1)
    throw domainError(costImportsErrors, 'costs.organization_unknown', {}, [
      `selling.markUps.${stranger}.organizationId`,
    ]);
}

/**
 * Returns the sealed secret key of a location: the submitted one, or the stored one if bucket and access key
 * are unchanged.
 */
function secretFor(
  ctx: Ctx,
  sourceId: string,
  place: Place,
  sent: string | undefined,
  before?: Pick<SourceRow, 'place' | 'secret'>,
): Buffer | null {
  if (place.kind !== 'bucket' || place.accessKeyId === null) return null;
  if (sent !== undefined) return sealedKey(ctx.app, sourceId, sent);
  // A key is meant for one server and one user; elsewhere it would be disclosed to a different server.
  const isSame =
    before?.place.kind === 'bucket' &&
    before.place.endpoint === place.endpoint &&
    before.place.region === place.region &&
    before.place.bucket === place.bucket &&
    before.place.accessKeyId === place.accessKeyId;
  if (isSame && before.secret) return before.secret;
  throw domainError(costImportsErrors, 'costs.secret_needed', {}, ['secretAccessKey']);
}

export async function createCostSource(
  ctx: Ctx,
  { secretAccessKey, ...input }: In<typeof costImports.createCostSource>,
): Promise<CostSource> {
  assertPlace(ctx, input.place);
  await assertTerms(ctx, input.rules, input.selling);
  await lockUntilEnd(ctx, 'cost_sources');
  if ((await countSources(ctx)) >= maxSources)
    throw domainError(costImportsErrors, 'costs.too_many', { most: maxSources });
  const sourceId = ctx.newId('csr');
  await insertSource(ctx, {
    ...input,
    assumedCurrency: input.assumedCurrency ?? null,
    id: sourceId,
    secret: secretFor(ctx, sourceId, input.place, secretAccessKey),
    nextPullAt: input.place.kind === 'upload' ? null : ctx.now,
  });
  ctx.audit('costs.createCostSource', sourceId, input);
  ctx.publish('system/costs', { kind: 'sources' });
  return getCostSource(ctx, { sourceId });
}

export async function updateCostSource(
  ctx: Ctx,
  { sourceId, version, secretAccessKey, ...change }: In<typeof costImports.updateCostSource>,
): Promise<CostSource> {
  const before = await lockedSource(ctx, sourceId);
  if (version !== before.version)
    throw domainError(costImportsErrors, 'costs.changed_meanwhile', { name: before.name });
  const after = {
    name: change.name ?? before.name,
    place: change.place ?? before.place,
    assumedCurrency: change.assumedCurrency === undefined ? before.assumedCurrency : change.assumedCurrency,
    rules: change.rules ?? before.rules,
    selling: change.selling ?? before.selling,
    isPaused: change.isPaused ?? before.isPaused,
  };
  if (after.place.kind !== before.place.kind)
    throw domainError(costImportsErrors, 'costs.place_fixed', {}, ['place']);
  if (change.place) assertPlace(ctx, change.place);
  if (change.rules || change.selling) await assertTerms(ctx, after.rules, after.selling);
  const hasNewTerms =
    JSON.stringify([after.rules, after.selling]) !== JSON.stringify([before.rules, before.selling]);
  await changeSource(ctx, sourceId, {
    ...after,
    secret: secretFor(ctx, sourceId, after.place, secretAccessKey, before),
    nextPullAt: after.place.kind === 'upload' ? null : ctx.now,
    hasNewTerms,
  });
  ctx.audit('costs.updateCostSource', sourceId, {
    before: {
      name: before.name,
      place: before.place,
      assumedCurrency: before.assumedCurrency,
      rules: before.rules,
      selling: before.selling,
    },
    after: change,
    isKeyChanged: secretAccessKey !== undefined,
  });
  ctx.publish('system/costs', { kind: 'sources' });
  return getCostSource(ctx, { sourceId });
}

/**
 * Assigns unassigned cost to a payer by a rule appended to the existing ones. A rule for the same value is
 * replaced: cost that it does not match, because its subscription is gone, would otherwise never reach a
 * later rule.
 */
export const assignCostWith =
  (use: PayingUse) =>
  async (ctx: Ctx, { sourceId, by, to }: In<typeof costImports.assignCost>): Promise<CostSource> => {
    const before = await lockedSource(ctx, sourceId);
    const others = before.rules.filter(
      ({ field, tag, value }) => field !== by.field || tag !== by.tag || value !== by.value,
    );
    if (others.length >= maxRules)
      throw domainError(costImportsErrors, 'costs.too_many_rules', { most: maxRules });
    if (by.field === 'tag' && by.tag === '')
      throw domainError(costImportsErrors, 'costs.tag_needed', {}, ['by.tag']);
    const subscriptionId = to.kind === 'nobody' ? null : await payingSubscription(ctx, to, use);
    const { name, place, assumedCurrency, selling, isPaused, secret } = before;
    await changeSource(ctx, sourceId, {
      name,
      place,
      assumedCurrency,
      selling,
      isPaused,
      secret,
      rules: [...others, { ...by, subscriptionId }],
      nextPullAt: place.kind === 'upload' ? null : ctx.now,
      hasNewTerms: true,
    });
    ctx.audit('costs.assignCost', sourceId, { name, by, subscriptionId, isNew: to.kind === 'new' });
    ctx.publish('system/costs', { kind: 'sources' });
    return getCostSource(ctx, { sourceId });
  };

/** Deletes a source from which nothing was sold. Sold amounts need their cost for comparison. */
export async function deleteCostSource(
  ctx: Ctx,
  { sourceId }: In<typeof costImports.deleteCostSource>,
): Promise<null> {
  const { name } = await lockedSource(ctx, sourceId);
  if (await hasSold(ctx, sourceId)) throw domainError(costImportsErrors, 'costs.was_sold', { name });
  await deleteSourceRow(ctx, sourceId);
  ctx.audit('costs.deleteCostSource', sourceId, { name });
  ctx.publish('system/costs', { kind: 'sources' });
  return null;
}

export async function pullCostSource(
  ctx: Ctx,
  { sourceId }: In<typeof costImports.pullCostSource>,
): Promise<CostSource> {
  const { place, isPaused, name } = await lockedSource(ctx, sourceId);
  if (place.kind === 'upload' || isPaused) throw domainError(costImportsErrors, 'costs.no_pull', { name });
  await askPull(ctx, sourceId);
  ctx.audit('costs.pullCostSource', sourceId);
  return getCostSource(ctx, { sourceId });
}

/** @throws DomainError `costs.period_unknown` */
async function knownPeriod(ctx: Ctx, sourceId: string, periodStart: string): Promise<PeriodRow> {
  const found = (await periodsOf(ctx, [sourceId])).find((period) => period.periodStart === periodStart);
  if (!found) throw domainError(costImportsErrors, 'costs.period_unknown');
  return found;
}

export async function sellCostPeriod(
  ctx: Ctx,
  { sourceId, periodStart }: In<typeof costImports.sellCostPeriod>,
): Promise<CostSource> {
  const source = await lockedSource(ctx, sourceId);
  await sellPeriod(ctx, source, await knownPeriod(ctx, sourceId, periodStart));
  ctx.audit('costs.sellCostPeriod', sourceId, { periodStart });
  ctx.publish('system/costs', { kind: 'sources' });
  return getCostSource(ctx, { sourceId });
}

/** Sets a rate; imported data of the period is sold with it on request. */
export async function setCostRate(
  ctx: Ctx,
  { sourceId, ...rate }: In<typeof costImports.setCostRate>,
): Promise<Out<typeof costImports.setCostRate>> {
  await lockedSource(ctx, sourceId);
  if (!decimal(rate.rate).gt('0')) throw domainError(costImportsErrors, 'costs.rate_zero', {}, ['rate']);
  if (rate.from === rate.to) throw domainError(costImportsErrors, 'costs.same_currency', {}, ['to']);
  await storeRate(ctx, sourceId, rate);
  ctx.audit('costs.setCostRate', sourceId, rate);
  ctx.publish('system/costs', { kind: 'sources' });
  return getCostSource(ctx, { sourceId });
}
