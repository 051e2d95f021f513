// The files of a month pack, one after the other, all read from one database snapshot. Each file is rendered
// when the archive needs it, and its digest is collected for the manifest.
import * as z from 'zod/mini';
import { money, moneyText } from '#kernel/money.ts';
import { csvOf, figure, type CsvCell } from '#platform/server/files/csv.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { csvWithin } from '#platform/server/files/export.ts';
import type { PdfRenderer } from '#platform/server/pdf/pdf.ts';
import type { PdfDocument } from '#platform/server/pdf/pdf-document.ts';
import { listedBytes, listedText, type ManifestEntry } from '#platform/server/files/listed-files.ts';
import { version } from '#platform/server/version.ts';
import type { ZipEntry } from '#platform/server/files/zip.ts';
import { billPaper, chargeTable, focusTable } from '#features/invoicing/billing/server/index.ts';
import { ledgerTable, trialBalanceTable } from '#features/reporting/books/server/index.ts';
import { corrections, creditPaper } from '#features/invoicing/credits/server/index.ts';
import { transferReference } from '#features/receivables/payments/rules.ts';
import { PackTotals } from '../contract.ts';
import type { RequestedPack } from './store.ts';
import {
  billsOf,
  notesOf,
  packTotals,
  termSums,
  paymentsQuery,
  type MoneyMoved,
  type PackScope,
} from './store-content.ts';

type PackContent = {
  readonly pack: RequestedPack;
  readonly scope: PackScope;
  readonly timeZone: string;
  readonly render: PdfRenderer['render'];
  readonly onProgress: (documents: number, documentsTotal: number) => Promise<void>;
  readonly onTotals: (totals: readonly PackTotals[]) => void;
};

/**
 * Yields all files of the pack. `ctx` must be of a snapshot transaction that stays open until the last file
 * has been read.
 */
export async function* packFiles(
  ctx: Ctx,
  { pack, scope, timeZone, render, onProgress, onTotals }: PackContent,
): AsyncGenerator<ZipEntry, void, void> {
  const entries: ManifestEntry[] = [];
  const { organizationId, month } = scope;
  const { language } = pack;
  const totals = await packTotals(ctx, scope);
  const terms = await termSums(ctx, scope);
  const [bills, notes] = [await billsOf(ctx, scope), await notesOf(ctx, scope)];
  const documentsTotal = bills.length + notes.length;
  let documents = 0;
  const drawn = async (
    folder: string,
    { number, document }: { number: string; document: PdfDocument },
  ): Promise<ZipEntry> => {
    await onProgress(documents, documentsTotal);
    const bytes = await render(document);
    documents += 1;
    return listedBytes(entries, `${folder}/${number}.pdf`, bytes);
  };
  for (const bill of bills)
    yield await drawn('bills', await billPaper(ctx, bill.id, organizationId, bill.language));
  for (const note of notes)
    yield await drawn('credit-notes', await creditPaper(ctx, note.id, organizationId, note.language));
  yield listedText(
    entries,
    'bills.csv',
    csvWithin(ctx, await chargeTable(ctx, corrections, 'packs.make', organizationId, { month, language })),
  );
  await onProgress(documents, documentsTotal);
  yield listedText(
    entries,
    'focus.csv',
    csvWithin(ctx, await focusTable(ctx, corrections, 'packs.make', organizationId, { month })),
  );
  await onProgress(documents, documentsTotal);
  yield listedText(
    entries,
    'ledger.csv',
    csvWithin(ctx, ledgerTable(ctx, language, scope.period, organizationId)),
  );
  await onProgress(documents, documentsTotal);
  const balance = await trialBalanceTable(ctx, language, scope.period.end, organizationId);
  yield listedText(entries, 'trial-balance.csv', csvOf(balance.header, balance.rows));
  yield listedText(
    entries,
    'payments.csv',
    csvWithin(ctx, { ...paymentsTable(ctx, pack), query: paymentsQuery(scope) }),
  );
  await onProgress(documents, documentsTotal);
  onTotals(totals);
  const manifest = {
    format: 'skytally month pack 1',
    month,
    organization: organizationId === null ? null : { id: organizationId, name: pack.organization },
    timeZone,
    language,
    madeAt: ctx.now.toISOString(),
    madeFor: pack.askedBy,
    version,
    counts: { bills: bills.length, creditNotes: notes.length },
    totals: z.encode(z.array(PackTotals), totals),
    terms: terms.map(({ currency, ...sums }) => ({
      currency,
      ...Object.fromEntries(
        Object.entries(sums).map(([kind, minor]) => [kind, moneyText(money(minor, currency))]),
      ),
    })),
    files: entries,
  };
  yield { name: 'manifest.json', content: [`${JSON.stringify(manifest, undefined, 2)}\n`] };
}

const paymentColumns = [
  'date',
  'kind',
  'reference',
  'organization',
  'bill',
  'method',
  'provider_reference',
  'currency',
  'amount',
  'to_bill',
] as const;

function paymentsTable(
  ctx: Ctx,
  { language }: RequestedPack,
): { header: string[]; cells: (row: MoneyMoved) => CsvCell[] } {
  const translate = (key: string): string => ctx.text(key, {}, language);
  const amount = (minor: bigint, row: MoneyMoved): CsvCell => figure(moneyText(money(minor, row.currency)));
  // used as: 'packs.column_*', 'packs.kind_*', 'payments.method_*'
  return {
    header: paymentColumns.map((column) => translate(`packs.column_${column}`)),
    cells: (row) => [
      row.at.toISOString(),
      translate(`packs.kind_${row.kind}`),
      transferReference(row.payment_id),
      row.organization,
      row.bill_number ?? '',
      translate(`payments.method_${row.method}`),
      row.provider_reference ?? '',
      row.currency,
      amount(row.amount_minor, row),
      row.kind === 'refund' || row.kind === 'dispute_fee' ? '' : amount(row.to_bill_minor, row),
    ],
  };
}
