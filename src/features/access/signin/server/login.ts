// Password sign-in, from the form to the session: counts the attempt, checks the password, requires a second
// factor if one is set up, opens the session, and notifies of a new browser.
import { domainError } from '#kernel/errors.ts';
import type { In } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { hasMail } from '#platform/server/mail/mail.ts';
import type { SignedIn, User } from '#features/access/identity/contract.ts';
import { normalAccount } from '#features/access/identity/rules.ts';
import {
  isPassword,
  assertHashingHasRoom,
  startSession,
  type SignInUser,
} from '#features/access/identity/server/index.ts';
import { signinErrors, type signin } from '../contract.ts';
import { accessChanged } from './access-changed.ts';
import { rememberBrowser, beginAttempt, type Attempt } from './attempts.ts';
import { isBoundToCompany, mayBreakGlass } from './company.ts';
import { proveFactor } from './factors.ts';
import { rememberNotifiedOfDevice, emitNewDevice, wasNotifiedOfDevice } from './new-device.ts';
import { accountQuery, readAccount, type SignInRequirements } from './store-accounts.ts';
import { countRecoveryCodes } from './store-factors.ts';
import { recordFailedAttempt, unit } from './unit.ts';

type Input = In<typeof signin.login>;

/** A counted attempt, and the account that it is for; `found` is undefined when there is no such account. */
type Candidate = {
  readonly account: string;
  readonly attempt: Attempt;
  readonly found: SignInUser | undefined;
  readonly gate: SignInRequirements;
};

/**
 * Signs a person in. Whether the account is unknown, the password wrong, the user deactivated or the e-mail
 * unconfirmed: the same steps are taken (the same statements, one hash, one audit row) and the answer is the
 * same.
 */
export async function login(ctx: Ctx, input: Input, reply: Reply): Promise<SignedIn> {
  assertHashingHasRoom();
  const candidate = await countAttempt(ctx, input.account, reply);
  const found = await checkPassword(ctx, candidate, input.password, reply);
  const { attempt, gate } = candidate;
  if (!gate.authenticator && gate.passkeys === 0) return enterByPassword(ctx, found, attempt, reply);
  const signedIn = await enterByFactor(ctx, found.user, input.otp, attempt, reply);
  await attempt.good();
  return signedIn;
}

/** Counts the attempt before it is tried; the same statement reads the account. */
async function countAttempt(ctx: Ctx, given: string, reply: Reply): Promise<Candidate> {
  const account = normalAccount(given);
  const attempt = await beginAttempt(
    ctx.app,
    { address: reply.address, account, device: reply.cookie('device') },
    { name: 'sign-in', query: accountQuery(account) },
  );
  return { account, attempt, ...readAccount(attempt.brought) };
}

/**
 * Checks the password, and whether the person may sign in at all.
 * @throws DomainError `login.incorrect`, whatever was wrong; `signin.company_required` for addresses of a
 * company that requires its provider
 */
async function checkPassword(
  ctx: Ctx,
  { account, attempt, found, gate }: Candidate,
  password: string,
  reply: Reply,
): Promise<SignInUser> {
  const matches = await undoneUnlessTried(attempt, () => isPassword(found?.passwordHash, password));
  // Checked for every address, so that the answer reveals only the company's policy and nothing about the
  // account.
  const isHeld = await isBoundToCompany(ctx.app, account);
  const wrong = reasonAgainst(ctx, found, gate, matches);
  const mayEnter =
    !isHeld || (found !== undefined && mayBreakGlass(found.user, gate.authenticator || gate.passkeys > 0));
  const reason = wrong ?? (mayEnter ? undefined : 'company');
  if (found && reason === undefined) return found;
  await recordFailedAttempt(ctx, {
    way: 'password',
    reason: reason ?? 'unknown',
    userId: found?.user.id,
    account,
    address: reply.address,
    waitUntil: await attempt.failed(),
  });
  throw domainError(signinErrors, isHeld ? 'signin.company_required' : 'login.incorrect');
}

/** The reason not to let a person sign in; undefined when there is none. */
function reasonAgainst(
  ctx: Ctx,
  found: SignInUser | undefined,
  gate: SignInRequirements,
  matches: boolean,
): string | undefined {
  if (!found) return 'unknown';
  if (!matches) return 'password';
  if (found.user.status !== 'active') return 'inactive';
  return gate.mustVerify && hasMail(ctx.app.config) ? 'unverified' : undefined;
}

/**
 * Runs an operation that may be rejected for lack of capacity, such as hashing: then nothing was tried, and
 * the attempt does not count.
 */
async function undoneUnlessTried<T>(attempt: Attempt, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    await attempt.undone();
    throw error;
  }
}

/** Completes a sign-in without a second factor. */
async function enterByPassword(
  ctx: Ctx,
  found: SignInUser,
  attempt: Attempt,
  reply: Reply,
): Promise<SignedIn> {
  const { user } = found;
  const isKnown = attempt.isKnown || wasNotifiedOfDevice(ctx.app, user, reply, ctx.now);
  const enter = (own: Ctx): Promise<SignedIn> => {
    attempt.goodWith(own);
    return enterIn(own, user, ['password'], reply, { ...found, isKnown });
  };
  if (isKnown || user.lastSignInAt === null) return unit(ctx, enter, 'one');
  // The notice about a new browser needs its own statements.
  const signedIn = await unit(ctx, enter);
  rememberNotifiedOfDevice(ctx.app, user, reply, ctx.now);
  return signedIn;
}

/**
 * Completes a sign-in with a second factor. The password was right, so guesses count only for this person,
 * who has five before a wait.
 */
async function enterByFactor(
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
  const attempt = await undoneUnlessTried(first, () => beginAttempt(ctx.app, { subject: `otp:${user.id}` }));
  const signedIn = await unit(ctx, async (own) => {
    const factor = await proveFactor(own, user.id, otp);
    if (factor === 'recovery') await emitRecoveryCodeUsed(own, user);
    return factor && enterIn(own, user, ['password', factor], reply, { isKnown: first.isKnown });
  });
  if (!signedIn) {
    await recordFailedAttempt(ctx, {
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

async function emitRecoveryCodeUsed(own: Ctx, user: User): Promise<void> {
  await own.emit(accessChanged, {
    userId: user.id,
    what: 'recovery_code_used',
    params: { left: await countRecoveryCodes(own.db, user.id) },
  });
}

/**
 * Opens the session of an authenticated person, notifies them if the browser is new, and marks it as known.
 */
export async function enterIn(
  own: Ctx,
  user: User,
  factors: readonly string[],
  reply: Reply,
  known: { readonly mustEnrol?: boolean; readonly isKnown: boolean },
): Promise<SignedIn> {
  const signedIn = await startSession(own, user, reply, known);
  if (!known.isKnown && user.lastSignInAt !== null) await emitNewDevice(own, user, reply);
  own.audit('signin.login', user.id, { factors });
  await rememberBrowser(own, user.id, reply);
  return signedIn;
}
