// Second factors: verifying one, and keeping the user's flag in sync.
import { randomBytes } from 'node:crypto';
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import { updateUserRow, userById } from '#features/access/identity/server/index.ts';
import { readOtp, recoveryCodeCount, spacedCode } from '../rules.ts';
import { accessChanged, type Change } from './access-changed.ts';
import { openSeed } from './seeds.ts';
import { gateOf } from './store-accounts.ts';
import { authenticatorOf, storeRecoveryCodes, takeRecoveryCode, takeStep } from './store-factors.ts';

const stepSeconds = 30;

/**
 * Uses up a code of the person's authenticator; the previous and next code are accepted too. `confirm`: it is
 * the first code of a new seed.
 */
export async function proveAuthenticator(
  ctx: Ctx,
  userId: string,
  code: string,
  confirm = false,
): Promise<boolean> {
  const stored = await authenticatorOf(ctx.db, userId);
  if (!stored || stored.isConfirmed === confirm) return false;
  const secret = seedOf(ctx, userId, stored.seed);
  if (secret === undefined) return false;
  // Loaded with the first code: most sign-ins need none.
  const { verify } = await import('otplib');
  const result = await verify({
    secret,
    token: code,
    epoch: Math.floor(ctx.now.getTime() / 1000),
    period: stepSeconds,
    epochTolerance: stepSeconds,
  });
  return result.valid && 'timeStep' in result && takeStep(ctx, userId, result.timeStep, confirm);
}

function seedOf(ctx: Ctx, userId: string, sealed: Buffer): string | undefined {
  try {
    return openSeed(ctx.app, userId, sealed);
  } catch (error) {
    // The seed was encrypted with lost keys: a recovery code still works, and a new authenticator can be set
    // up.
    ctx.app.log.error(
      { requestId: ctx.requestId, err: error, userId },
      'the seed of an authenticator cannot be read with the keys of secrets.json',
    );
    return undefined;
  }
}

/**
 * Uses up the code typed for a second factor: of the authenticator, or a recovery code. Undefined when it is
 * neither.
 */
export async function proveFactor(
  ctx: Ctx,
  userId: string,
  typed: string,
): Promise<'totp' | 'recovery' | undefined> {
  const otp = readOtp(typed);
  if (!otp) return undefined;
  if (otp.kind === 'recovery')
    return (await takeRecoveryCode(ctx, userId, sha256(otp.code))) ? 'recovery' : undefined;
  return (await proveAuthenticator(ctx, userId, otp.code)) ? 'totp' : undefined;
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 random bits in letters and digits that cannot be confused. */
const newCode = (): string => Array.from(randomBytes(16), (byte) => alphabet[byte & 31]).join('');

/**
 * Creates recovery codes that replace the previous ones; they are returned once and stored only as digests.
 */
export async function makeRecoveryCodes(ctx: Ctx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newCode);
  await storeRecoveryCodes(
    ctx,
    userId,
    codes.map((code) => sha256(code)),
  );
  return codes.map(spacedCode);
}

/**
 * After a change, sets the flag whether the user has a second factor (without one, recovery codes are
 * useless), and notifies them.
 */
export async function updateTwoFactorFlag(ctx: Ctx, userId: string, change: Change): Promise<boolean> {
  const { authenticator, passkeys } = await gateOf(ctx.db, userId);
  const isOn = authenticator || passkeys > 0;
  await updateUserRow(ctx, userId, { two_factor: isOn });
  if (!isOn) await storeRecoveryCodes(ctx, userId, []);
  await ctx.emit(accessChanged, {
    userId: required(await userById(ctx.db, userId), 'the owner of the factor').id,
    what: change,
    params: {},
  });
  return isOn;
}
