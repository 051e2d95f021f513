// Signing in with account and password, and a second factor when one is on.
import { domainError } from '#kernel/errors.ts';
import type { In } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { hasMail } from '#platform/server/mail/mail.ts';
import type { SignedIn, User } from '#features/access/identity/contract.ts';
import { normalAccount } from '#features/access/identity/rules.ts';
import {
  isPassword,
  mustHaveRoom,
  startSession,
  type SignInUser,
} from '#features/access/identity/server/index.ts';
import { signinErrors, type signin } from '../contract.ts';
import { accessChanged } from './access-changed.ts';
import { knowDevice, takeTurn, type Attempt } from './attempts.ts';
import { proveFactor } from './factors.ts';
import { rememberToldOfDevice, tellNewDevice, wasToldOfDevice } from './new-device.ts';
import { accountQuery, readAccount, type Gate } from './store-accounts.ts';
import { countRecoveryCodes } from './store-factors.ts';
import { noteRefusal, unit } from './unit.ts';

type Input = In<typeof signin.login>;
type Found = SignInUser | undefined;

/**
 * Signs a person in. Whether the account is unknown, the password wrong, the user deactivated or the e-mail not
 * confirmed: the same steps are taken (the same statements, one hash, one audit row) and the same is answered.
 */
export async function login(ctx: Ctx, input: Input, reply: Reply): Promise<SignedIn> {
  mustHaveRoom();
  const account = normalAccount(input.account);
  const attempt = await takeTurn(
    ctx.app,
    { address: reply.address, account, device: reply.cookie('device') },
    { name: 'sign-in', query: accountQuery(account) },
  );
  const { found, gate } = readAccount(attempt.brought);
  const matches = await checked(attempt, () => isPassword(found?.passwordHash, input.password));
  const reason = reasonAgainst(ctx, found, gate, matches);
  if (!found || reason !== undefined) {
    await noteRefusal(ctx, {
      way: 'password',
      reason: reason ?? 'unknown',
      userId: found?.user.id,
      account,
      address: reply.address,
      waitUntil: await attempt.failed(),
    });
    throw domainError(signinErrors, 'login.incorrect');
  }
  if (gate.authenticator || gate.passkeys > 0) {
    const signedIn = await withFactor(ctx, found.user, input.otp, attempt, reply);
    await attempt.good();
    return signedIn;
  }
  const { user } = found;
  const isKnown = attempt.isKnown || wasToldOfDevice(ctx.app, user, reply, ctx.now);
  const enter = (own: Ctx): Promise<SignedIn> => {
    attempt.goodWith(own);
    return enterIn(own, user, ['password'], reply, { ...found, isKnown });
  };
  if (isKnown || user.lastSignInAt === null) return unit(ctx, enter, 'one');
  // What is told of a new browser takes statements of its own.
  const signedIn = await unit(ctx, enter);
  rememberToldOfDevice(ctx.app, user, reply, ctx.now);
  return signedIn;
}

/** What speaks against letting somebody in; undefined when nothing does. */
function reasonAgainst(ctx: Ctx, found: Found, gate: Gate, matches: boolean): string | undefined {
  if (!found) return 'unknown';
  if (!matches) return 'password';
  if (found.user.status !== 'active') return 'inactive';
  return gate.mustVerify && hasMail(ctx.app.config) ? 'unverified' : undefined;
}

/** Runs what may be refused for want of room: then nothing was tried. */
async function checked<T>(attempt: Attempt, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    await attempt.undone();
    throw error;
  }
}

/** The second step: the password was right, so guesses are counted of the person alone, five before they have to wait. */
async function withFactor(
  ctx: Ctx,
  user: User,
  otp: string | undefined,
  first: Attempt,
  reply: Reply,
): Promise<SignedIn> {
  if (otp === undefined) {
    await first.undone();
    throw domainError(signinErrors, 'login.otp_required');
  }
  const attempt = await checked(first, () => takeTurn(ctx.app, { subject: `otp:${user.id}` }));
  const signedIn = await unit(ctx, async (own) => {
    const factor = await proveFactor(own, user.id, otp);
    if (factor === 'recovery')
      await own.emit(accessChanged, {
        userId: user.id,
        what: 'recovery_code_used',
        params: { left: await countRecoveryCodes(own.db, user.id) },
      });
    return factor && enterIn(own, user, ['password', factor], reply, { isKnown: first.isKnown });
  });
  if (!signedIn) {
    await noteRefusal(ctx, {
      way: 'password',
      reason: 'otp',
      userId: user.id,
      address: reply.address,
      waitUntil: await attempt.failed(),
    });
    throw domainError(signinErrors, 'login.otp_wrong');
  }
  await attempt.good();
  return signedIn;
}

/** Opens the session of somebody who has proved who they are, and knows their browser from now on; they are told of one they never used. */
export async function enterIn(
  own: Ctx,
  user: User,
  factors: readonly string[],
  reply: Reply,
  known: { readonly mustEnrol?: boolean; readonly isKnown: boolean },
): Promise<SignedIn> {
  const signedIn = await startSession(own, user, reply, known);
  if (!known.isKnown && user.lastSignInAt !== null) await tellNewDevice(own, user, reply);
  own.audit('signin.login', user.id, { factors });
  await knowDevice(own, user.id, reply);
  return signedIn;
}
