// The caller's own passkeys.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { brandName, userById } from '#features/access/identity/server/index.ts';
import { signinErrors, type Passkey, type signin } from '../contract.ts';
import { challengeMinutes } from '../rules.ts';
import { answeredChallenge, newChallenge, siteName } from './challenges.ts';
import { updateTwoFactorFlag, makeRecoveryCodes } from './factors.ts';
import {
  countRecoveryCodes,
  credentialsOf,
  deletePasskey,
  insertPasskey,
  passkeysOf,
  renamePasskeyRow,
} from './store-factors.ts';
import { unit } from './unit.ts';

export async function listPasskeys(ctx: Ctx): Promise<Out<typeof signin.listPasskeys>> {
  return { items: await passkeysOf(ctx, person(ctx).userId) };
}

// Loaded when somebody first uses a passkey: it takes 27 MB, and a console may never need it.
const webauthn = () => import('@simplewebauthn/server');

/**
 * The options with which a browser creates a passkey that signs in by itself: stored on the device, unlocked
 * by finger, face or PIN.
 */
export async function passkeyOptions(
  ctx: Ctx,
  _input: object,
  reply: Reply,
): Promise<Record<string, unknown>> {
  const { userId } = person(ctx);
  const user = required(await userById(ctx.db, userId), 'the signed-in user');
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: await brandName(ctx),
    rpID: siteName(ctx.app),
    userName: user.account,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(userId),
    challenge: await newChallenge(ctx, userId, reply),
    timeout: challengeMinutes * 60_000,
    attestationType: 'none',
    excludeCredentials: await credentialsOf(ctx, userId),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { ...options };
}

type Made = In<typeof signin.addPasskey>['credential'];

async function verified(ctx: Ctx, made: Made, reply: Reply) {
  const expected = await answeredChallenge(ctx, made.response.clientDataJSON, person(ctx).userId, reply);
  if (!expected) return undefined;
  const { clientDataJSON, attestationObject } = made.response;
  try {
    const { verifyRegistrationResponse } = await webauthn();
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id: made.id,
        rawId: made.rawId,
        type: made.type,
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: siteName(ctx.app),
      requireUserVerification: true,
    });
    return registrationInfo?.credential;
  } catch (error) {
    // The library throws for any invalid answer; the person can only try again.
    ctx.app.log.info({ requestId: ctx.requestId, err: error }, 'a passkey was refused');
    return undefined;
  }
}

/** Adds a passkey; if it is the first second factor, recovery codes are returned with it. */
export async function addPasskey(
  ctx: Ctx,
  input: In<typeof signin.addPasskey>,
  reply: Reply,
): Promise<Out<typeof signin.addPasskey>> {
  const { userId } = person(ctx);
  const credential = await verified(ctx, input.credential, reply);
  if (!credential) throw domainError(signinErrors, 'signin.passkey_invalid');
  return unit(ctx, async (own) => {
    const passkey = await insertPasskey(own, {
      userId,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: input.credential.response.transports ?? [],
      name: input.name,
    });
    if (!passkey) throw domainError(signinErrors, 'signin.passkey_known');
    await updateTwoFactorFlag(own, userId, 'passkey_added');
    own.audit('signin.addPasskey', passkey.id, { userId });
    return {
      passkey,
      recoveryCodes:
        (await countRecoveryCodes(own.db, userId)) === 0 ? await makeRecoveryCodes(own, userId) : null,
    };
  });
}

export async function renamePasskey(ctx: Ctx, input: In<typeof signin.renamePasskey>): Promise<Passkey> {
  const passkey = await renamePasskeyRow(ctx, person(ctx).userId, input.passkeyId, input.name);
  if (!passkey) throw domainError(signinErrors, 'signin.passkey_not_found');
  return passkey;
}

/** Removes a passkey; removing the last second factor also clears the flag. */
export async function removePasskey(ctx: Ctx, input: In<typeof signin.removePasskey>): Promise<null> {
  const { userId } = person(ctx);
  if (!(await deletePasskey(ctx, userId, input.passkeyId)))
    throw domainError(signinErrors, 'signin.passkey_not_found');
  ctx.audit('signin.removePasskey', input.passkeyId, {
    userId,
    isOn: await updateTwoFactorFlag(ctx, userId, 'passkey_removed'),
  });
  return null;
}
