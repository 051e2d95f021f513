// The API calls of month packs: create, list, stop, download.
import { contentLanguageOf } from '#kernel/language.ts';
import type { FileAnswer, In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { isMonthOver } from '#features/invoicing/billing/rules.ts';
import { organizationById, timeZoneSetting } from '#features/access/identity/server/index.ts';
import { packsErrors, type Pack, type packs } from '../contract.ts';
import { packStore } from './files.ts';
import { makePackJob, publishPacks, tidyPacks } from './make-pack.ts';
import { requestStop, fileOfPack, insertPack, newestPacks, packById, packInProgress } from './store.ts';
import { countDocuments } from './store-content.ts';

// Rendering a bill takes hundredths of a second, and a job may run for an hour, which limits a pack's size.
const maxDocuments = 40_000;

async function make(
  ctx: Ctx,
  month: BillingMonth,
  organizationId: Id<'org'> | null,
  timeZone: string,
): Promise<Pack> {
  if (!isMonthOver(month, timeZone, ctx.now)) throw domainError(packsErrors, 'packs.month_not_over');
  // An interrupted pack is marked as failed first, so that the caller can request a new one.
  await tidyPacks(ctx.app);
  return unitOfWork(
    ctx.app,
    { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId },
    async (unit) => {
      const documentsTotal = await countDocuments(unit, { organizationId, month });
      if (documentsTotal > maxDocuments)
        throw domainError(packsErrors, 'packs.too_many', { most: maxDocuments });
      const packId = await insertPack(unit, {
        organizationId,
        month,
        language: contentLanguageOf(unit.language),
        askedBy: person(unit).userId,
        documentsTotal,
      });
      if (packId === undefined)
        return required(
          await packInProgress(unit, organizationId, month),
          'the pack that is being made already',
        );
      await unit.enqueue(makePackJob.name, { packId }, packId);
      unit.audit('packs.make', packId, { month });
      publishPacks(unit, organizationId);
      return required(await packById(unit, packId, organizationId), 'the pack that was just asked for');
    },
  );
}

/** Starts creating a month's pack of all organizations. */
export async function makePack(ctx: Ctx, input: In<typeof packs.makePack>): Promise<Pack> {
  return make(ctx, input.month, null, await ctx.setting(timeZoneSetting));
}

/** Starts creating a month's pack of the caller's organization. */
export async function makeOwnPack(ctx: Ctx, input: In<typeof packs.makeOwnPack>): Promise<Pack> {
  const organization = required(await organizationById(ctx.db, tenant(ctx)), 'the actor’s organization');
  return make(ctx, input.month, organization.id, organization.timeZone);
}

export async function listPacks(ctx: Ctx): Promise<{ items: Pack[] }> {
  return { items: await newestPacks(ctx, null) };
}

export async function listOwnPacks(ctx: Ctx): Promise<{ items: Pack[] }> {
  return { items: await newestPacks(ctx, tenant(ctx)) };
}

async function stop(ctx: Ctx, packId: string, organizationId: Id<'org'> | null): Promise<null> {
  if (!(await packById(ctx, packId, organizationId))) throw domainError(packsErrors, 'packs.not_found');
  if (!(await requestStop(ctx, packId))) throw domainError(packsErrors, 'packs.not_running');
  ctx.audit('packs.stop', packId);
  publishPacks(ctx, organizationId);
  return null;
}

export async function stopPack(ctx: Ctx, input: In<typeof packs.stopPack>): Promise<null> {
  return stop(ctx, input.packId, null);
}

export async function stopOwnPack(ctx: Ctx, input: In<typeof packs.stopOwnPack>): Promise<null> {
  return stop(ctx, input.packId, tenant(ctx));
}

/** Downloads a pack. The audit log names the downloading user before the first byte is sent. */
async function download(ctx: Ctx, packId: string, organizationId: Id<'org'> | null): Promise<FileAnswer> {
  if (!(await packById(ctx, packId, organizationId))) throw domainError(packsErrors, 'packs.not_found');
  const found = await fileOfPack(ctx, packId, organizationId);
  const body = found && (await packStore.read(ctx.app, found.fileName));
  if (!found || !body) throw domainError(packsErrors, 'packs.not_there');
  const { actor, language, requestId } = ctx;
  await unitOfWork(ctx.app, { actor, language, requestId }, async (unit) =>
    unit.audit('packs.download', packId, { month: found.month }),
  );
  return {
    fileName: `${ctx.text('packs.file_name')}-${found.month}.zip`,
    mediaType: 'application/zip',
    body,
  };
}

export async function downloadPack(ctx: Ctx, input: In<typeof packs.downloadPack>): Promise<FileAnswer> {
  return download(ctx, input.packId, null);
}

export async function downloadOwnPack(
  ctx: Ctx,
  input: In<typeof packs.downloadOwnPack>,
): Promise<FileAnswer> {
  return download(ctx, input.packId, tenant(ctx));
}
