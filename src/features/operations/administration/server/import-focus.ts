// Imports a FOCUS file: rows become organizations, services, prices, subscriptions and usage, in chunks that
// can be repeated.
import { createHash } from 'node:crypto';
import type { Id } from '#kernel/ids.ts';
import { asError } from '#kernel/errors.ts';
import { isDatabaseUnavailable } from '#platform/server/database/unavailable.ts';
import { csvRecords } from '#platform/server/files/csv-read.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { addService, withDefaults } from '#features/selling/catalogue/server/index.ts';
import { insertOrganization, mailLanguage } from '#features/access/identity/server/index.ts';
import { ensureSubscription } from '#features/selling/subscriptions/server/index.ts';
import { recordUsage } from '#features/metering/usage/server/index.ts';
import {
  isRowRejection,
  neededColumns,
  readFocusRow,
  type FocusAccount,
  type FocusRow,
  type FocusUsage,
} from '../rules.ts';
import { importDemoServices } from './import-demo.ts';
import {
  emptyScan,
  focusEventType,
  pairOf,
  prepareServices,
  scanRow,
  skuProperties,
  type FocusScan,
  type SkuServices,
} from './sku-services.ts';
import {
  contentOf,
  emptyReport,
  importById,
  insertRows,
  storeProgress,
  type StoredReport,
  type ValuedRow,
} from './store.ts';

const chunkRows = 500;
const longestRefusedList = 1000;
type NumberedRow = { readonly row: number; readonly rowId: string; readonly fields: FocusRow };
type Known = {
  organizations: Map<string, Id<'org'>>;
  services: Map<string, Id<'svc'>>;
  prices: Set<string>;
  subscriptions: Map<string, Id<'sub'>>;
};
type Report = { -readonly [K in keyof StoredReport]: StoredReport[K] };

const actor = { kind: 'system', name: 'import-focus' } as const;

/** Parses a file; every row gets its number and an id that stays the same when the file is imported again. */
export async function* rowsOf(content: Buffer): AsyncGenerator<NumberedRow> {
  const seen = new Map<string, number>();
  let row = 1;
  const options = { columns: true, bom: true, skip_empty_lines: true, relax_column_count: false };
  for await (const fields of csvRecords<FocusRow>(content, options)) {
    row++;
    yield { row, rowId: rowIdOf(fields, seen), fields };
  }
}

/**
 * The file's own Id column if it has one; otherwise a digest of the whole row and of how often that row has
 * occurred before.
 */
function rowIdOf(fields: FocusRow, seen: Map<string, number>): string {
  const own = fields['Id'];
  if (own) return own.slice(0, 200);
  const digest = createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 32);
  const earlier = seen.get(digest) ?? 0;
  seen.set(digest, earlier + 1);
  return `${digest}.${earlier}`;
}

/**
 * Returns the columns that a file's header lacks and the number of rows, counted up to `most`; throws
 * csv-parse's error when that part is not CSV. A file without the columns is not read beyond its first row.
 */
export async function inspectFocus(
  content: Buffer,
  most: number,
): Promise<{ missing: string[]; rows: number }> {
  let rows = 0;
  let missing: string[] = [...neededColumns];
  for await (const { fields } of rowsOf(content)) {
    if (rows === 0) missing = neededColumns.filter((column) => !(column in fields));
    rows++;
    if (missing.length > 0 || rows >= most) break;
  }
  return { missing, rows };
}

/** Runs an import, from where an interrupted run stopped; a canceled import stops before its next chunk. */
export const importFocusJob = job<{ importId: Id<'imp'>; demoRefs?: readonly string[] }>({
  name: 'import-focus',
  retryLimit: 2,
  run: async (app, { importId, demoRefs }) => {
    try {
      await runImport(app, importId, demoRefs);
    } catch (error) {
      // The retried job continues where this run stopped, once the database is back.
      if (isDatabaseUnavailable(error)) throw error;
      app.log.error({ err: error, importId }, 'import failed');
      await unitOfWork(app, { actor }, async (ctx) => {
        await storeProgress(ctx, importId, {
          state: 'failed',
          failure: asError(error).message,
        });
        ctx.publish('system/imports', { kind: 'failed', importId });
      });
    }
  },
});

/** `demoRefs`: the references of the demo's organizations, when the file is the demo's. */
async function runImport(app: App, importId: Id<'imp'>, demoRefs?: readonly string[]): Promise<void> {
  const { content, started } = await unitOfWork(app, { actor, mode: 'read' }, async (ctx) => ({
    content: await contentOf(ctx, importId),
    started: await importById(ctx, importId),
  }));
  if (!content || !started || started.state === 'done' || started.state === 'canceled') return;
  const scan = emptyScan();
  for await (const { fields } of rowsOf(content)) scanRow(scan, fields);
  const { rows: rowsTotal } = scan;
  const prepared = await prepare(app, importId, scan, started.rowsDone);
  if (!prepared) return;
  const { services } = prepared;
  let known: Known = {
    organizations: new Map(),
    services: new Map(),
    prices: new Set(),
    subscriptions: new Map(),
  };
  let { report } = prepared;
  let done = 0;
  const flush = async (chunk: readonly NumberedRow[]): Promise<boolean> => {
    const after = await unitOfWork(app, { actor }, async (ctx) => {
      const current = await importById(ctx, importId, true);
      if (!current || current.state === 'canceled') return undefined;
      // A copy for this attempt, because a rolled-back attempt would leave ids that do not exist.
      const draft: Known = {
        organizations: new Map(known.organizations),
        services: new Map(known.services),
        prices: new Set(known.prices),
        subscriptions: new Map(known.subscriptions),
      };
      const next = await importChunk(ctx, chunk, { scan, services, known: draft }, report);
      await storeProgress(ctx, importId, {
        state: 'running',
        rowsTotal,
        rowsDone: done + chunk.length,
        report: next,
      });
      ctx.publish('system/imports', { kind: 'progress', importId, rowsDone: done + chunk.length, rowsTotal });
      return { report: next, known: draft };
    });
    if (!after) return false;
    ({ report, known } = after);
    done += chunk.length;
    return true;
  };
  let chunk: NumberedRow[] = [];
  for await (const row of rowsOf(content)) {
    // The report already includes chunks that an interrupted run finished.
    if (row.row - 1 <= started.rowsDone) {
      done = started.rowsDone;
      continue;
    }
    chunk.push(row);
    if (chunk.length < chunkRows) continue;
    if (!(await flush(chunk))) return;
    chunk = [];
  }
  if (chunk.length > 0 && !(await flush(chunk))) return;
  if (demoRefs) report = addedTo(report, await importDemoServices(app, demoRefs));
  await unitOfWork(app, { actor }, async (ctx) => {
    await storeProgress(ctx, importId, { state: 'done', rowsTotal, rowsDone: rowsTotal, report });
    ctx.audit('administration.importFocus', importId, {
      rows: rowsTotal,
      events: report.events,
      refused: report.refusedTotal,
    });
    ctx.publish('system/imports', { kind: 'done', importId });
  });
}

const addedTo = (
  report: StoredReport,
  made: Awaited<ReturnType<typeof importDemoServices>>,
): StoredReport => {
  const sum = (name: keyof typeof made) => ({
    created: report[name].created + made[name].created,
    existing: report[name].existing + made[name].existing,
  });
  return {
    ...report,
    services: sum('services'),
    priceVersions: sum('priceVersions'),
    subscriptions: sum('subscriptions'),
    events: sum('events'),
  };
};

/**
 * Creates the services of the file, and counts them in the report of a new import; undefined when it was
 * canceled.
 */
async function prepare(
  app: App,
  importId: Id<'imp'>,
  scan: FocusScan,
  rowsDone: number,
): Promise<{ services: SkuServices; report: StoredReport } | undefined> {
  return unitOfWork(app, { actor }, async (ctx) => {
    const current = await importById(ctx, importId, true);
    if (!current || current.state === 'canceled') return undefined;
    const services = await prepareServices(ctx, scan);
    const { services: before, priceVersions } = current.report;
    // An interrupted job finds the services that it created itself.
    const isResumed = before.created + before.existing > 0;
    const report: StoredReport = isResumed
      ? current.report
      : {
          ...current.report,
          services: { created: services.created, existing: services.existing },
          priceVersions: { ...priceVersions, created: services.pricesCreated },
        };
    await storeProgress(ctx, importId, { state: 'running', rowsTotal: scan.rows, rowsDone, report });
    return { services, report };
  });
}

/** The context in which rows are imported: the file's services, and what earlier chunks found. */
type Importing = { readonly scan: FocusScan; readonly services: SkuServices; readonly known: Known };

const counted = (counts: StoredReport['events'], created: boolean): StoredReport['events'] =>
  created ? { ...counts, created: counts.created + 1 } : { ...counts, existing: counts.existing + 1 };

/** Imports one chunk in this transaction, and returns the updated report. */
async function importChunk(
  ctx: Ctx,
  chunk: readonly NumberedRow[],
  importing: Importing,
  before: StoredReport,
): Promise<StoredReport> {
  const report: Report = { ...emptyReport, ...before, refused: [...before.refused] };
  const reject = (row: NumberedRow, code: string, listCost: string | null): void => {
    report.refusedTotal++;
    if (report.refused.length < longestRefusedList)
      report.refused.push({ row: row.row, rowId: row.rowId, code, listCost });
  };
  const months = new Set(before.months);
  const usages: { row: NumberedRow; usage: FocusUsage; subscriptionId: Id<'sub'> }[] = [];
  const valued: ValuedRow[] = [];
  for (const row of chunk) {
    const read = readFocusRow(row.fields);
    if (read.month) months.add(read.month);
    if (isRowRejection(read)) {
      reject(row, read.code, read.listCost);
      // The sub-account becomes a customer even if none of its rows is usage.
      if (read.account) await organizationFor(ctx, read.account, importing.known, report);
      if (read.month && read.listCost !== null)
        valued.push({
          source: read.source,
          rowId: row.rowId,
          month: read.month,
          currency: read.currency,
          subscriptionId: null,
          listCost: read.listCost,
          exactCost: null,
          refusedCode: read.code,
        });
    } else
      usages.push({ row, usage: read, subscriptionId: await subscriptionFor(ctx, read, importing, report) });
  }
  const results = await recordUsage(
    ctx,
    usages.map(({ row, usage, subscriptionId }) => ({
      source: usage.source,
      id: row.rowId,
      type: focusEventType,
      subscriptionId,
      time: usage.time,
      value: usage.quantity,
      properties: importing.services.single.has(usage.serviceRef)
        ? usage.properties
        : { ...usage.properties, ...skuProperties(usage) },
      isTimed: true,
    })),
    { organizationId: null, keyId: null },
  );
  for (const [index, { row, usage, subscriptionId }] of usages.entries()) {
    const result = results[index];
    const refusedCode = result?.outcome === 'rejected' ? result.code : null;
    if (refusedCode) reject(row, refusedCode, usage.listCost);
    else report.events = counted(report.events, result?.outcome === 'accepted');
    // A row with the id of an earlier row is rejected, so its cost does not count.
    if (refusedCode === 'usage.conflict') continue;
    valued.push({
      source: usage.source,
      rowId: row.rowId,
      month: usage.month,
      currency: usage.currency,
      subscriptionId: refusedCode ? null : subscriptionId,
      listCost: usage.listCost,
      exactCost: refusedCode ? null : usage.exactCost,
      refusedCode,
    });
  }
  await insertRows(ctx, valued);
  report.months = [...months].toSorted();
  return report;
}

/** Returns the subscription for a row, creating its organization, service and price if they are new. */
async function subscriptionFor(
  ctx: Ctx,
  usage: FocusUsage,
  { scan, services, known }: Importing,
  report: Report,
): Promise<Id<'sub'>> {
  const organizationId = await organizationFor(ctx, usage, known, report);
  const isSingle = services.single.has(usage.serviceRef);
  const serviceId = isSingle ? await singleServiceFor(ctx, usage, known, report) : services.serviceOf(usage);
  const pair = `${organizationId} ${serviceId}`;
  const knownId = known.subscriptions.get(pair);
  if (knownId) return knownId;
  const startedAt = isSingle ? usage.periodStart : (scan.starts.get(pairOf(usage)) ?? usage.periodStart);
  const made = await ensureSubscription(ctx, { organizationId, serviceId, startedAt });
  known.subscriptions.set(pair, made.id);
  report.subscriptions = counted(report.subscriptions, made.created);
  return made.id;
}

/** Returns the organization of a sub-account. Imported ones bill in UTC, as FOCUS periods do. */
async function organizationFor(
  ctx: Ctx,
  account: FocusAccount,
  known: Known,
  report: Report,
): Promise<Id<'org'>> {
  const knownId = known.organizations.get(account.organizationRef);
  if (knownId) return knownId;
  const made = await insertOrganization(ctx, {
    name: account.organizationName,
    timeZone: 'UTC',
    language: await ctx.setting(mailLanguage),
    externalRef: account.organizationRef,
  });
  known.organizations.set(account.organizationRef, made.id);
  report.organizations = counted(report.organizations, made.created);
  return made.id;
}

/**
 * Returns the service for a single SKU, as created by imports before rate cards: it continues with its
 * prices.
 */
async function singleServiceFor(
  ctx: Ctx,
  usage: FocusUsage,
  known: Known,
  report: Report,
): Promise<Id<'svc'>> {
  const priceKey = `${usage.serviceRef} ${usage.periodStart.toISOString()} ${usage.currency} ${usage.unitPrice}`;
  const knownId = known.services.get(usage.serviceRef);
  if (knownId && known.prices.has(priceKey)) return knownId;
  const service = withDefaults({
    name: usage.serviceName,
    type: usage.serviceType,
    category: usage.serviceCategory,
    description: usage.description,
    meter: { eventType: focusEventType, aggregation: 'sum', unit: usage.unit },
  });
  const made = await addService(
    ctx,
    { ...service, externalRef: usage.serviceRef },
    { model: 'per_unit', currency: usage.currency, unitPrice: usage.unitPrice },
    usage.periodStart,
  );
  if (!knownId) report.services = counted(report.services, made.created);
  report.priceVersions = counted(report.priceVersions, made.priceCreated);
  known.services.set(usage.serviceRef, made.id);
  known.prices.add(priceKey);
  return made.id;
}
