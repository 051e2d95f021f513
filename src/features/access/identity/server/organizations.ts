// The caller's organization, and all organizations for an Admin.
import type { In } from '#kernel/contract.ts';
import { ValidationError, domainError, type FieldError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import { isTimeZone } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { identityErrors, type identity, type Organization } from '../contract.ts';
import { isTaxId } from '../rules.ts';
import { organizationById, pageOfOrganizations, updateOrganizationRow } from './store.ts';

/** The actor's organization. */
export async function organization(ctx: Ctx): Promise<Organization> {
  const found = await organizationById(ctx.db, tenant(ctx));
  if (!found) throw domainError(identityErrors, 'identity.organization_not_found');
  return found;
}

/** Field errors: a tax id's checksum, a time zone that does not exist. */
function problemsOf({ taxId, timeZone }: In<typeof identity.updateOrganization>): FieldError[] {
  return [
    ...(taxId !== undefined && taxId !== '' && !isTaxId(taxId)
      ? [{ field: 'taxId', code: 'identity.tax_id_invalid' }]
      : []),
    ...(timeZone !== undefined && !isTimeZone(timeZone)
      ? [{ field: 'timeZone', code: 'identity.time_zone_unknown' }]
      : []),
  ];
}

/** Changes the caller's organization. */
export async function updateOrganization(
  ctx: Ctx,
  input: In<typeof identity.updateOrganization>,
): Promise<Organization> {
  return changeOrganization(ctx, await organization(ctx), input, 'identity.updateOrganization');
}

/** Changes an organization; the audit log gets the old value of each changed field. */
async function changeOrganization(
  ctx: Ctx,
  before: Organization,
  input: Omit<In<typeof identity.adminUpdateOrganization>, 'organizationId'>,
  action: string,
): Promise<Organization> {
  const problems = problemsOf(input);
  if (problems.length > 0) throw new ValidationError(problems);
  await updateOrganizationRow(ctx, before.id, {
    ...given('name', input.name),
    ...given('tax_id', input.taxId),
    ...given('tax_status', input.taxStatus),
    ...given('billing_email', input.billingEmail),
    ...given('billing_address', input.billingAddress),
    ...given('purchase_order', input.purchaseOrder),
    ...given('billing_reference', input.billingReference),
    ...given('time_zone', input.timeZone),
    ...given('language', input.language),
  });
  const after = await adminOrganization(ctx, { organizationId: before.id });
  const changed = (Object.keys(input) as (keyof typeof input)[]).filter(
    (field) => before[field] !== after[field],
  );
  const only = (of: Organization): object => Object.fromEntries(changed.map((field) => [field, of[field]]));
  ctx.audit(action, before.id, { before: only(before), after: only(after) });
  return after;
}

const given = <K extends string, V>(column: K, value: V | undefined): Partial<Record<K, V>> =>
  value === undefined ? {} : ({ [column]: value } as Record<K, V>);

export async function listOrganizations(
  ctx: Ctx,
  input: In<typeof identity.listOrganizations>,
): Promise<Page<Organization>> {
  return pageOfOrganizations(ctx, input);
}

/** Any organization, for an Admin. */
export async function adminOrganization(
  ctx: Ctx,
  { organizationId }: In<typeof identity.adminOrganization>,
): Promise<Organization> {
  const found = await organizationById(ctx.db, organizationId);
  if (!found) throw domainError(identityErrors, 'identity.organization_not_found');
  return found;
}

/** Changes any organization, and how it is taxed from its next bill on. */
export async function adminUpdateOrganization(
  ctx: Ctx,
  { organizationId, ...input }: In<typeof identity.adminUpdateOrganization>,
): Promise<Organization> {
  return changeOrganization(
    ctx,
    await adminOrganization(ctx, { organizationId }),
    input,
    'identity.adminUpdateOrganization',
  );
}
