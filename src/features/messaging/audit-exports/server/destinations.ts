// An Admin's destinations of the audit log: creating, changing, deleting, testing. Every change is audited,
// without secrets.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError, ValidationError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import { targetIssue } from '#platform/server/outbound/outbound-pinned.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { newSecret } from '#features/messaging/webhooks/server/index.ts';
import {
  auditExportsErrors,
  maxExports,
  type AuditExport,
  type auditExports,
  type Target,
} from '../contract.ts';
import { webAddressOf } from '../rules.ts';
import { ExportFailure } from './deliver.ts';
import { sealedKey } from './deliver-bucket.ts';
import { sendTest } from './send-entries.ts';
import {
  chainEnd,
  changeExport,
  countExports,
  deleteExportRow,
  exportById,
  insertExport,
  lockExport,
  pageOfExports,
  tryAtOnce,
  type CountedExport,
  type ExportRow,
} from './store.ts';

/** A destination as shown to Admins: everything but its secret. */
const viewOf = (row: CountedExport): AuditExport => ({
  id: row.id,
  name: row.name,
  target: row.target,
  secretHint: row.secretHint,
  isPaused: row.isPaused,
  sentSeq: Number(row.sentSeq),
  waiting: Number(row.waiting),
  waitingSince: row.waitingSince,
  lastSentAt: row.lastSentAt,
  failingSince: row.failingSince,
  failure: row.failureCode && { code: row.failureCode, detail: row.failureDetail ?? '' },
  nextTryAt: row.nextTryAt,
  version: row.version,
  createdAt: row.createdAt,
});

export async function listAuditExports(
  ctx: Ctx,
  input: In<typeof auditExports.listAuditExports>,
): Promise<Page<AuditExport>> {
  const page = await pageOfExports(ctx, input);
  return { ...page, items: page.items.map(viewOf) };
}

/** @throws DomainError `auditexports.not_found` */
export async function getAuditExport(
  ctx: Ctx,
  { exportId }: In<typeof auditExports.getAuditExport>,
): Promise<AuditExport> {
  const row = await exportById(ctx, exportId);
  if (!row) throw domainError(auditExportsErrors, 'auditexports.not_found');
  return viewOf(row);
}

async function lockedExport(ctx: Ctx, exportId: string): Promise<ExportRow> {
  const row = await lockExport(ctx, exportId);
  if (!row) throw domainError(auditExportsErrors, 'auditexports.not_found');
  return row;
}

/**
 * Allows only public addresses, and hosts that the operator listed. Names are resolved and checked when the
 * console connects.
 */
function assertTarget(ctx: Ctx, target: Target): void {
  const address =
    target.kind === 'syslog'
      ? webAddressOf(target)
      : target.kind === 'webhook'
        ? target.url
        : (target.endpoint ?? undefined);
  const issue =
    address === undefined
      ? undefined
      : targetIssue(address, false, ctx.app.config.privateHosts, { isPlainAllowed: true });
  const field = { syslog: 'target.host', webhook: 'target.url', bucket: 'target.endpoint' }[target.kind];
  // used as: 'auditexports.address_*'
  if (issue) throw new ValidationError([{ field, code: `auditexports.address_${issue}` }]);
}

/** The encrypted secret of a destination, and its visible hint; a new signing secret is returned once. */
function secretOf(
  ctx: Ctx,
  exportId: string,
  target: Target,
  sent: string | undefined,
  before?: Pick<ExportRow, 'target' | 'secret' | 'secretHint'>,
): { readonly secret: Buffer | null; readonly hint: string; readonly shownOnce: string | null } {
  const kept = before?.secret ?? null;
  if (target.kind === 'syslog') return { secret: null, hint: '', shownOnce: null };
  if (target.kind === 'webhook') {
    if (kept !== null) return { secret: kept, hint: before?.secretHint ?? '', shownOnce: null };
    const { secret, sealed, hint } = newSecret(ctx.app, exportId);
    return { secret: sealed, hint, shownOnce: secret };
  }
  if (sent !== undefined) return { secret: sealedKey(ctx.app, exportId, sent), hint: '', shownOnce: null };
  // A stored key is valid for one server and one user: it must not be sent to any other.
  const isSame =
    before?.target.kind === 'bucket' &&
    before.target.endpoint === target.endpoint &&
    before.target.region === target.region &&
    before.target.bucket === target.bucket &&
    before.target.accessKeyId === target.accessKeyId;
  if (isSame && kept !== null) return { secret: kept, hint: '', shownOnce: null };
  throw domainError(auditExportsErrors, 'auditexports.secret_needed', {}, ['secretAccessKey']);
}

export async function createAuditExport(
  ctx: Ctx,
  { name, target, secretAccessKey, start }: In<typeof auditExports.createAuditExport>,
): Promise<Out<typeof auditExports.createAuditExport>> {
  assertTarget(ctx, target);
  await lockUntilEnd(ctx, 'audit_exports');
  if ((await countExports(ctx)) >= maxExports)
    throw domainError(auditExportsErrors, 'auditexports.too_many', { most: maxExports });
  const exportId = ctx.newId('aex');
  const { secret, hint, shownOnce } = secretOf(ctx, exportId, target, secretAccessKey);
  const from = start === 'now' ? await chainEnd(ctx) : { seq: 0n, hash: sha256('') };
  await insertExport(ctx, {
    id: exportId,
    name,
    target,
    secret,
    secretHint: hint,
    sentSeq: from.seq,
    sentHash: from.hash,
  });
  ctx.audit('auditexports.createAuditExport', exportId, { name, target, start });
  return {
    export: viewOf(required(await exportById(ctx, exportId), 'the new destination')),
    secret: shownOnce,
  };
}

export async function updateAuditExport(
  ctx: Ctx,
  { exportId, version, secretAccessKey, ...change }: In<typeof auditExports.updateAuditExport>,
): Promise<AuditExport> {
  const before = await lockedExport(ctx, exportId);
  if (version !== before.version)
    throw domainError(auditExportsErrors, 'auditexports.changed_meanwhile', { name: before.name });
  const target = change.target ?? before.target;
  if (target.kind !== before.target.kind)
    throw domainError(auditExportsErrors, 'auditexports.kind_fixed', {}, ['target']);
  assertTarget(ctx, target);
  const { secret } = secretOf(ctx, exportId, target, secretAccessKey, before);
  const after = {
    name: change.name ?? before.name,
    target,
    isPaused: change.isPaused ?? before.isPaused,
  };
  await changeExport(ctx, exportId, { ...after, secret });
  ctx.audit('auditexports.updateAuditExport', exportId, {
    before: { name: before.name, target: before.target, isPaused: before.isPaused },
    after,
    isKeyChanged: secretAccessKey !== undefined,
  });
  return getAuditExport(ctx, { exportId });
}

export async function deleteAuditExport(
  ctx: Ctx,
  { exportId }: In<typeof auditExports.deleteAuditExport>,
): Promise<null> {
  const { name, target, sentSeq } = await lockedExport(ctx, exportId);
  await deleteExportRow(ctx, exportId);
  ctx.audit('auditexports.deleteAuditExport', exportId, { name, target, sentSeq: Number(sentSeq) });
  return null;
}

/** Sends a test outside of any transaction, and retries waiting entries at once if it succeeded. */
export async function testAuditExport(
  ctx: Ctx,
  { exportId }: In<typeof auditExports.testAuditExport>,
): Promise<Out<typeof auditExports.testAuditExport>> {
  const { app, actor, language, requestId } = ctx;
  const who = { actor, language, requestId };
  const row = await unitOfWork(app, who, async (unit) => {
    const found = await lockedExport(unit, exportId);
    unit.audit('auditexports.testAuditExport', exportId, { name: found.name });
    return found;
  });
  const { target, secret } = row;
  try {
    await sendTest({ app, exportId, target, secret, signal: new AbortController().signal });
  } catch (error) {
    if (!(error instanceof ExportFailure)) throw error;
    return { failure: { code: error.code, detail: error.detail.slice(0, 300) } };
  }
  await unitOfWork(app, who, (unit) => tryAtOnce(unit, exportId));
  return { failure: null };
}
