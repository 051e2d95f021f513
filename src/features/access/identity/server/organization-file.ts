// Organizations as a file in version control: export, plan and apply. A file is applied only if its plan is
// still the one that was shown.
import type { In, Out } from '#kernel/contract.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import {
  canonical,
  fieldChanges,
  filePlan,
  plannedItem,
  type FilePlan,
  type PlannedItem,
} from '#kernel/file-plan.ts';
import { tidyVatId } from '#kernel/vat-ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { tryOut } from '#platform/server/unit-of-work/try-out.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { shortDigest } from '#platform/server/security/digest.ts';
import { identityErrors, type identity, type Organization } from '../contract.ts';
import { maxFileOrganizations, organizationFileVersion, type FileOrganization } from '../contract-file.ts';
import { changeOrganization, problemsOf } from './organizations.ts';
import { mailLanguage, timeZoneSetting } from './settings.ts';
import {
  allOrganizations,
  countOrganizations,
  insertOrganization,
  organizationById,
  organizationsByIdOrRef,
} from './store.ts';

/** An organization as written in a file: empty fields are omitted. */
function entryOf({
  id,
  externalRef,
  createdAt: _at,
  closedAt: _closed,
  ...fields
}: Organization): FileOrganization {
  return {
    ...(externalRef === null ? { id } : { ref: externalRef }),
    ...(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Partial<
      typeof fields
    >),
  };
}

/** Exports organizations as a file, ordered by name. */
export async function exportOrganizations(ctx: Ctx): Promise<Out<typeof identity.exportOrganizations>> {
  const organizations = await allOrganizations(ctx, maxFileOrganizations);
  return { skytallyOrganizations: organizationFileVersion, organizations: organizations.map(entryOf) };
}

/** Plans a file: applies it and rolls back. Throws whatever applying it would throw. */
export function planOrganizations(
  ctx: Ctx,
  { file }: In<typeof identity.planOrganizations>,
): Promise<FilePlan> {
  return tryOut(ctx, (trial) => applyFile(trial, file.organizations, undefined));
}

/**
 * Applies a file according to the plan that was shown; throws when the file or the organizations have changed
 * since.
 */
export function applyOrganizations(
  ctx: Ctx,
  { file, planId }: In<typeof identity.applyOrganizations>,
): Promise<FilePlan> {
  return applyFile(ctx, file.organizations, planId);
}

/**
 * Plans a file and carries the plan out. `planId`: the id of the plan that was shown; undefined while
 * planning, when the caller rolls back.
 */
async function applyFile(
  ctx: Ctx,
  organizations: readonly FileOrganization[],
  planId: string | undefined,
): Promise<FilePlan> {
  // Two files applied at once could otherwise both create the same organization.
  await lockUntilEnd(ctx, 'organization file');
  const { shown, steps } = await planOf(ctx, organizations);
  if (planId !== undefined && shown.planId !== planId)
    throw domainError(identityErrors, 'identity.plan_changed', {}, ['planId']);
  const { created, updated, unchanged } = shown;
  ctx.audit('identity.applyOrganizations', undefined, { planId: shown.planId, created, updated, unchanged });
  for (const step of steps) await applyStep(ctx, step);
  return shown;
}

type Step = {
  readonly fields: Omit<FileOrganization, 'id' | 'ref'>;
  readonly ref: string | undefined;
  readonly existing: Organization | undefined;
  readonly planned: PlannedItem;
};

async function planOf(
  ctx: Ctx,
  entries: readonly FileOrganization[],
): Promise<{ shown: FilePlan; steps: readonly Step[] }> {
  const found = await organizationsByIdOrRef(ctx, entries);
  const fresh = await newOrganization(ctx);
  const named = new Set<string>();
  const steps = entries.map(({ id, ref, ...typed }, index): Step => {
    // Normalized as stored, so that the next plan finds no difference.
    const fields = typed.vatId === undefined ? typed : { ...typed, vatId: tidyVatId(typed.vatId) };
    const at = `file.organizations.${index}`;
    if ((id === undefined) === (ref === undefined))
      throw domainError(identityErrors, 'identity.file_ref_or_id', {}, [`${at}.ref`]);
    const existing = found.find((each) => (id === undefined ? each.externalRef === ref : each.id === id));
    if (id !== undefined && !existing)
      throw domainError(identityErrors, 'identity.organization_not_found', {}, [`${at}.id`]);
    const name = existing?.id ?? `ref ${ref}`;
    if (named.has(name)) throw domainError(identityErrors, 'identity.file_named_twice', {}, [`${at}.ref`]);
    named.add(name);
    if (!existing && fields.name === undefined)
      throw new ValidationError([{ field: `${at}.name`, code: 'platform.field_required' }]);
    const problems = problemsOf(existing ?? fresh, fields);
    if (problems.length > 0)
      throw new ValidationError(problems.map((each) => ({ ...each, field: `${at}.${each.field}` })));
    const changes = fieldChanges(existing, fields);
    return {
      fields,
      ref,
      existing,
      planned: plannedItem(fields.name ?? existing?.name ?? '', !existing, changes),
    };
  });
  const planned = steps.map((step) => step.planned);
  // The plan and the data that it was made from: a change of either yields another plan id.
  const basis = canonical([entries, planned, steps.map(({ existing }) => existing ?? null)]);
  return { shown: filePlan(planned, await countOrganizations(ctx), shortDigest(basis)), steps };
}

/** The defaults for an organization of which a file gives only the name. */
async function newOrganization(ctx: Ctx): Promise<Organization> {
  return {
    id: ctx.newId('org'),
    name: '',
    taxId: '',
    taxStatus: 'standard',
    country: '',
    vatId: '',
    electronicAddress: '',
    billingEmail: '',
    billingAddress: '',
    purchaseOrder: '',
    billingReference: '',
    timeZone: await ctx.setting(timeZoneSetting),
    language: await ctx.setting(mailLanguage),
    externalRef: null,
    createdAt: ctx.now,
    closedAt: null,
  };
}

async function applyStep(ctx: Ctx, { fields, ref, existing, planned }: Step): Promise<void> {
  if (planned.action === 'unchanged') return;
  if (existing) {
    await changeOrganization(ctx, existing, fields, 'identity.applyOrganizations');
    return;
  }
  const fresh = await newOrganization(ctx);
  const { id } = await insertOrganization(ctx, {
    name: fields.name ?? '',
    timeZone: fields.timeZone ?? fresh.timeZone,
    language: fields.language ?? fresh.language,
    externalRef: ref ?? null,
  });
  const made = await organizationById(ctx.db, id);
  if (made) await changeOrganization(ctx, made, fields, 'identity.applyOrganizations');
}
