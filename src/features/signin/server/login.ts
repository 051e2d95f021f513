// Signing in with account and password.
import { refuse } from '#kernel/refusal.ts';
import type { In } from '#kernel/contract.ts';
import type { Ctx, World } from '#platform/server/ctx.ts';
import type { Reply } from '#platform/server/feature.ts';
import { work } from '#platform/server/work.ts';
import type { SignedIn } from '#features/identity/contract.ts';
import { normalAccount } from '#features/identity/rules.ts';
import { isPassword, startSession, userToSignIn } from '#features/identity/server/index.ts';
import { signinErrors, type signin } from '../contract.ts';
import { delayAfterFailures } from '../rules.ts';
import { blockedUntil, blockUntil, countFailure, forgetFailures } from './store.ts';

/** Signs a person in. The hash is checked outside any transaction; a failure is counted in one of its own. */
export async function login(ctx: Ctx, input: In<typeof signin.login>, reply: Reply): Promise<SignedIn> {
  const account = normalAccount(input.account);
  const waitUntil = await blockedUntil(ctx.db, account, ctx.now);
  if (waitUntil) throw refuse(signinErrors, 'signin.wait', { retryAfter: Math.ceil((waitUntil.getTime() - ctx.now.getTime()) / 1000) });
  const found = await userToSignIn(ctx.db, account);
  const matches = await isPassword(found?.passwordHash, input.password);
  if (!found || !matches || found.user.status !== 'active') {
    await recordFailure(ctx.world, account);
    // The same answer for an unknown account, a wrong password and a deactivated user.
    throw refuse(signinErrors, 'login.incorrect');
  }
  return work(ctx.world, { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId }, async (own) => {
    await forgetFailures(own, account);
    return startSession(own, found.user, reply);
  });
}

async function recordFailure(world: World, account: string): Promise<void> {
  await work(world, { actor: { kind: 'anonymous' } }, async (ctx) => {
    const delay = delayAfterFailures(await countFailure(ctx, account));
    if (delay > 0) await blockUntil(ctx, account, new Date(ctx.now.getTime() + delay * 1000));
  });
}
