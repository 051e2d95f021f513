// Organizations in a file that is kept in version control.
import * as z from 'zod/mini';
import { route, noInput } from '#kernel/contract.ts';
import { FilePlan, planId } from '#kernel/file-plan.ts';
import { contentLanguage, email, id, optionalText, text, timeZone } from '#kernel/shape.ts';

export const organizationFileVersion = 1;
/** The largest number of organizations in one file. */
export const maxFileOrganizations = 2000;
export const taxStatuses = ['standard', 'zero', 'exempt'] as const;

/**
 * An organization in the file. `ref` is its name in other systems, and creates it when new; `id` is one of
 * the console's. Omitted fields stay unchanged.
 */
export const FileOrganization = z.strictObject({
  id: z.optional(id('org')),
  ref: z.optional(text(200)),
  name: z.optional(text(160)),
  taxId: z.optional(optionalText(20)),
  taxStatus: z.optional(z.enum(taxStatuses)),
  country: z.optional(z.string().check(z.maxLength(2))),
  vatId: z.optional(optionalText(40)),
  electronicAddress: z.optional(optionalText(90)),
  billingEmail: z.optional(z.union([email, z.literal('')])),
  billingAddress: z.optional(optionalText(400)),
  purchaseOrder: z.optional(optionalText(60)),
  billingReference: z.optional(optionalText(200)),
  timeZone: z.optional(timeZone),
  language: z.optional(contentLanguage),
});
export type FileOrganization = z.output<typeof FileOrganization>;
export const OrganizationFile = z.strictObject({
  skytallyOrganizations: z.literal(organizationFileVersion),
  organizations: z.array(FileOrganization).check(z.maxLength(maxFileOrganizations)),
});

const admin = { roles: ['Admin'] } as const;
export const organizationFileRoutes = {
  exportOrganizations: route({
    method: 'GET',
    path: '/admin/organizations/file',
    access: admin,
    summary: 'Export organizations',
    description: 'One file for version control, with the first 2,000 organizations by name.',
    input: noInput,
    output: OrganizationFile,
  }),
  planOrganizations: route({
    method: 'POST',
    path: '/admin/organizations/plan',
    access: admin,
    atOnce: 1,
    summary: 'Plan changes from an organizations file',
    description: 'Shows what applying the file would do, without changing anything.',
    input: z.strictObject({ file: OrganizationFile }),
    output: FilePlan,
  }),
  applyOrganizations: route({
    method: 'POST',
    path: '/admin/organizations/apply',
    access: admin,
    atOnce: 1,
    fresh: true,
    summary: 'Apply an organizations file',
    description:
      'Makes the changes that its plan showed. Organizations and fields that the file leaves out stay as they are. Safe to repeat.',
    input: z.strictObject({ file: OrganizationFile, planId }),
    output: FilePlan,
  }),
};
