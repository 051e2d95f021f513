// Sign-in: signing in, and changing passwords and second factors.
import * as z from 'zod/mini';
import { contract, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { email, id, instant, optionalText, text } from '#kernel/shape.ts';
import { password, SignedIn, User } from '#features/access/identity/contract.ts';

/** A code of an authenticator or a recovery code, as typed. */
const otp = text(64);
/** The secret in a mailed link. */
const linkSecret = z.string().check(z.regex(/^[\w-]{20,100}$/));
const own = { roles: ['Admin', 'User'] } as const;

/** Bytes in base64url, as in WebAuthn's JSON. */
const bytes = (max: number) => z.string().check(z.maxLength(max), z.regex(/^[\w-]*$/));
const credential = {
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
  clientExtensionResults: z.optional(z.record(z.string(), z.unknown())),
};
/** A browser's answer after creating a passkey (WebAuthn's JSON), without the fields that we do not need. */
export const MadeCredential = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: bytes(10_000),
    attestationObject: bytes(40_000),
    transports: z.optional(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(10))),
    publicKeyAlgorithm: z.optional(z.number()),
    publicKey: z.optional(bytes(10_000)),
    authenticatorData: z.optional(bytes(20_000)),
  }),
});
/** A browser's answer after signing with a passkey. */
export const SignedCredential = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: bytes(10_000),
    authenticatorData: bytes(20_000),
    signature: bytes(10_000),
    userHandle: z.optional(z.nullable(bytes(200))),
  }),
});
/** A challenge for a browser to sign, in WebAuthn's JSON. */
const credentialOptions = z.record(z.string(), z.unknown());

export const Passkey = z.strictObject({
  id: id('psk'),
  name: z.string(),
  createdAt: instant,
  lastUsedAt: z.nullable(instant),
});
export type Passkey = z.output<typeof Passkey>;

/** A user's second factors; recovery codes are returned only when they are created. */
export const TwoFactor = z.strictObject({
  authenticator: z.boolean(),
  passkeys: z.int(),
  recoveryCodes: z.int(),
});

export const signin = contract({
  passwordRules: route({
    method: 'GET',
    path: '/user/password-rules',
    access: 'public',
    isBatchable: true,
    summary: 'Get password rules',
    description: 'The minimum length, with and without a second factor.',
    input: noInput,
    output: z.strictObject({ minimum: z.int(), minimumWithTwoFactor: z.int() }),
  }),
  login: route({
    method: 'POST',
    path: '/user/login',
    access: 'public',
    summary: 'Sign in',
    description:
      'Takes an account and password, plus a code if a second factor is on, and sets the session cookie.',
    input: z.strictObject({ account: text(254), password, otp: z.optional(otp) }),
    output: SignedIn,
  }),
  register: route({
    method: 'POST',
    path: '/user/register',
    access: 'public',
    status: 201,
    perMinute: 60,
    summary: 'Register',
    description:
      'Creates a person together with a new organization. The response doesn’t reveal whether the email address is already known.',
    input: z.strictObject({
      email,
      name: text(120),
      password,
      organization: text(160),
      phone: z.optional(optionalText(40)),
      agreeToTerms: z.literal(true),
    }),
    output: z.strictObject({ user: User }),
  }),
  verifyEmail: route({
    method: 'POST',
    path: '/user/verify-email',
    access: 'public',
    summary: 'Verify an email address',
    description: 'Confirms a registration with the emailed link.',
    input: z.strictObject({ token: linkSecret }),
    output: nothing,
  }),
  askReset: route({
    method: 'POST',
    path: '/user/password-reset',
    access: 'public',
    status: 202,
    summary: 'Request a password reset',
    description: 'Emails a link if the account exists. The response is always the same.',
    input: z.strictObject({ account: text(254) }),
    output: nothing,
  }),
  resetPassword: route({
    method: 'POST',
    path: '/user/password-reset/confirm',
    access: 'public',
    summary: 'Reset a password',
    description: 'Sets a new password with a reset link and ends all sessions. Second factors stay on.',
    input: z.strictObject({ token: linkSecret, password }),
    output: nothing,
  }),
  resetForUser: route({
    method: 'POST',
    path: '/admin/users/:userId/reset-password',
    access: { roles: ['Admin'] },
    returnedOnce: ['link'],
    summary: 'Create a reset link for a user',
    description:
      'Returns a link to hand over, with which the user chooses a new password, and ends their sessions.',
    input: z.strictObject({ userId: id('usr') }),
    output: z.strictObject({ link: z.string(), expiresAt: instant }),
  }),
  removeFactors: route({
    method: 'DELETE',
    path: '/admin/users/:userId/second-factors',
    access: { roles: ['Admin'] },
    fresh: true,
    summary: 'Remove a user’s second factors',
    description:
      'Removes the authenticator, passkeys, and recovery codes of a user who has lost them, and ends their sessions. Not available for your own account.',
    input: z.strictObject({ userId: id('usr') }),
    output: nothing,
  }),
  reauthenticate: route({
    method: 'POST',
    path: '/user/reauthenticate',
    access: { roles: ['Admin', 'User', 'ReadOnly'] },
    beforeEnrolment: true,
    summary: 'Confirm your identity',
    description: 'Required before irreversible requests.',
    input: z.strictObject({ password, otp: z.optional(otp) }),
    output: nothing,
  }),
  changePassword: route({
    method: 'POST',
    path: '/user/password',
    access: own,
    perMinute: 60,
    summary: 'Change your password',
    description: 'Ends all your other sessions.',
    input: z.strictObject({ current: password, next: password }),
    output: nothing,
  }),

  twoFactor: route({
    method: 'GET',
    path: '/user/two-factor',
    access: own,
    beforeEnrolment: true,
    isBatchable: true,
    summary: 'Get your second factors',
    input: noInput,
    output: TwoFactor,
  }),
  startTwoFactor: route({
    method: 'POST',
    path: '/user/two-factor',
    access: own,
    fresh: true,
    beforeEnrolment: true,
    idempotent: false,
    summary: 'Set up an authenticator',
    description: 'Returns its secret. It takes effect once you confirm it with a code.',
    input: noInput,
    output: z.strictObject({ secret: z.string(), uri: z.string() }),
  }),
  confirmTwoFactor: route({
    method: 'POST',
    path: '/user/two-factor/confirm',
    access: own,
    beforeEnrolment: true,
    summary: 'Confirm an authenticator',
    description: 'Takes one of its codes and returns recovery codes, only once.',
    input: z.strictObject({ otp }),
    output: z.strictObject({ recoveryCodes: z.array(z.string()) }),
  }),
  removeTwoFactor: route({
    method: 'DELETE',
    path: '/user/two-factor',
    access: own,
    summary: 'Remove your authenticator',
    description: 'Requires one of its codes or a recovery code.',
    input: z.strictObject({ otp }),
    output: nothing,
  }),
  renewRecoveryCodes: route({
    method: 'POST',
    path: '/user/two-factor/recovery-codes',
    access: own,
    summary: 'Replace your recovery codes',
    description: 'Requires a code from your authenticator or a recovery code.',
    input: z.strictObject({ otp }),
    output: z.strictObject({ recoveryCodes: z.array(z.string()) }),
  }),

  listPasskeys: route({
    method: 'GET',
    path: '/user/passkeys',
    access: own,
    beforeEnrolment: true,
    isBatchable: true,
    summary: 'List your passkeys',
    input: noInput,
    output: z.strictObject({ items: z.array(Passkey) }),
  }),
  passkeyOptions: route({
    method: 'POST',
    path: '/user/passkeys/options',
    access: own,
    fresh: true,
    beforeEnrolment: true,
    idempotent: false,
    summary: 'Get passkey creation options',
    description: 'What the browser needs to create a passkey.',
    input: noInput,
    output: credentialOptions,
  }),
  addPasskey: route({
    method: 'POST',
    path: '/user/passkeys',
    access: own,
    beforeEnrolment: true,
    status: 201,
    summary: 'Add a passkey',
    description: 'If it’s your first second factor, recovery codes are returned, only once.',
    input: z.strictObject({ name: text(80), credential: MadeCredential }),
    output: z.strictObject({ passkey: Passkey, recoveryCodes: z.nullable(z.array(z.string())) }),
  }),
  renamePasskey: route({
    method: 'PATCH',
    path: '/user/passkeys/:passkeyId',
    access: own,
    summary: 'Rename a passkey',
    input: z.strictObject({ passkeyId: id('psk'), name: text(80) }),
    output: Passkey,
  }),
  removePasskey: route({
    method: 'DELETE',
    path: '/user/passkeys/:passkeyId',
    access: own,
    fresh: true,
    summary: 'Remove a passkey',
    input: z.strictObject({ passkeyId: id('psk') }),
    output: nothing,
  }),
  passkeyLoginOptions: route({
    method: 'POST',
    path: '/user/passkey-login/options',
    access: 'public',
    perMinute: 60,
    summary: 'Get passkey sign-in options',
    description: 'What the browser needs to sign in with a passkey.',
    input: noInput,
    output: credentialOptions,
  }),
  passkeyLogin: route({
    method: 'POST',
    path: '/user/passkey-login',
    access: 'public',
    summary: 'Sign in with a passkey',
    description: 'A passkey counts as two factors.',
    input: z.strictObject({ credential: SignedCredential }),
    output: SignedIn,
  }),
});

/** The paths of the sign-in pages. */
export const signinPaths = {
  login: '/login',
  register: '/register',
  passwordReset: '/password-reset',
  verifyEmail: '/verify-email',
} as const;

export const signinErrors = {
  'login.incorrect': 401,
  'login.otp_required': 401,
  'login.otp_wrong': 401,
  'signin.company_required': 403,
  'signin.otp_required': 422,
  'signin.proof_wrong': 422,
  'signin.wait': 429,
  'signin.password_wrong': 422,
  'signin.otp_wrong': 422,
  'signin.link_invalid': 422,
  'signin.two_factor_on': 409,
  'signin.two_factor_off': 409,
  'signin.passkey_refused': 401,
  'signin.passkey_invalid': 422,
  'signin.passkey_known': 409,
  'signin.passkey_not_found': 404,
  'signin.user_not_found': 404,
  'signin.own_factors': 409,
} as const satisfies ErrorTable;
