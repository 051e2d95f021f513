// The API calls of erasures: preview, start, list, and certificates.
import type { FileAnswer, In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { zipOf } from '#platform/server/files/zip.ts';
import { storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unscheduledRetentionDays } from '#features/operations/backups/rules.ts';
import { planSetting } from '#features/operations/backups/server/index.ts';
import { publicKeyFile } from '#features/operations/licensing/server/index.ts';
import {
  personalDataErrors,
  type Counted,
  type Erasure,
  type ErasurePreview,
  type personalData,
  type Remaining,
} from '../contract.ts';
import {
  booksUntil,
  deletedOfOrganization,
  deletedTables,
  heldByBackupsUntil,
  type BookYears,
  type Term,
} from '../rules-erasure.ts';
import { bookYearsSetting, eraseJob, sealedTerms, termsOfSubject } from './erase.ts';
import { approvalsAbout } from './erase-approvals.ts';
import { countHolding, countOf, isFrozen, textFields } from './store-erasure.ts';
import {
  certificateOf,
  erasureById,
  insertErasure,
  lastBillYear,
  newestErasures,
  obstaclesOf,
  peopleOf,
  subjectById,
  type Subject,
} from './store-erasures.ts';

async function subjectOf(ctx: Ctx, subjectId: string): Promise<Subject> {
  const subject = await subjectById(ctx, subjectId);
  if (!subject) throw domainError(personalDataErrors, 'personaldata.subject_not_found');
  if (subject.isErased) throw domainError(personalDataErrors, 'personaldata.erased_already');
  return subject;
}

const erasedOf = ({ organizationId, userId }: Subject) => ({ organizationId, userId });

/** What would be deleted and changed, table by table, and what would stay. */
async function expected(
  ctx: Ctx,
  subject: Subject,
  terms: readonly Term[],
): Promise<{ counts: Counted[]; remains: Remaining[] }> {
  const counts = new Map<string, Counted>();
  const add = (table: string, deleted: number, changed: number): void => {
    const before = counts.get(table);
    if (deleted + changed > 0)
      counts.set(table, {
        table,
        deleted: (before?.deleted ?? 0) + deleted,
        changed: (before?.changed ?? 0) + changed,
      });
  };
  const tablesToDelete: readonly string[] = [
    ...deletedTables,
    ...(subject.kind === 'organization' ? deletedOfOrganization : []),
  ];
  for (const table of tablesToDelete) add(table, await countOf(ctx, table, erasedOf(subject)), 0);
  add('approval', 0, (await approvalsAbout(ctx, erasedOf(subject), terms)).length);
  const remains: Remaining[] = [];
  for (const [table, fields] of Map.groupBy(await textFields(ctx), (field) => field.table)) {
    if (tablesToDelete.includes(table) || table === 'erasure' || table === 'approval') continue;
    for (const { field, rows } of await countHolding(ctx, fields, erasedOf(subject), terms)) {
      if (isFrozen(field)) remains.push({ field: `${table}.${field.column}`, rows });
      else add(table, 0, rows);
    }
  }
  return { counts: [...counts.values()], remains };
}

export async function previewErasure(
  ctx: Ctx,
  { subjectId }: In<typeof personalData.previewErasure>,
): Promise<ErasurePreview> {
  const subject = await subjectOf(ctx, subjectId);
  const terms = await termsOfSubject(ctx, subject);
  const year = await lastBillYear(ctx, subject.organizationId);
  return {
    subjectId,
    kind: subject.kind,
    name: subject.name,
    people: (await peopleOf(ctx, subject)).length,
    obstacles: await obstaclesOf(ctx, subject),
    ...(await expected(ctx, subject, terms)),
    backupsUntil: heldByBackupsUntil(ctx.now, await ctx.setting(planSetting), unscheduledRetentionDays),
    booksUntil: year === null ? null : booksUntil(year, await ctx.setting(bookYearsSetting)),
  };
}

/** Starts an erasure. Throws when an obstacle prevents it, or when the wrong name was typed. */
export async function startErasure(
  ctx: Ctx,
  { subjectId, name, reason }: In<typeof personalData.startErasure>,
): Promise<Erasure> {
  const subject = await subjectOf(ctx, subjectId);
  if (name.trim() !== subject.name.trim())
    throw domainError(personalDataErrors, 'personaldata.other_name', undefined, ['name']);
  const obstacles = await obstaclesOf(ctx, subject);
  if (obstacles.length > 0)
    throw domainError(personalDataErrors, 'personaldata.in_the_way', {
      // used as: 'personaldata.obstacle_*'
      list: obstacles
        .map(({ kind, count }) => ctx.text(`personaldata.obstacle_${kind}`, { count }))
        .join(ctx.text('personaldata.list_joint')),
    });
  const lowerReason = reason.toLowerCase();
  if ((await termsOfSubject(ctx, subject)).some(({ text }) => lowerReason.includes(text.toLowerCase())))
    throw domainError(personalDataErrors, 'personaldata.reason_names', undefined, ['reason']);
  const erasureId = ctx.newId('ers');
  const { kind, organizationId, userId } = subject;
  const isNew = await insertErasure(ctx, {
    id: erasureId,
    kind,
    organizationId,
    userId,
    reason,
    askedBy: person(ctx).userId,
    askedAt: ctx.now,
    terms: await sealedTerms(ctx, erasureId, subject),
  });
  if (!isNew) throw domainError(personalDataErrors, 'personaldata.erased_already');
  await ctx.enqueue(eraseJob.name, { erasureId }, erasureId);
  ctx.audit('personaldata.startErasure', erasureId, { subjectId });
  return required(await erasureById(ctx, erasureId), 'the erasure that was just asked for');
}

export async function listErasures(ctx: Ctx): Promise<{ items: Erasure[] }> {
  return { items: await newestErasures(ctx) };
}

export async function erasureCertificate(
  ctx: Ctx,
  { erasureId }: In<typeof personalData.erasureCertificate>,
): Promise<FileAnswer> {
  if (!(await erasureById(ctx, erasureId)))
    throw domainError(personalDataErrors, 'personaldata.erasure_not_found');
  const found = await certificateOf(ctx, erasureId);
  if (!found) throw domainError(personalDataErrors, 'personaldata.not_finished');
  return {
    fileName: `${ctx.text('personaldata.certificate_file')}-${erasureId}.zip`,
    mediaType: 'application/zip',
    body: zipOf([
      { name: 'certificate.json', content: [found.certificate] },
      { name: 'certificate.json.sig', content: [found.signature] },
      { name: 'public-keys.json', content: [await publicKeyFile(ctx)] },
    ]),
  };
}

export const bookYears = (ctx: Ctx): Promise<BookYears> => ctx.setting(bookYearsSetting);

export async function saveBookYears(
  ctx: Ctx,
  years: In<typeof personalData.saveBookYears>,
): Promise<BookYears> {
  await storeSetting(ctx.db, bookYearsSetting, years, ctx.now, person(ctx).userId);
  ctx.audit('personaldata.saveBookYears', undefined, { ...years });
  return years;
}
