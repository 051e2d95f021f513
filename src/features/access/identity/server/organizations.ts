// The caller's organization; for an Admin, all organizations.
import type { In } from '#kernel/contract.ts';
import { ValidationError, domainError, type FieldError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import { isTimeZone } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { identityErrors, type identity, type Organization } from '../contract.ts';
import { isCountry } from '#kernel/countries.ts';
import { isTaxId } from '../rules.ts';
import { isElectronicAddress, tidyVatId, vatIdExample, vatIdIssue } from '#kernel/vat-ids.ts';
import { organizationById, pageOfOrganizations, updateOrganizationRow } from './store.ts';

/** The actor's organization. */
export async function organization(ctx: Ctx): Promise<Organization> {
  const found = await organizationById(ctx.db, tenant(ctx));
  if (!found) throw domainError(identityErrors, 'identity.organization_not_found');
  return found;
}

type Changes = Omit<In<typeof identity.adminUpdateOrganization>, 'organizationId'>;

/**
 * Field errors: a tax id's checksum, a VAT id that does not fit the country or format, an unknown time zone.
 */
export function problemsOf(before: Organization, changes: Changes): FieldError[] {
  const { taxId, timeZone, electronicAddress } = changes;
  return [
    ...vatProblems(before, changes),
    ...(electronicAddress !== undefined && electronicAddress !== '' && !isElectronicAddress(electronicAddress)
      ? [{ field: 'electronicAddress', code: 'identity.electronic_address_invalid' }]
      : []),
    ...(taxId !== undefined && taxId !== '' && !isTaxId(taxId)
      ? [{ field: 'taxId', code: 'identity.tax_id_invalid' }]
      : []),
    ...(timeZone !== undefined && !isTimeZone(timeZone)
      ? [{ field: 'timeZone', code: 'identity.time_zone_unknown' }]
      : []),
  ];
}

/** A VAT id must belong to the organization's country, even if only the country changes. */
function vatProblems(before: Organization, changes: Changes): FieldError[] {
  const { country = before.country, vatId = before.vatId } = changes;
  if (country !== '' && !isCountry(country)) return [{ field: 'country', code: 'identity.country_unknown' }];
  if (vatId === '' || (changes.country === undefined && changes.vatId === undefined)) return [];
  const issue = vatIdIssue(vatId, country);
  // used as: 'identity.vat_id_*'
  return issue === undefined
    ? []
    : [
        {
          field: 'vatId',
          code: `identity.vat_id_${issue}`,
          params: { example: vatIdExample(country || 'DE') },
        },
      ];
}

/** Changes the caller's organization. */
export async function updateOrganization(
  ctx: Ctx,
  input: In<typeof identity.updateOrganization>,
): Promise<Organization> {
  return changeOrganization(ctx, await organization(ctx), input, 'identity.updateOrganization');
}

/** Emitted before an organization gets another time zone, in the transaction that changes it. */
export const timeZoneChanging = domainEvent<{
  readonly organization: Organization;
  readonly timeZone: string;
}>('identity.timeZoneChanging');

/** Changes an organization; the audit log records the old value of each changed field. */
export async function changeOrganization(
  ctx: Ctx,
  before: Organization,
  asked: Changes,
  action: string,
): Promise<Organization> {
  const input = asked.vatId === undefined ? asked : { ...asked, vatId: tidyVatId(asked.vatId) };
  const problems = problemsOf(before, input);
  if (problems.length > 0) throw new ValidationError(problems);
  const { timeZone } = input;
  if (timeZone !== undefined && timeZone !== before.timeZone)
    await ctx.emit(timeZoneChanging, { organization: before, timeZone });
  await updateOrganizationRow(ctx, before.id, {
    ...given('name', input.name),
    ...given('tax_id', input.taxId),
    ...given('tax_status', input.taxStatus),
    ...given('billing_email', input.billingEmail),
    ...given('billing_address', input.billingAddress),
    ...given('purchase_order', input.purchaseOrder),
    ...given('billing_reference', input.billingReference),
    ...given('country', input.country),
    ...given('vat_id', input.vatId),
    ...given('electronic_address', input.electronicAddress),
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

/** Changes any organization, including how it is taxed from its next bill on. */
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
