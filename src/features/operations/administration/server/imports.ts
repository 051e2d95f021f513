// API calls of imports: start, list, stop, and compare bills with the costs in the file.
import { readFile } from 'node:fs/promises';
import type { In, Out } from '#kernel/contract.ts';
import { decimal, decimalText } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { isCurrency } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { billedTotals } from '#features/invoicing/billing/server/index.ts';
import { administrationErrors, type administration, type FocusImport } from '../contract.ts';
import { isRowRejection, readFocusRow } from '../rules.ts';
import { demoServiceKeys, demoServiceRef } from './demo-services.ts';
import { importFocusJob, inspectFocus, rowsOf } from './import-focus.ts';
import {
  fileSums,
  importById,
  importedSubscriptions,
  insertImport,
  storeProgress,
  pageOfImports,
  type ImportRow,
} from './store.ts';

const demoFile = new URL('../../../../../demo-data/focus-sample.csv', import.meta.url);

const view = (ctx: Ctx, row: ImportRow): FocusImport => ({
  ...row,
  report: {
    ...row.report,
    refused: row.report.refused.map((each) => ({ ...each, message: ctx.text(each.code) })),
  },
});

// The upload checks only this many rows, because the user waits; the job reads the rest and reports its
// errors.
const rowsLookedAt = 1000;

/** Checks a file's format and stores it for the import job. */
async function begin(
  ctx: Ctx,
  fileName: string,
  content: Buffer,
  demoRefs?: readonly string[],
): Promise<{ id: Id<'imp'> }> {
  const found = await inspectFocus(content, rowsLookedAt).catch((error: unknown) => {
    ctx.app.log.info({ requestId: ctx.requestId, err: error }, 'file is no CSV');
    throw domainError(administrationErrors, 'administration.import_not_csv', {
      reason: error instanceof Error ? error.message : '',
    });
  });
  if (found.rows === 0) throw domainError(administrationErrors, 'administration.import_empty');
  if (found.missing.length > 0)
    throw domainError(administrationErrors, 'administration.import_columns_missing', {
      columns: found.missing.join(', '),
    });
  const importId = await insertImport(
    ctx,
    fileName,
    content,
    ctx.actor.kind === 'system' ? ctx.actor.name : person(ctx).userId,
  );
  // Imports run one at a time: two that create the same organizations would only wait for each other.
  await ctx.enqueue(importFocusJob.name, { importId, ...(demoRefs && { demoRefs }) });
  ctx.publish('system/imports', { kind: 'waiting', importId });
  return { id: importId };
}

export async function importFocus(
  ctx: Ctx,
  input: In<typeof administration.importFocus>,
  reply: Reply,
): Promise<Out<typeof administration.importFocus>> {
  if (!reply.raw || reply.raw.bytes.length === 0)
    throw domainError(administrationErrors, 'administration.import_empty');
  return begin(ctx, input.fileName ?? 'focus.csv', reply.raw.bytes);
}

/** Imports the FOCUS sample data that comes with the console. */
export async function importDemo(ctx: Ctx): Promise<Out<typeof administration.importDemo>> {
  const content = await readFile(demoFile).catch(() => {
    throw domainError(administrationErrors, 'administration.demo_missing');
  });
  return begin(ctx, 'focus-sample.csv', content, await demoReferences());
}

let references: Promise<readonly string[]> | undefined;
/** Returns the external references of the demo data's organizations and services. */
export function demoReferences(): Promise<readonly string[]> {
  return (references ??= readReferences());
}

async function readReferences(): Promise<readonly string[]> {
  const found = new Set<string>(demoServiceKeys.map(demoServiceRef));
  for await (const { fields } of rowsOf(await readFile(demoFile))) {
    const read = readFocusRow(fields);
    if (isRowRejection(read)) {
      if (read.account) found.add(read.account.organizationRef);
    } else {
      // Before rate cards, each SKU was a service of its own.
      found.add(read.organizationRef).add(read.providerServiceRef).add(read.serviceRef);
    }
  }
  return [...found];
}

async function requireImport(ctx: Ctx, importId: string, lock = false): Promise<ImportRow> {
  const found = await importById(ctx, importId, lock);
  if (!found) throw domainError(administrationErrors, 'administration.import_not_found');
  return found;
}

export async function getImport(ctx: Ctx, input: In<typeof administration.getImport>): Promise<FocusImport> {
  return view(ctx, await requireImport(ctx, input.importId));
}

export async function listImports(
  ctx: Ctx,
  input: In<typeof administration.listImports>,
): Promise<Out<typeof administration.listImports>> {
  const page = await pageOfImports(ctx, input);
  return { ...page, items: page.items.map((row) => view(ctx, row)) };
}

/** Stops an import before its next chunk; imported rows stay, and the same file can be imported again. */
export async function cancelImport(
  ctx: Ctx,
  input: In<typeof administration.cancelImport>,
): Promise<FocusImport> {
  const found = await requireImport(ctx, input.importId, true);
  if (found.state !== 'waiting' && found.state !== 'running')
    throw domainError(administrationErrors, 'administration.import_finished');
  await storeProgress(ctx, found.id, { state: 'canceled' });
  ctx.publish('system/imports', { kind: 'canceled', importId: found.id });
  return view(ctx, await requireImport(ctx, found.id));
}

/** Compares the bills of a month with the imported files' ListCost, to the last digit. */
export async function reconcile(
  ctx: Ctx,
  input: In<typeof administration.reconcile>,
): Promise<Out<typeof administration.reconcile>> {
  const billed = await billedTotals(ctx, input.month, await importedSubscriptions(ctx, input.month));
  const items = (await fileSums(ctx, input.month)).flatMap((file) => {
    if (!isCurrency(file.currency)) return [];
    const totals = billed.get(file.currency) ?? {
      exact: '0',
      net: '0',
      tax: '0',
      total: '0',
      bills: 0,
      lines: 0,
    };
    const rounding = decimal(totals.net).minus(decimal(totals.exact));
    const unexplained = decimal(totals.net).minus(decimal(file.exact)).minus(rounding);
    return [
      {
        ...file,
        currency: file.currency,
        rounding: decimalText(rounding),
        net: totals.net,
        tax: totals.tax,
        total: totals.total,
        bills: totals.bills,
        lines: totals.lines,
        unexplained: decimalText(unexplained),
      },
    ];
  });
  return { month: input.month, items };
}
