// API calls of nightly exports: overview, run now, stop, settings, test.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError, ValidationError } from '#kernel/errors.ts';
import { writeText } from '#platform/server/files/store/file-store.ts';
import { targetIssue } from '#platform/server/outbound/outbound-pinned.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { nextDue } from '#features/operations/backups/rules.ts';
import {
  dataExportsErrors,
  type DataExport,
  type DataExportOverview,
  type DataExportPlan,
  type dataExports,
} from '../contract.ts';
import { exportableTables } from '../rules.ts';
import { failureOf, openDestination, placeOf, sealedSecret } from './destination.ts';
import { makeDataExportJob } from './run.ts';
import { planSetting, shownPlan, type StoredPlan } from './settings.ts';
import {
  requestStop,
  insertRun,
  lastDone,
  lastFailed,
  pageOfRuns,
  runById,
  runInTheMaking,
} from './store.ts';

export async function dataExportOverview(ctx: Ctx): Promise<DataExportOverview> {
  const [plan, timeZone] = [await ctx.setting(planSetting), await ctx.setting(timeZoneSetting)];
  return {
    plan: shownPlan(plan),
    timeZone,
    place: placeOf(ctx.app, plan),
    nextAt: plan.isOn ? nextDue(ctx.now, plan.hour, timeZone) : null,
    tables: [...exportableTables],
    running: (await runInTheMaking(ctx)) ?? null,
    lastDone: (await lastDone(ctx)) ?? null,
    lastFailed: (await lastFailed(ctx)) ?? null,
  };
}

export const listDataExports = (
  ctx: Ctx,
  input: In<typeof dataExports.listDataExports>,
): Promise<Out<typeof dataExports.listDataExports>> => pageOfRuns(ctx, input);

/** Starts an export, or returns the one in progress. */
export async function makeDataExport(ctx: Ctx): Promise<DataExport> {
  const exportId = await insertRun(ctx, { cause: 'person', by: person(ctx).userId, attempt: 1 });
  if (exportId === undefined)
    return required(await runInTheMaking(ctx), 'the export that is being made already');
  await ctx.enqueue(makeDataExportJob.name, { exportId }, exportId);
  ctx.audit('dataexports.make', exportId);
  return required(await runById(ctx, exportId), 'the export that was just asked for');
}

/** @throws DomainError `dataexports.not_found`, `dataexports.not_running` */
export async function stopDataExport(
  ctx: Ctx,
  { exportId }: In<typeof dataExports.stopDataExport>,
): Promise<null> {
  if (!(await runById(ctx, exportId))) throw domainError(dataExportsErrors, 'dataexports.not_found');
  if (!(await requestStop(ctx, exportId))) throw domainError(dataExportsErrors, 'dataexports.not_running');
  ctx.audit('dataexports.stop', exportId);
  return null;
}

/** The encrypted secret for a plan's bucket. */
function secretFor(
  ctx: Ctx,
  bucket: DataExportPlan['bucket'],
  sent: string | undefined,
  before: StoredPlan,
): string | null {
  if (!bucket) return null;
  if (sent !== undefined) return sealedSecret(ctx.app, sent);
  // A stored key is valid for one server and one user: it must not be sent to any other.
  const isSame =
    before.bucket !== null &&
    (['endpoint', 'region', 'bucket', 'accessKeyId'] as const).every(
      (name) => before.bucket?.[name] === bucket[name],
    );
  if (isSame && before.sealedSecret !== null) return before.sealedSecret;
  throw domainError(dataExportsErrors, 'dataexports.secret_needed', {}, ['secretAccessKey']);
}

/** Stores the schedule, destination and tables of exports. */
export async function saveDataExportPlan(
  ctx: Ctx,
  { secretAccessKey, ...plan }: In<typeof dataExports.saveDataExportPlan>,
): Promise<DataExportPlan> {
  const unknown = plan.tables?.find((name) => !exportableTables.includes(name));
  if (unknown !== undefined)
    throw domainError(dataExportsErrors, 'dataexports.table_unknown', { name: unknown }, ['tables']);
  const endpoint = plan.bucket?.endpoint ?? null;
  const issue =
    endpoint === null
      ? undefined
      : targetIssue(endpoint, false, ctx.app.config.privateHosts, { isPlainAllowed: true });
  // used as: 'dataexports.address_*'
  if (issue) throw new ValidationError([{ field: 'bucket.endpoint', code: `dataexports.address_${issue}` }]);
  const before = await ctx.setting(planSetting);
  const after: StoredPlan = {
    ...plan,
    since: before.isOn && plan.isOn ? before.since : ctx.now.toISOString(),
    sealedSecret: secretFor(ctx, plan.bucket, secretAccessKey, before),
  };
  await storeSetting(ctx.db, planSetting, after, ctx.now, person(ctx).userId);
  ctx.audit('dataexports.saveDataExportPlan', undefined, {
    before: shownPlan(before),
    after: plan,
    isKeyChanged: secretAccessKey !== undefined,
  });
  return plan;
}

/** Writes, lists and removes a small file at the saved destination, outside of any transaction. */
export async function testDataExport(ctx: Ctx): Promise<Out<typeof dataExports.testDataExport>> {
  const { app, actor, language, requestId } = ctx;
  const plan = await unitOfWork(app, { actor, language, requestId }, async (unit) => {
    const stored = await unit.setting(planSetting);
    unit.audit('dataexports.testDataExport', undefined, { place: placeOf(app, stored) });
    return stored;
  });
  try {
    const { store, base, close } = openDestination(app, plan);
    try {
      const name = `${base}test/skytally-${requestId.replaceAll(/[^\w-]/g, '')}.txt`;
      await writeText(store, name, 'Skytally: this is a test and no export.\n');
      await store.list(`${base}test`);
      await store.remove([name]);
    } finally {
      close();
    }
    return { failure: null };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return { failure };
  }
}
