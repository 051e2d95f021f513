// Revokes licenses, and signs the list by which offline verifiers learn of it.
import type { FileAnswer, In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { dayMs } from '#kernel/durations.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { licensingErrors, type LicenceDetail, type licensing } from '../contract.ts';
import { revocationDays } from '../rules.ts';
import { presentKey } from './keys.ts';
import { requireLicence, toDetail } from './read.ts';
import { signedFile } from './signing.ts';
import { allRevoked, licenceById, revoke } from './store.ts';

export async function revokeLicence(
  ctx: Ctx,
  { licenceId, reason }: In<typeof licensing.revokeLicence>,
): Promise<LicenceDetail> {
  // Under a lock, because numbers must have no gaps and must be committed in ascending order.
  await lockUntilEnd(ctx, 'licence revocations');
  const licence = await licenceById(ctx, licenceId, true);
  if (!licence) throw domainError(licensingErrors, 'licensing.not_found');
  if (licence.revokedAt) throw domainError(licensingErrors, 'licensing.revoked');
  await revoke(ctx, licenceId, reason, person(ctx).userId);
  ctx.audit('licensing.revokeLicence', licenceId, {
    reason,
    subscriptionId: licence.subscriptionId,
    organizationId: licence.organizationId,
  });
  return toDetail(ctx, await requireLicence(ctx, licenceId));
}

/**
 * Returns the current revocation list. `number` is that of its latest revocation: lists with the same number
 * are equal, and a verifier that has seen a higher number rejects the list. It contains only ids, no
 * customers.
 */
export async function revocations(ctx: Ctx): Promise<FileAnswer> {
  const revoked = await allRevoked(ctx);
  const file = signedFile('skytally-licence-revocations', await presentKey(ctx), {
    format: 'skytally-licence-revocations',
    version: 1,
    number: Number(revoked.at(-1)?.number ?? 0n),
    issuedAt: ctx.now.toISOString(),
    nextUpdate: new Date(ctx.now.getTime() + revocationDays * dayMs).toISOString(),
    revoked: revoked.map(({ licenceId, revokedAt }) => ({ licenceId, revokedAt: revokedAt.toISOString() })),
  });
  return { fileName: 'revocations.lic', mediaType: 'application/octet-stream', body: Buffer.from(file) };
}
