// Calls of a machine without a signed-in person: requesting codes, polling for its key, describing the key,
// and revoking it.
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

/** The digest of a user code, in its normalized form. */
export const userHashOf = (typed: string): Buffer => sha256(normalUserCode(typed));

/**
 * Issues codes to a machine. Only the confirmation is audited: anonymous requests could flood the audit log.
 */
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
    // Another waiting machine has the same user code: try a new one.
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

/**
 * Answers a machine's poll, with the key once a person has confirmed. Only handing over the key runs in a
 * transaction and is audited.
 */
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

/**
 * Returns the person for whom the key with this secret acts. @throws DomainError when no active key with
 * permissions has it
 */
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

/** Describes the person and permissions of a key, to anyone who has its secret. */
export async function describeKey(ctx: Ctx, { secret }: In<typeof devices.describeKey>): Promise<KeyFacts> {
  return factsOf(ctx, secret);
}

/** Revokes a key by its secret, on behalf of its person. An unknown secret counts as already revoked. */
export async function endKey(ctx: Ctx, { secret }: In<typeof devices.endKey>): Promise<null> {
  const actor = await authenticate(ctx.app, secret);
  if (actor?.kind === 'user' && actor.key)
    await unitOfWork(ctx.app, { actor, language: ctx.language, requestId: ctx.requestId }, endOwnKey);
  return null;
}
