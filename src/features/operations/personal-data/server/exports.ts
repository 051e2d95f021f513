// The API calls of exports of organizations' data: create, list, stop, download.
import { contentLanguageOf } from '#kernel/language.ts';
import type { FileAnswer, In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { personalDataErrors, type PersonalExport, type personalData } from '../contract.ts';
import { readExport } from './files.ts';
import { makeExportJob, tidyExports } from './make-export.ts';
import {
  requestStop,
  exportById,
  exportInProgress,
  fileOfExport,
  insertExport,
  newestExports,
} from './store.ts';
import { exportedOrganization } from './store-rows.ts';

async function make(ctx: Ctx, organizationId: string): Promise<PersonalExport> {
  if (!(await exportedOrganization(ctx, organizationId)))
    throw domainError(personalDataErrors, 'personaldata.organization_not_found', undefined, [
      'organizationId',
    ]);
  // An interrupted export is marked as failed first, so that a new one can be requested.
  await tidyExports(ctx.app);
  const { actor, language, requestId } = ctx;
  return unitOfWork(ctx.app, { actor, language, requestId }, async (unit) => {
    const exportId = await insertExport(unit, {
      organizationId,
      language: contentLanguageOf(language),
      askedBy: person(unit).userId,
    });
    if (exportId === undefined)
      return required(await exportInProgress(unit, organizationId), 'the export that is being made already');
    await unit.enqueue(makeExportJob.name, { exportId }, exportId);
    unit.audit('personaldata.make', exportId, { organizationId });
    return required(await exportById(unit, exportId, organizationId), 'the export that was just asked for');
  });
}

/** Starts exporting all data of an organization. */
export const makeExport = (
  ctx: Ctx,
  { organizationId }: In<typeof personalData.makeExport>,
): Promise<PersonalExport> => make(ctx, organizationId);

/** Starts exporting all data of the caller's organization. */
export const makeOwnExport = (ctx: Ctx): Promise<PersonalExport> => make(ctx, tenant(ctx));

export async function listExports(ctx: Ctx): Promise<{ items: PersonalExport[] }> {
  return { items: await newestExports(ctx, null) };
}

export async function listOwnExports(ctx: Ctx): Promise<{ items: PersonalExport[] }> {
  return { items: await newestExports(ctx, tenant(ctx)) };
}

async function stop(ctx: Ctx, exportId: string, organizationId: string | null): Promise<null> {
  if (!(await exportById(ctx, exportId, organizationId)))
    throw domainError(personalDataErrors, 'personaldata.not_found');
  if (!(await requestStop(ctx, exportId))) throw domainError(personalDataErrors, 'personaldata.not_running');
  ctx.audit('personaldata.stop', exportId);
  return null;
}

export const stopExport = (ctx: Ctx, { exportId }: In<typeof personalData.stopExport>): Promise<null> =>
  stop(ctx, exportId, null);

export const stopOwnExport = (ctx: Ctx, { exportId }: In<typeof personalData.stopOwnExport>): Promise<null> =>
  stop(ctx, exportId, tenant(ctx));

/** Downloads an export. The audit log names the downloading person before the first byte is sent. */
async function download(ctx: Ctx, exportId: string, organizationId: string | null): Promise<FileAnswer> {
  if (!(await exportById(ctx, exportId, organizationId)))
    throw domainError(personalDataErrors, 'personaldata.not_found');
  const found = await fileOfExport(ctx, exportId, organizationId);
  const body = found && (await readExport(ctx.app, exportId, found));
  if (!found || !body) throw domainError(personalDataErrors, 'personaldata.not_there');
  const { actor, language, requestId } = ctx;
  await unitOfWork(ctx.app, { actor, language, requestId }, async (unit) =>
    unit.audit('personaldata.download', exportId),
  );
  return {
    fileName: `${ctx.text('personaldata.file_name')}-${found.organization}.zip`,
    mediaType: 'application/zip',
    body,
  };
}

export const downloadExport = (
  ctx: Ctx,
  { exportId }: In<typeof personalData.downloadExport>,
): Promise<FileAnswer> => download(ctx, exportId, null);

export const downloadOwnExport = (
  ctx: Ctx,
  { exportId }: In<typeof personalData.downloadOwnExport>,
): Promise<FileAnswer> => download(ctx, exportId, tenant(ctx));
