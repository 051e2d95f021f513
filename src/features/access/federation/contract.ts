// Federation: signing in through Google or through an organization's own identity provider.
import * as z from 'zod/mini';
import { contract, file, noInput, nothing, redirect, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { email, id, instant, text } from '#kernel/shape.ts';
import { password, SignedIn } from '#features/access/identity/contract.ts';

/** R-AUTH-06 */
export const oidcScope = 'openid profile email api offline_access';

/** A token of another issuer in its encoded form: base64url parts and dots, or an opaque string. */
const foreignToken = z.string().check(z.minLength(1), z.maxLength(12_000), z.regex(/^[\w.~+/=-]+$/));
const otp = z.optional(text(32));
export const identitySources = ['google', 'oidc', 'company'] as const;
/** The sources whose token a browser can present to link an account from the profile. */
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

/** The sign-in methods that a browser can offer. */
export const FederationOptions = z.strictObject({
  google: z.nullable(z.strictObject({ clientId: z.string(), scriptUrl: z.string() })),
  /** `hosts` are additional hosts, besides the issuer's, on which its endpoints may be. */
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
/** The parameters that providers are known to send; only some of them are read. */
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
    summary: 'List external sign-in methods',
    description: 'Which methods are available, and what the browser needs for them.',
    input: noInput,
    output: FederationOptions,
  }),
  googleNonce: route({
    method: 'POST',
    path: '/user/google-sso/nonce',
    access: 'public',
    perMinute: 60,
    summary: 'Create a Google sign-in nonce',
    description: 'Good for one sign-in and tied to this browser by a cookie.',
    input: noInput,
    output: z.strictObject({ nonce: z.string() }),
  }),
  googleRegister: route({
    method: 'POST',
    path: '/user/google-sso/register',
    access: 'public',
    status: 201,
    perMinute: 60,
    summary: 'Register with Google',
    description: 'Creates a person and a new organization from a Google account, and logs them in.',
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
    summary: 'Sign in with Google',
    input: z.strictObject({ idToken: foreignToken }),
    output: SignedIn,
  }),
  ssoByQuery: route({
    method: 'GET',
    path: '/user/sso',
    access: 'public',
    perMinute: 60,
    summary: 'Exchange an SSO token by query',
    description:
      'Returns the user and a token for an access token of the configured provider. It sets no cookie, because anyone can open a URL; prefer POST.',
    input: z.strictObject({ accessToken: foreignToken, redirectUrl }),
    output: SignedInTo,
  }),
  sso: route({
    method: 'POST',
    path: '/user/sso',
    access: 'public',
    perMinute: 60,
    summary: 'Sign in with an SSO token',
    description: 'Takes an access token of the configured provider and sets the session cookie.',
    input: z.strictObject({ accessToken: foreignToken, redirectUrl }),
    output: SignedInTo,
  }),
  confirmLink: route({
    method: 'POST',
    path: '/user/external-identities/confirm',
    access: 'public',
    perMinute: 20,
    summary: 'Confirm an account link',
    description:
      'Links the external account of a rejected sign-in once the owner has proved that the account here is theirs, and logs them in. Without a ticket, the one in the cookie is used.',
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
    summary: 'Start company sign-in',
    description:
      'Returns the URL of the identity provider where people with this work email address sign in.',
    input: z.strictObject({ email, returnTo: redirectUrl }),
    output: z.strictObject({ url: z.string() }),
  }),
  completeCompanySignIn: route({
    method: 'POST',
    path: '/auth/company-sign-in/complete',
    access: 'public',
    perMinute: 60,
    summary: 'Complete company sign-in',
    description:
      'Redeems the ticket of an accepted provider response, in the browser that started, and sets the session cookie.',
    input: z.strictObject({ ticket: z.string().check(z.regex(/^[\w-]{20,100}$/)) }),
    output: SignedInTo,
  }),
  testProvider: route({
    method: 'POST',
    path: '/admin/identity-providers/:providerId/test',
    access: { roles: ['Admin'] },
    summary: 'Test an identity provider',
    description:
      'Returns a URL at which an Admin tries the provider. The response is recorded, and nobody is signed in.',
    input: z.strictObject({ providerId: id('idp') }),
    output: z.strictObject({ url: z.string() }),
  }),
  samlMetadata: route({
    method: 'GET',
    path: '/auth/saml/:providerId/metadata',
    access: 'public',
    summary: 'Get SAML metadata',
    description: 'What an identity provider needs to know about this console (SAML 2.0).',
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
    summary: 'Receive a SAML response',
    description:
      'The assertion consumer service, where an identity provider posts its response (SAML 2.0, HTTP-POST binding).',
    input: z.strictObject({ providerId: id('idp') }),
    output: redirect,
  }),
  oidcCallback: route({
    method: 'GET',
    path: '/auth/oidc/:providerId/callback',
    access: 'public',
    fromOtherSites: true,
    perMinute: 120,
    summary: 'Receive an OpenID Connect response',
    description: 'The redirect URI to which a company’s OpenID provider returns with a code.',
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
    summary: 'List your linked accounts',
    input: noInput,
    output: z.strictObject({ items: z.array(ExternalIdentity) }),
  }),
  linkIdentity: route({
    method: 'POST',
    path: '/user/external-identities',
    access: changers,
    status: 201,
    perMinute: 20,
    summary: 'Link an external account',
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
    summary: 'Unlink an external account',
    description: 'Your last way to sign in can’t be removed.',
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
