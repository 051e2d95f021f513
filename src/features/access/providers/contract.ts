// Identity providers of companies, their mail domains, and the roles of their groups.
import * as z from 'zod/mini';
import { contract, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, optionalText, role, text } from '#kernel/shape.ts';

export const longestMetadata = 200_000;
export const mostCertificates = 5;
export const mostGroups = 100;

/** The kinds of identity providers that an Admin can add. */
export const providerKinds = ['saml', 'oidc'] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** A signing certificate of a provider, as shown to an Admin. */
export const Certificate = z.strictObject({
  pem: z.string(),
  subject: z.string(),
  /** SHA-256 of the certificate, in pairs of hexadecimal digits. */
  fingerprint: z.string(),
  expiresAt: instant,
});
export type Certificate = z.output<typeof Certificate>;

export const MailDomain = z.strictObject({
  id: id('mdm'),
  domain: z.string(),
  /** The TXT record that verifies the domain. */
  recordName: z.string(),
  recordValue: z.string(),
  verifiedAt: z.nullable(instant),
});
export type MailDomain = z.output<typeof MailDomain>;

/** A group's role: a built-in one, or a custom one based on it. */
const GroupRole = z.strictObject({ group: text(200), role, customRoleId: z.optional(z.nullable(id('rol'))) });
export type GroupRole = z.output<typeof GroupRole>;

/** The result of the last sign-in or test through a provider. */
export const LastResult = z.strictObject({
  at: instant,
  isTest: z.boolean(),
  /** The error code of a rejection; null when it worked. */
  problem: z.nullable(z.string()),
  /** The protocol's description of the problem; empty when it worked. */
  detail: z.string(),
  email: z.string(),
  name: z.string(),
  groups: z.array(z.string()),
  role: z.nullable(role),
});
export type LastResult = z.output<typeof LastResult>;

const httpsAddress = z.string().check(z.trim(), z.maxLength(2000), z.regex(/^https?:\/\/[^\s"'<>]+$/));
const attribute = optionalText(300);

/** The settings of a provider. */
const settings = {
  name: text(80),
  isActive: z.boolean(),
  /** SAML's entity id, or the issuer of an OpenID provider. */
  entityId: text(1000),
  /** Only for SAML. */
  ssoUrl: z.union([z.literal(''), httpsAddress]),
  certificates: z.array(z.string().check(z.maxLength(20_000))).check(z.maxLength(mostCertificates)),
  /** Only for OpenID Connect. */
  clientId: optionalText(300),
  /** Whether the provider can initiate sign-ins. */
  allowsUnsolicited: z.boolean(),
  /** Whether addresses in its domains can sign in only through it. */
  mustUse: z.boolean(),
  /** The role of a person who is in none of the groups; null: they are rejected. */
  defaultRole: z.nullable(role),
  emailAttribute: attribute,
  nameAttribute: attribute,
  groupsAttribute: attribute,
  groups: z.array(GroupRole).check(z.maxLength(mostGroups)),
};

export const IdentityProvider = z.strictObject({
  ...settings,
  id: id('idp'),
  kind: z.enum(providerKinds),
  /** Null: the platform's own provider, for its Admins. */
  organizationId: z.nullable(id('org')),
  organization: z.nullable(z.string()),
  certificates: z.array(Certificate),
  hasClientSecret: z.boolean(),
  domains: z.array(MailDomain),
  lastResult: z.nullable(LastResult),
  scimTokenMadeAt: z.nullable(instant),
  scimUsedAt: z.nullable(instant),
  /** The values that the provider's administrator enters there. */
  ours: z.strictObject({
    entityId: z.string(),
    /** Where answers are sent: the ACS, or the redirect URI of an OpenID client. */
    acsUrl: z.string(),
    metadataUrl: z.string(),
    scimUrl: z.string(),
  }),
  createdAt: instant,
});
export type IdentityProvider = z.output<typeof IdentityProvider>;

/** The secret of our client at an OpenID provider; null: the stored one stays. */
const clientSecret = z.nullable(optionalText(500));

const admin = { roles: ['Admin'] } as const;
const one = z.strictObject({ providerId: id('idp') });

export const providers = contract({
  listProviders: route({
    method: 'GET',
    path: '/admin/identity-providers',
    access: admin,
    summary: 'List identity providers',
    description: 'The companies’ identity providers, by name.',
    input: noInput,
    output: z.strictObject({ items: z.array(IdentityProvider) }),
  }),
  readMetadata: route({
    method: 'POST',
    path: '/admin/identity-provider-metadata',
    access: admin,
    summary: 'Read provider metadata',
    description: 'Extracts the entity ID, sign-in URL, and certificates. Nothing is stored.',
    input: z.strictObject({ metadata: z.string().check(z.minLength(1), z.maxLength(longestMetadata)) }),
    output: z.strictObject({
      entityId: z.string(),
      ssoUrl: z.string(),
      certificates: z.array(Certificate),
    }),
  }),
  createProvider: route({
    method: 'POST',
    path: '/admin/identity-providers',
    access: admin,
    status: 201,
    fresh: true,
    summary: 'Create an identity provider',
    description: 'For one organization or for the platform.',
    input: z.strictObject({
      ...settings,
      kind: z.enum(providerKinds),
      organizationId: z.nullable(id('org')),
      clientSecret,
    }),
    output: IdentityProvider,
  }),
  updateProvider: route({
    method: 'PUT',
    path: '/admin/identity-providers/:providerId',
    access: admin,
    fresh: true,
    summary: 'Update an identity provider',
    description: 'Its organization can’t be changed.',
    input: z.strictObject({ ...settings, providerId: id('idp'), clientSecret }),
    output: IdentityProvider,
  }),
  deleteProvider: route({
    method: 'DELETE',
    path: '/admin/identity-providers/:providerId',
    access: admin,
    fresh: true,
    summary: 'Delete an identity provider',
    description: 'Accounts are kept, but nobody can sign in through it anymore.',
    input: one,
    output: nothing,
  }),
  addDomain: route({
    method: 'POST',
    path: '/admin/identity-providers/:providerId/domains',
    access: admin,
    status: 201,
    summary: 'Add an email domain',
    description: 'It takes effect once it’s verified.',
    input: z.strictObject({ providerId: id('idp'), domain: text(253) }),
    output: IdentityProvider,
  }),
  verifyDomain: route({
    method: 'POST',
    path: '/admin/identity-providers/:providerId/domains/:domainId/verify',
    access: admin,
    perMinute: 30,
    summary: 'Verify an email domain',
    description: 'Looks up the domain’s TXT record and marks the domain as verified.',
    input: z.strictObject({ providerId: id('idp'), domainId: id('mdm') }),
    output: IdentityProvider,
  }),
  removeDomain: route({
    method: 'DELETE',
    path: '/admin/identity-providers/:providerId/domains/:domainId',
    access: admin,
    fresh: true,
    summary: 'Remove an email domain',
    input: z.strictObject({ providerId: id('idp'), domainId: id('mdm') }),
    output: IdentityProvider,
  }),
  makeScimToken: route({
    method: 'POST',
    path: '/admin/identity-providers/:providerId/scim-token',
    access: admin,
    fresh: true,
    returnedOnce: ['token'],
    summary: 'Create a SCIM token',
    description: 'The token with which the provider provisions users. Replaces any earlier one.',
    input: one,
    output: z.strictObject({ token: z.string() }),
  }),
  removeScimToken: route({
    method: 'DELETE',
    path: '/admin/identity-providers/:providerId/scim-token',
    access: admin,
    fresh: true,
    summary: 'Revoke the SCIM token',
    input: one,
    output: nothing,
  }),
});

export const providersErrors = {
  'providers.not_found': 404,
  'providers.organization_unknown': 404,
  'providers.name_taken': 409,
  'providers.metadata_unreadable': 400,
  'providers.metadata_no_provider': 400,
  'providers.metadata_no_redirect': 400,
  'providers.metadata_no_certificate': 400,
  'providers.address_unsafe': 400,
  'providers.certificate_wrong': 400,
  'providers.certificate_weak': 400,
  'providers.role_organization': 400,
  'providers.role_platform': 400,
  'providers.group_twice': 400,
  'providers.must_use_needs_domain': 409,
  'providers.domain_wrong': 400,
  'providers.domain_known': 409,
  'providers.domain_taken': 409,
  'providers.domain_not_found': 404,
  'providers.domain_record_missing': 409,
  'providers.domain_record_other': 409,
  'providers.dns_unavailable': 503,
  'providers.dns_sandbox': 409,
} as const satisfies ErrorTable;

export const providersPaths = { screen: '/admin/identity-providers' } as const;
