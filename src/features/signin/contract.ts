// Sign-in: how people get in, and how they change what lets them in.
import * as z from 'zod/mini';
import { contract, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/refusal.ts';
import { email, optionalText, text } from '#kernel/shape.ts';
import { password, SignedIn, User } from '#features/identity/contract.ts';

export const signin = contract({
  login: route({
    method: 'POST', path: '/user/login', access: 'public',
    summary: 'Signs a person in with account and password and sets the session cookie.',
    input: z.strictObject({ account: text(254), password, otp: z.optional(text(32)) }),
    output: SignedIn,
  }),
  register: route({
    method: 'POST', path: '/user/register', access: 'public', status: 201, perMinute: 20, idempotent: true,
    summary: 'Registers a person together with a new organization.',
    input: z.strictObject({ email, name: text(120), password, organization: text(160), phone: z.optional(optionalText(40)), agreeToTerms: z.literal(true) }),
    output: z.strictObject({ user: User }),
  }),
  changePassword: route({
    method: 'POST', path: '/user/password', access: { roles: ['Admin', 'User'] }, perMinute: 20, summary: 'Changes the own password and ends all other sessions.',
    input: z.strictObject({ current: password, next: password }), output: nothing,
  }),
});

export const signinErrors = {
  'login.incorrect': 401,
  'signin.wait': 429,
  'signin.password_wrong': 422,
} as const satisfies ErrorTable;

export const signinPaths = { login: '/login', register: '/register' } as const;
