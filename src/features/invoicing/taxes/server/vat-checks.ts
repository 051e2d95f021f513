// Checks organizations' VAT ids with VIES: on an Admin's request, and by a job for those without a response.
import type { In, Out } from '#kernel/contract.ts';
import { euCountries, isInEu } from '#kernel/countries.ts';
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { dayOf } from '#kernel/time.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import type { Actor, App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { taxesErrors, type taxes, type VatCheck } from '../contract.ts';
import { isViesOn, taxSeller } from './settings.ts';
import { insertCheck, lastCheck, uncheckedOrganizations } from './store.ts';
import { taxationsOf } from './taxations.ts';
import { askVies } from './vies.ts';

/** Checks one organization on an Admin's request, even if automatic checks are off. */
export async function checkVatId(
  ctx: Ctx,
  { organizationId }: In<typeof taxes.checkVatId>,
): Promise<VatCheck> {
  return check(ctx.app, ctx.actor, organizationId);
}

async function check(app: App, actor: Actor, organizationId: Id<'org'>): Promise<VatCheck> {
  const { organization, seller } = await unitOfWork(app, { actor, mode: 'read' }, async (ctx) => ({
    organization: await organizationById(ctx.db, organizationId),
    seller: await ctx.setting(taxSeller),
  }));
  if (!organization) throw domainError(taxesErrors, 'taxes.organization_not_found');
  const { vatId, country } = organization;
  if (vatId === '') throw domainError(taxesErrors, 'taxes.vat_id_missing');
  if (!isInEu(country)) throw domainError(taxesErrors, 'taxes.vat_id_outside_eu');
  const answer = await askVies(app.config.viesApiBase, vatId, isInEu(seller.country) ? seller.vatId : '');
  return unitOfWork(app, { actor }, async (ctx) => {
    const made = await insertCheck(ctx, { organizationId, vatId, ...answer });
    ctx.audit('taxes.checkVatId', organizationId, { vatId, state: made.state, requestId: made.requestId });
    ctx.publish('system/billing', { kind: 'taxes' });
    return made;
  });
}

/** Returns how an organization is taxed today, and the state of its VAT id. */
export async function organizationTax(
  ctx: Ctx,
  { organizationId }: In<typeof taxes.organizationTax>,
): Promise<Out<typeof taxes.organizationTax>> {
  const organization = await organizationById(ctx.db, organizationId);
  if (!organization) throw domainError(taxesErrors, 'taxes.organization_not_found');
  const taxation = await taxationsOf(ctx, [organization], dayOf(ctx.now, organization.timeZone));
  return {
    tax: taxation(organization.id).standard,
    check: (await lastCheck(ctx, organizationId)) ?? null,
    isViesOn: await ctx.setting(isViesOn),
  };
}

// VIES limits concurrent requests.
const mostAtOnce = 50;
const scheduler: Actor = { kind: 'system', name: 'vat-checks' };

/** If VIES checks are on, queries VAT ids without a response. */
export const vatChecksJob: Job = job({
  name: 'taxes.vatChecks',
  schedule: '23 * * * *',
  run: async (app, _payload, signal) => {
    const ids = await unitOfWork(app, { actor: scheduler, mode: 'read' }, async (ctx) =>
      (await ctx.setting(isViesOn)) ? uncheckedOrganizations(ctx, euCountries, mostAtOnce) : [],
    );
    for (const id of ids) {
      if (signal.aborted) return;
      await check(app, scheduler, id);
    }
  },
});
