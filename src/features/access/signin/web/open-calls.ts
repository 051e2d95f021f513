// The calls of people who are not signed in yet; without the contract's schemas, which a visitor need not load. A test holds them against it.
import type { In } from '#kernel/contract.ts';
import type { signin } from '../contract.ts';
import { callToSignIn } from '#features/access/identity/web/index.ts';
import { consoleApi } from '#platform/web/console-api.ts';
import { callFor, callPlainly, type PlainRoute } from '#platform/web/plain-call.ts';
import type { SignedIn } from '#platform/web/session.ts';

export const openRoutes = {
  login: { method: 'POST', path: '/user/login' },
  register: { method: 'POST', path: '/user/register' },
  passwordRules: { method: 'GET', path: '/user/password-rules' },
  askReset: { method: 'POST', path: '/user/password-reset' },
  resetPassword: { method: 'POST', path: '/user/password-reset/confirm' },
} as const satisfies Partial<Record<keyof typeof signin, PlainRoute>>;

export const logIn = (input: In<typeof signin.login>): Promise<SignedIn> =>
  callToSignIn(openRoutes.login, input);
export const register = (input: In<typeof signin.register>): Promise<unknown> =>
  callPlainly(openRoutes.register, consoleApi, input);
export const askReset = (input: In<typeof signin.askReset>): Promise<unknown> =>
  callPlainly(openRoutes.askReset, consoleApi, input);
export const resetPassword = (input: In<typeof signin.resetPassword>): Promise<unknown> =>
  callPlainly(openRoutes.resetPassword, consoleApi, input);
export const askPasswordRules = () =>
  callFor(openRoutes.passwordRules, consoleApi, { minimum: 0, minimumWithTwoFactor: 0 });
