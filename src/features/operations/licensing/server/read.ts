// Reads licenses: the list, one with its machine, and its file.
import type { FileAnswer, In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { licensingErrors, type Licence, type LicenceDetail, type licensing } from '../contract.ts';
import { isWeak, partKinds, stateOf } from '../rules.ts';
import { payloadOf } from './payload.ts';
import { findLicensable, licenceById, pageOfLicences, type LicenceRow } from './store.ts';

const mediaType = 'application/octet-stream';

function toLicence(ctx: Ctx, row: LicenceRow): Licence {
  const {
    id,
    subscriptionId,
    organizationId,
    organization,
    service,
    machine,
    issuedAt,
    expiresAt,
    revokedAt,
    keyId,
  } = row;
  return {
    id,
    state: stateOf(row, ctx.now),
    subscriptionId,
    organizationId,
    organization,
    service,
    machine,
    issuedAt,
    expiresAt,
    revokedAt,
    keyId,
  };
}

/** The file name contains only the id, no names entered by users or machines. */
const fileNameOf = (licenceId: string): string => `${licenceId}.lic`;

export function toDetail(ctx: Ctx, row: LicenceRow): LicenceDetail {
  const { fingerprint, quantity, features, limits } = payloadOf(row.file);
  const parts = fingerprint.parts.map(({ kind, hashes }) => ({ kind, count: hashes.length }));
  const { issuedBy, revokedBy, revokeReason, renews, supersededBy } = row;
  return {
    ...toLicence(ctx, row),
    parts,
    threshold: fingerprint.threshold,
    isWeak: isWeak(
      partKinds.filter((kind) => parts.some((part) => part.kind === kind)).map((kind) => ({ kind })),
    ),
    quantity,
    features,
    limits,
    issuedBy,
    revokedBy,
    revokeReason,
    renews,
    supersededBy,
    sha256: row.sha256.toString('hex'),
    fileName: fileNameOf(row.id),
  };
}

export async function requireLicence(ctx: Ctx, licenceId: string): Promise<LicenceRow> {
  const row = await licenceById(ctx, licenceId);
  if (!row) throw domainError(licensingErrors, 'licensing.not_found');
  return row;
}

export async function listLicences(
  ctx: Ctx,
  input: In<typeof licensing.listLicences>,
): Promise<Page<Licence>> {
  const page = await pageOfLicences(ctx, input);
  return { ...page, items: page.items.map((row) => toLicence(ctx, row)) };
}

export async function listLicensable(
  ctx: Ctx,
  { q }: In<typeof licensing.listLicensable>,
): Promise<Out<typeof licensing.listLicensable>> {
  return { items: await findLicensable(ctx, q) };
}

export async function getLicence(
  ctx: Ctx,
  { licenceId }: In<typeof licensing.getLicence>,
): Promise<LicenceDetail> {
  return toDetail(ctx, await requireLicence(ctx, licenceId));
}

export async function licenceFile(
  ctx: Ctx,
  { licenceId }: In<typeof licensing.licenceFile>,
): Promise<FileAnswer> {
  const { id, file } = await requireLicence(ctx, licenceId);
  return { fileName: fileNameOf(id), mediaType, body: Buffer.from(file) };
}
