// Sign-in with a passkey: the device and what unlocks it count as two factors.
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import { hasMail } from '#platform/server/mail/mail.ts';
import type { SignedIn } from '#features/access/identity/contract.ts';
import { userById } from '#features/access/identity/server/index.ts';
import { signinErrors, type signin } from '../contract.ts';
import { challengeMinutes } from '../rules.ts';
import { beginAttempt } from './attempts.ts';
import { answeredChallenge, newChallenge, siteName } from './challenges.ts';
import { isBoundToCompany, mayBreakGlass } from './company.ts';
import { enterIn } from './login.ts';
import { isDeviceOf } from './store-attempts.ts';
import { gateOf } from './store-accounts.ts';
import { countUse, passkeyOf, type KnownPasskey } from './store-factors.ts';
import { recordFailedAttempt, unit } from './unit.ts';

// Loaded when somebody first uses a passkey.
const webauthn = () => import('@simplewebauthn/server');

/** The options with which a browser signs in with any passkey that it has for this site. */
export async function passkeyLoginOptions(
  ctx: Ctx,
  _input: object,
  reply: Reply,
): Promise<Record<string, unknown>> {
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: siteName(ctx.app),
    challenge: await newChallenge(ctx, null, reply),
    timeout: challengeMinutes * 60_000,
    userVerification: 'required',
  });
  return { ...options };
}

type Signed = In<typeof signin.passkeyLogin>['credential'];

/** The counter of a valid signature; undefined when the signature is invalid. */
async function counterOf(
  ctx: Ctx,
  signed: Signed,
  passkey: KnownPasskey,
  reply: Reply,
): Promise<number | undefined> {
  const { clientDataJSON, authenticatorData, signature, userHandle } = signed.response;
  const expected = await answeredChallenge(ctx, clientDataJSON, null, reply);
  if (
    !expected ||
    (typeof userHandle === 'string' && Buffer.from(userHandle, 'base64url').toString() !== passkey.userId)
  )
    return undefined;
  try {
    const { verifyAuthenticationResponse } = await webauthn();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: signed.id,
        rawId: signed.rawId,
        type: signed.type,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: siteName(ctx.app),
      requireUserVerification: true,
      credential: {
        id: signed.id,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: Number(passkey.counter),
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch (error) {
    // The library throws for any invalid answer, including a counter that decreased.
    ctx.app.log.info({ requestId: ctx.requestId, err: error }, 'a passkey was refused');
    return undefined;
  }
}

/** Signs a person in with their passkey. */
export async function passkeyLogin(
  ctx: Ctx,
  input: In<typeof signin.passkeyLogin>,
  reply: Reply,
): Promise<SignedIn> {
  const attempt = await beginAttempt(ctx.app, { address: reply.address });
  const passkey = await passkeyOf(ctx.db, input.credential.id);
  const counter = passkey && (await counterOf(ctx, input.credential, passkey, reply));
  const user = passkey && (await userById(ctx.db, passkey.userId));
  const isBarred =
    !user ||
    user.status !== 'active' ||
    ((await gateOf(ctx.db, user.id)).mustVerify && hasMail(ctx.app.config)) ||
    (!mayBreakGlass(user, true) && (await isBoundToCompany(ctx.app, user.account)));
  const signedIn =
    counter === undefined || isBarred
      ? undefined
      : await unit(ctx, async (own) =>
          (await countUse(own, passkey.id, counter))
            ? enterIn(own, user, ['passkey'], reply, {
                isKnown: await isDeviceOf(own, sha256(reply.cookie('device') ?? ''), user.id),
              })
            : undefined,
        );
  if (!signedIn) {
    await recordFailedAttempt(ctx, {
      way: 'passkey',
      reason: 'passkey',
      userId: passkey?.userId,
      address: reply.address,
      waitUntil: await attempt.failed(),
    });
    throw domainError(signinErrors, 'signin.passkey_refused');
  }
  await attempt.good();
  return signedIn;
}
