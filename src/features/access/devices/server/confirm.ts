// Decisions of a signed-in person about a waiting machine. Wrong codes count as failed attempts, as with a
// second factor.
import type { In, Out } from '#kernel/contract.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import { dayMs } from '#kernel/durations.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { makeOwnKey } from '#features/access/identity/server/index.ts';
import { beginAttempt } from '#features/access/signin/server/index.ts';
import { devicesErrors, type devices } from '../contract.ts';
import { possiblePermissions } from '../rules.ts';
import { userHashOf } from './ask.ts';
import { decideDevice, waitingDevice, type WaitingDevice } from './store.ts';

/** Finds the machine with this code. @throws DomainError 404 for a wrong code, 429 after many wrong ones */
async function deviceOf(ctx: Ctx, userCode: string): Promise<WaitingDevice> {
  const attempt = await beginAttempt(ctx.app, { subject: `device:${person(ctx).userId}` });
  const device = await waitingDevice(ctx.db, userHashOf(userCode), ctx.now);
  if (!device) {
    await attempt.failed();
    throw domainError(devicesErrors, 'devices.code_unknown', {}, ['userCode']);
  }
  await attempt.good();
  return device;
}

const unit = <T>(ctx: Ctx, run: (own: Ctx) => Promise<T>): Promise<T> =>
  unitOfWork(ctx.app, { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId }, run);

/** Returns what the machine with this code requests. */
export async function findDevice(
  ctx: Ctx,
  { userCode }: In<typeof devices.findDevice>,
): Promise<Out<typeof devices.findDevice>> {
  const { permissions, ...device } = await deviceOf(ctx, userCode);
  return { ...device, asked: permissions, possible: possiblePermissions(person(ctx).role, permissions) };
}

/** Creates the key; the machine gets its secret at its next poll. */
export async function confirmDevice(
  ctx: Ctx,
  input: In<typeof devices.confirmDevice>,
): Promise<Out<typeof devices.confirmDevice>> {
  const device = await deviceOf(ctx, input.userCode);
  const possible = possiblePermissions(person(ctx).role, device.permissions);
  if (!input.permissions.every((one) => device.permissions.includes(one)))
    throw new ValidationError([{ field: 'permissions', code: 'devices.more_than_asked' }]);
  if (!input.permissions.every((one) => possible.includes(one)))
    throw new ValidationError([{ field: 'permissions', code: 'devices.read_only' }]);
  if (input.irreversible === true && !device.irreversible)
    throw new ValidationError([{ field: 'irreversible', code: 'devices.more_than_asked' }]);
  const expiresAt = new Date(ctx.now.getTime() + input.days * dayMs);
  return unit(ctx, async (own) => {
    own.audit('devices.confirmDevice', undefined, { address: device.address });
    const key = await makeOwnKey(own, {
      name: device.name,
      permissions: input.permissions,
      irreversible: input.irreversible ?? false,
      expiresAt,
    });
    const decision = { state: 'confirmed', keyId: key.id } as const;
    if (!(await decideDevice(own, userHashOf(input.userCode), decision)))
      throw domainError(devicesErrors, 'devices.code_unknown', {}, ['userCode']);
    return { keyId: key.id, name: key.name, expiresAt };
  });
}

/** Denies the request; the machine learns of it at its next poll. */
export async function refuseDevice(ctx: Ctx, { userCode }: In<typeof devices.refuseDevice>): Promise<null> {
  const device = await deviceOf(ctx, userCode);
  await unit(ctx, async (own) => {
    if (!(await decideDevice(own, userHashOf(userCode), { state: 'refused' })))
      throw domainError(devicesErrors, 'devices.code_unknown', {}, ['userCode']);
    own.audit('devices.refuseDevice', undefined, { name: device.name, address: device.address });
  });
  return null;
}
