// Federation: signing in through Google or through an organization's own identity provider.
import * as z from 'zod/mini';
import { contract, file, noInput, nothing, redirect, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { email, id, instant, text } from '#kernel/shape.ts';
import { password, SignedIn } from '#features/access/identity/contract.ts';

/** R-AUTH-06 */
export const oidcScope = 'openid profile email api offline_access';

/** A token of another issuer, as it travels: base64url parts and dots, or an opaque word. */
const foreignToken = z.string().check(z.minLength(1), z.maxLength(12_000), z.regex(/^[\w.~+/=-]+$/));
const otp = z.optional(text(32));
export const identitySources = ['google', 'oidc', 'company'] as const;
/** The sources whose token a browser can bring to link an account from the profile. */
const tokenSources = ['google', 'oidc'] as const;

/** A user's account at Google or at the provider, linked to their account here. */
export const ExternalIdentity = z.strictObject({
  id: id('ext'),
  source: z.enum(identitySources),
  issuer: z.string(),
  email: z.string(),
  linkedAt: instant,
  lastUsedAt: z.nullable(instant),
});
export type ExternalIdentity = z.output<typeof ExternalIdentity>;

/** What a browser needs to offer the ways to sign in. */
export const FederationOptions = z.strictObject({
  google: z.nullable(z.strictObject({ clientId: z.string(), scriptUrl: z.string() })),
  /** `hosts` are further hosts, besides the issuer's, on which its endpoints may be. */
  oidc: z.nullable(
    z.strictObject({
      issuer: z.string(),
      clientId: z.string(),
      scope: z.string(),
      hosts: z.array(z.string()),
    }),
  ),
});
export type FederationOptions = z.output<typeof FederationOptions>;

const redirectUrl = z.optional(z.string().check(z.maxLength(4000)));
const SignedInTo = z.extend(SignedIn, { redirectUrl: z.string() });
const parameter = z.optional(z.string().check(z.maxLength(4000)));
/** What providers are known to send; only some of it is read. */
const answerParameters = {
  code: parameter,
  state: parameter,
  iss: parameter,
  error: parameter,
  error_description: parameter,
  error_uri: parameter,
  session_state: parameter,
  scope: parameter,
  authuser: parameter,
  prompt: parameter,
  hd: parameter,
  client_info: parameter,
};
const members = { roles: ['Admin', 'User', 'ReadOnly'] } as const;
const changers = { roles: ['Admin', 'User'] } as const;

export const federation = contract({
  federationOptions: route({
    method: 'GET',
    path: '/user/federation',
    access: 'public',
    summary: 'Which external sign-in methods are available, and what a browser needs for them.',
    input: noInput,
    output: FederationOptions,
  }),
  googleNonce: route({
    method: 'POST',
    path: '/user/google-sso/nonce',
    access: 'public',
    perMinute: 60,
    summary: 'A nonce for one Google sign-in, tied to this browser by a cookie.',
    input: noInput,
    output: z.strictObject({ nonce: z.string() }),
  }),
  googleRegister: route({
    method: 'POST',
    path: '/user/google-sso/register',
    access: 'public',
    status: 201,
    perMinute: 60,
    summary: 'Registers a person by their Google account, with a new organization, and signs them in.',
    input: z.strictObject({
      idToken: foreignToken,
      agreeToTerms: z.literal(true),
      subscribeToNewsletter: z.boolean(),
    }),
    output: SignedIn,
  }),
  googleLogin: route({
    method: 'POST',
    path: '/user/google-sso/login',
    access: 'public',
    perMinute: 60,
    summary: 'Signs a person in by their Google account.',
    input: z.strictObject({ idToken: foreignToken }),
    output: SignedIn,
  }),
  ssoByQuery: route({
    method: 'GET',
    path: '/user/sso',
    access: 'public',
    perMinute: 60,
    summary:
      'Answers user and token for an access token of the configured provider. Sets no cookie, because an address can be opened by anybody; prefer POST.',
    input: z.strictObject({ accessToken: foreignToken, redirectUrl }),
    output: SignedInTo,
  }),
  sso: route({
    method: 'POST',
    path: '/user/sso',
    access: 'public',
    perMinute: 60,
    summary: 'Signs a person in by an access token of the configured provider and sets the session cookie.',
    input: z.strictObject({ accessToken: foreignToken, redirectUrl }),
    output: SignedInTo,
  }),
  confirmLink: route({
    method: 'POST',
    path: '/user/external-identities/confirm',
    access: 'public',
    perMinute: 20,
    summary:
      'Links the outside account of a refused sign-in after its owner has proved the account here, and signs in. The ticket comes from the cookie when left out.',
    input: z.strictObject({
      ticket: z.optional(z.string().check(z.regex(/^[\w-]{20,100}$/))),
      password,
      otp,
    }),
    output: SignedIn,
  }),
  startCompanySignIn: route({
    method: 'POST',
    path: '/auth/company-sign-in',
    access: 'public',
    perMinute: 60,
    summary: 'The address of the identity provider to which a person with this work address goes to sign in.',
    input: z.strictObject({ email, returnTo: redirectUrl }),
    output: z.strictObject({ url: z.string() }),
  }),
  completeCompanySignIn: route({
    method: 'POST',
    path: '/auth/company-sign-in/complete',
    access: 'public',
    perMinute: 60,
    summary:
      'Takes the ticket of an accepted answer of an identity provider, in the browser that began, and sets the session cookie.',
    input: z.strictObject({ ticket: z.string().check(z.regex(/^[\w-]{20,100}$/)) }),
    output: SignedInTo,
  }),
  testProvider: route({
    method: 'POST',
    path: '/admin/identity-providers/:providerId/test',
    access: { roles: ['Admin'] },
    summary:
      'The address at which an Admin tries a provider; its answer is recorded, and nobody is signed in.',
    input: z.strictObject({ providerId: id('idp') }),
    output: z.strictObject({ url: z.string() }),
  }),
  samlMetadata: route({
    method: 'GET',
    path: '/auth/saml/:providerId/metadata',
    access: 'public',
    summary: 'What an identity provider needs to know of this console (SAML 2.0 metadata).',
    input: z.strictObject({ providerId: id('idp') }),
    output: file,
  }),
  samlAcs: route({
    method: 'POST',
    path: '/auth/saml/:providerId/acs',
    access: 'public',
    fromOtherSites: true,
    perMinute: 120,
    raw: { types: ['application/x-www-form-urlencoded'], maxBytes: 400_000 },
    summary: 'Where an identity provider posts its answer (SAML 2.0, HTTP-POST binding).',
    input: z.strictObject({ providerId: id('idp') }),
    output: redirect,
  }),
  oidcCallback: route({
    method: 'GET',
    path: '/auth/oidc/:providerId/callback',
    access: 'public',
    fromOtherSites: true,
    perMinute: 120,
    summary: 'Where an OpenID provider of a company leads back with a code.',
    input: z.strictObject({
      providerId: id('idp'),
      ...answerParameters,
    }),
    output: redirect,
  }),
  externalIdentities: route({
    method: 'GET',
    path: '/user/external-identities',
    access: members,
    isBatchable: true,
    summary: 'Your linked external accounts.',
    input: noInput,
    output: z.strictObject({ items: z.array(ExternalIdentity) }),
  }),
  linkIdentity: route({
    method: 'POST',
    path: '/user/external-identities',
    access: changers,
    status: 201,
    perMinute: 20,
    summary: 'Links an external account to your account.',
    input: z.strictObject({
      source: z.enum(tokenSources),
      token: foreignToken,
      password: z.optional(password),
      otp,
    }),
    output: ExternalIdentity,
  }),
  unlinkIdentity: route({
    method: 'DELETE',
    path: '/user/external-identities/:identityId',
    access: changers,
    summary: 'Removes a linked outside account; never the last way in.',
    input: z.strictObject({ identityId: id('ext') }),
    output: nothing,
  }),
});

export const federationErrors = {
  'federation.not_configured': 404,
  'federation.token_refused': 401,
  'federation.token_used': 401,
  'federation.account_inactive': 401,
  'federation.email_unverified': 403,
  'federation.domain_refused': 403,
  'federation.role_refused': 403,
  'federation.group_refused': 403,
  'federation.address_refused': 403,
  'federation.company_required': 403,
  'federation.company_unknown': 404,
  'federation.answer_refused': 401,
  'federation.answer_used': 401,
  'federation.answer_late': 401,
  'federation.answer_unasked': 401,
  'federation.provider_refused': 401,
  'federation.not_registered': 404,
  'federation.identity_known': 409,
  'federation.account_known': 409,
  'federation.link_required': 409,
  'federation.ticket_gone': 410,
  'federation.proof_wrong': 422,
  'federation.identity_not_found': 404,
  'federation.last_way_in': 409,
  'federation.google_unavailable': 503,
  'federation.provider_unavailable': 503,
} as const satisfies ErrorTable;

export const federationPaths = { callback: '/callback', company: '/company-sign-in' } as const;
