// What a machine asks that nobody is signed in at: for codes, for its key, whose key it has, and to end it.
import { randomBytes } from 'node:crypto';
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { required } from '#kernel/assert.ts';
import type { Actor, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import {
  apiKeyOf,
  authenticate,
  endOwnKey,
  giveSecret,
  organizationById,
  randomSecret,
  userById,
} from '#features/access/identity/server/index.ts';
import { devicesErrors, devicesPaths, type devices, type KeyFacts } from '../contract.ts';
import {
  deviceMinutes,
  maxWaiting,
  normalUserCode,
  pollAnswer,
  slowerBy,
  userCodeFrom,
  usualInterval,
} from '../rules.ts';
import { askingDevice, insertDevice, markAsked, takeKey } from './store.ts';

/** A user code is digested in its normal form. */
export const userHashOf = (typed: string): Buffer => sha256(normalUserCode(typed));

/** Gives a machine its codes. Nothing of it is in the audit log, which anybody could fill otherwise; the confirmation is. */
export async function askDevice(
  ctx: Ctx,
  input: In<typeof devices.askDevice>,
  reply: Reply,
): Promise<Out<typeof devices.askDevice>> {
  const deviceCode = randomSecret();
  const expiresAt = new Date(ctx.now.getTime() + deviceMinutes * 60_000);
  for (;;) {
    const userCode = userCodeFrom(randomBytes(32));
    if (userCode === undefined) continue;
    const added = await insertDevice(
      ctx,
      {
        deviceHash: sha256(deviceCode),
        userHash: userHashOf(userCode),
        name: input.name,
        address: reply.address,
        permissions: [...new Set(input.permissions)],
        irreversible: input.irreversible ?? false,
        expiresAt,
        intervalSeconds: usualInterval,
      },
      maxWaiting,
    );
    if (added === 'full') throw domainError(devicesErrors, 'devices.too_many');
    // Another machine may have the same code at this moment.
    if (added === 'taken') continue;
    const verificationUri = `${ctx.app.address()}${devicesPaths.confirm}`;
    return {
      deviceCode,
      userCode,
      verificationUri,
      verificationUriComplete: `${verificationUri}?code=${userCode}`,
      expiresIn: deviceMinutes * 60,
      interval: usualInterval,
    };
  }
}

/** Hands the key over once a person has confirmed. Only that is a unit of work, and in the audit log. */
export async function pollDevice(
  ctx: Ctx,
  { deviceCode }: In<typeof devices.pollDevice>,
): Promise<Out<typeof devices.pollDevice>> {
  const deviceHash = sha256(deviceCode);
  const device = await askingDevice(ctx.db, deviceHash);
  const answer = device ? pollAnswer(device, ctx.now) : 'expired_token';
  if (answer !== 'hand_over') {
    if (answer === 'authorization_pending' || answer === 'slow_down')
      await markAsked(ctx.db, deviceHash, ctx.now, answer === 'slow_down' ? slowerBy : 0);
    throw domainError(devicesErrors, `devices.${answer}`);
  }
  const secret = await unitOfWork(
    ctx.app,
    { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId },
    async (own) => {
      const keyId = await takeKey(own, deviceHash);
      const given = keyId && (await giveSecret(own, keyId));
      if (given === undefined) throw domainError(devicesErrors, 'devices.expired_token');
      own.audit('devices.handOver', keyId);
      return given;
    },
  );
  return { secret, key: await factsOf(ctx, secret) };
}

type KeyUser = Extract<Actor, { kind: 'user' }>;

/** The person whom the key of a secret acts for. @throws DomainError when it is no key with permissions, or no longer one */
async function actorOfSecret(
  ctx: Ctx,
  secret: string,
): Promise<KeyUser & { key: NonNullable<KeyUser['key']> }> {
  const actor = await authenticate(ctx.app, secret);
  if (actor?.kind !== 'user' || !actor.key) throw domainError(devicesErrors, 'devices.key_ended');
  return { ...actor, key: actor.key };
}

async function factsOf(ctx: Ctx, secret: string): Promise<KeyFacts> {
  const { userId, organizationId, role, name, key } = await actorOfSecret(ctx, secret);
  const user = required(await userById(ctx.db, userId), 'the person of a key in force');
  const organization = organizationId ? await organizationById(ctx.db, organizationId) : undefined;
  const stored = await apiKeyOf(ctx, 'anybody', key.keyId);
  if (!stored) throw domainError(devicesErrors, 'devices.key_ended');
  return {
    keyId: key.keyId,
    name: key.name,
    account: user.account,
    person: name,
    role,
    organizationId,
    organization: organization?.name ?? null,
    permissions: stored.key.permissions,
    irreversible: key.irreversible,
    expiresAt: stored.key.expiresAt,
  };
}

/** Whom a key acts for: whoever has its secret may know. */
export async function describeKey(ctx: Ctx, { secret }: In<typeof devices.describeKey>): Promise<KeyFacts> {
  return factsOf(ctx, secret);
}

/** Ends a key by its secret, as its person would. What is no key has ended already. */
export async function endKey(ctx: Ctx, { secret }: In<typeof devices.endKey>): Promise<null> {
  const actor = await authenticate(ctx.app, secret);
  if (actor?.kind === 'user' && actor.key)
    await unitOfWork(ctx.app, { actor, language: ctx.language, requestId: ctx.requestId }, endOwnKey);
  return null;
}
