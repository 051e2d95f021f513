// The values of an identity provider's form, and their conversion to the call's input.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { roles, type Role } from '#kernel/roles.ts';
import { id, optionalText, role, text } from '#kernel/shape.ts';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { problem } from '#platform/web/form/problems.ts';
import { chosenOrganization } from '#features/access/identity/web/parts.ts';
import { mostGroups, providerKinds, type IdentityProvider, type providers } from '../contract.ts';

export const platform = 'platform';
/** In place of the role of people who are in none of the groups. */
export const refuse = 'refuse';

/** A built-in role, or a custom one by its id. */
const groupRole = z.union([role, id('rol')]);
const isBuiltIn = (given: z.output<typeof groupRole>): given is Role => roles.some((one) => one === given);

export const providerFields = z
  .strictObject({
    name: text(80),
    kind: z.enum(providerKinds),
    belongsTo: z.enum(['organization', platform]),
    organizationId: chosenOrganization,
    entityId: text(1000),
    ssoUrl: optionalText(2000),
    certificates: z.string().check(z.trim()),
    clientId: optionalText(300),
    clientSecret: optionalText(500),
    groups: z.array(z.strictObject({ group: text(200), role: groupRole })).check(z.maxLength(mostGroups)),
    defaultRole: z.enum([refuse, 'Admin', 'User', 'ReadOnly']),
    emailAttribute: optionalText(300),
    nameAttribute: optionalText(300),
    groupsAttribute: optionalText(300),
    isActive: z.boolean(),
    mustUse: z.boolean(),
    allowsUnsolicited: z.boolean(),
  })
  .check(
    // Without an organization, it would be the platform's, whose people are Admins.
    z.refine(({ belongsTo, organizationId }) => belongsTo === platform || organizationId !== null, {
      path: ['organizationId'],
      message: problem('form.required'),
    }),
  );
export type ProviderFields = z.output<typeof providerFields>;
export type ProviderForm = FormOf<ProviderFields, ProviderFields>;

/** The form's initial values. */
export function fieldsOf(provider: IdentityProvider | undefined): ProviderFields {
  return {
    name: provider?.name ?? '',
    kind: provider?.kind ?? 'saml',
    clientId: provider?.clientId ?? '',
    clientSecret: '',
    belongsTo: provider && provider.organizationId === null ? platform : 'organization',
    organizationId: provider?.organizationId
      ? { id: provider.organizationId, name: provider.organization ?? '' }
      : null,
    entityId: provider?.entityId ?? '',
    ssoUrl: provider?.ssoUrl ?? '',
    certificates: provider?.certificates.map(({ pem }) => pem.trim()).join('\n') ?? '',
    groups:
      provider?.groups.map(({ group, role: base, customRoleId }) => ({
        group,
        role: customRoleId ?? base,
      })) ?? [],
    defaultRole: provider?.defaultRole ?? refuse,
    emailAttribute: provider?.emailAttribute ?? '',
    nameAttribute: provider?.nameAttribute ?? '',
    groupsAttribute: provider?.groupsAttribute ?? '',
    isActive: provider?.isActive ?? true,
    mustUse: provider?.mustUse ?? false,
    allowsUnsolicited: provider?.allowsUnsolicited ?? false,
  };
}

/** The certificates in a text: one or several in PEM, or one without the PEM header. */
export function certificatesIn(typed: string): string[] {
  if (typed.trim() === '') return [];
  const found = typed.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  return found ? [...found] : [typed.trim()];
}

/** The input to change a provider. */
export function settingsOf(
  fields: ProviderFields,
  customRoles: readonly { readonly id: Id<'rol'>; readonly baseRole: Role }[],
): Omit<In<typeof providers.updateProvider>, 'providerId'> {
  const {
    belongsTo: _place,
    organizationId: _organization,
    kind: _kind,
    certificates,
    clientSecret,
    defaultRole,
    groups,
    ...rest
  } = fields;
  return {
    ...rest,
    groups: groups.map(({ group, role: given }) =>
      isBuiltIn(given)
        ? { group, role: given, customRoleId: null }
        : {
            group,
            role: customRoles.find((one) => one.id === given)?.baseRole ?? 'ReadOnly',
            customRoleId: given,
          },
    ),
    certificates: certificatesIn(certificates),
    // If left empty, the stored secret stays.
    clientSecret: clientSecret === '' ? null : clientSecret,
    defaultRole: defaultRole === refuse ? null : defaultRole,
  };
}
