// The own organization and its people, and all organizations for an Admin.
import type { In, Out } from '#kernel/contract.ts';
import { refuse } from '#kernel/refusal.ts';
import type { Page } from '#kernel/shape.ts';
import { isTimeZone } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/ctx.ts';
import { identityErrors, type identity, type Organization } from '../contract.ts';
import { isTaxId } from '../rules.ts';
import { membersOf, organizationById, pageOfOrganizations, updateOrganizationRow } from './store.ts';

/** The actor's organization. */
export async function organization(ctx: Ctx): Promise<Organization> {
  const found = await organizationById(ctx.db, tenant(ctx));
  if (!found) throw refuse(identityErrors, 'identity.organization_not_found');
  return found;
}

/** Changes the own organization. A tax id is checked by its checksum. */
export async function updateOrganization(ctx: Ctx, input: In<typeof identity.updateOrganization>): Promise<Organization> {
  if (input.taxId !== undefined && input.taxId !== '' && !isTaxId(input.taxId)) throw refuse(identityErrors, 'identity.tax_id_invalid');
  if (input.timeZone !== undefined && !isTimeZone(input.timeZone)) throw refuse(identityErrors, 'identity.time_zone_unknown');
  const change = { name: input.name, tax_id: input.taxId, billing_email: input.billingEmail, billing_address: input.billingAddress, time_zone: input.timeZone, language: input.language };
  await updateOrganizationRow(ctx, tenant(ctx), Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)));
  return organization(ctx);
}

export async function members(ctx: Ctx): Promise<Out<typeof identity.members>> {
  return { items: await membersOf(ctx, tenant(ctx)) };
}

export async function listOrganizations(ctx: Ctx, input: In<typeof identity.listOrganizations>): Promise<Page<Organization>> {
  return pageOfOrganizations(ctx, input);
}
