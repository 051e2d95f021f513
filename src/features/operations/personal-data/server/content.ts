// The files of an organization's export, one after the other, all read from one database snapshot.
import { required } from '#kernel/assert.ts';
import { csvOf, figure, type CsvCell } from '#platform/server/files/csv.ts';
import { csvWithin } from '#platform/server/files/export.ts';
import { listedBytes, listedText, type ManifestEntry } from '#platform/server/files/listed-files.ts';
import type { ZipEntry } from '#platform/server/files/zip.ts';
import type { PdfRenderer } from '#platform/server/pdf/pdf.ts';
import type { PdfDocument } from '#platform/server/pdf/pdf-document.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { version } from '#platform/server/version.ts';
import { billPaper } from '#features/invoicing/billing/server/index.ts';
import { creditPaper } from '#features/invoicing/credits/server/index.ts';
import { everyArchivedEvent } from '#features/metering/usage/server/index.ts';
import { exportedTables, fileOf, tableRules, withheldColumns, type NamedTable } from '../rules.ts';
import { readme } from './readme.ts';
import type { RequestedExport } from './store.ts';
import {
  columnTypes,
  documentsOf,
  ownRows,
  pictureOf,
  picturedPeople,
  subscriptionsOf,
  type RowsAsCsv,
} from './store-rows.ts';

export type ExportProgress = {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly rowsDone: number;
};
type ExportContent = {
  readonly asked: RequestedExport;
  readonly render: PdfRenderer['render'];
  /** Called between files and within long ones; throws when the export must stop. */
  readonly onProgress: (progress: ExportProgress) => Promise<void>;
};

// Reading this many rows takes about a second.
const rowsBetweenReports = 20_000;
const archivedEvents = 'usage/archived_events.csv';

/**
 * Yields all files of the export. `ctx` must be of a snapshot transaction that stays open until the last file
 * has been read.
 */
export async function* exportFiles(
  ctx: Ctx,
  { asked, render, onProgress }: ExportContent,
): AsyncGenerator<ZipEntry, void, void> {
  const { organizationId, language } = asked;
  const entries: ManifestEntry[] = [];
  const rows = new Map<string, number>();
  const types = await columnTypes(ctx);
  const { bills, notes } = await documentsOf(ctx, organizationId);
  const people = await picturedPeople(ctx, organizationId);
  const filesTotal = exportedTables.length + 1 + bills.length + notes.length + people.length;
  let [filesDone, rowsDone] = [0, 0];
  const report = (): Promise<void> => onProgress({ filesDone, filesTotal, rowsDone });
  const counted = (name: string): void => {
    rowsDone += 1;
    rows.set(name, (rows.get(name) ?? 0) + 1);
  };
  for (const table of exportedTables) {
    await report();
    const name = fileOf(table);
    rows.set(name, 0);
    const csv = countedRows(ownRows(types, table, organizationId), () => counted(name));
    yield listedText(entries, name, reported(csvWithin(ctx, csv), report));
    filesDone += 1;
  }
  rows.set(archivedEvents, 0);
  yield listedText(
    entries,
    archivedEvents,
    reported(
      csvOf(
        archivedHeader,
        archivedRows(ctx, organizationId, () => counted(archivedEvents)),
      ),
      report,
    ),
  );
  filesDone += 1;
  const drawn = async (
    folder: string,
    { number, document }: { number: string; document: PdfDocument },
  ): Promise<ZipEntry> => {
    await report();
    const bytes = await render(document);
    filesDone += 1;
    return listedBytes(entries, `bills/${folder}/${number}.pdf`, bytes);
  };
  for (const id of bills) yield await drawn('pdf', await billPaper(ctx, id, organizationId, language));
  for (const id of notes)
    yield await drawn('credit-note-pdf', await creditPaper(ctx, id, organizationId, language));
  for (const userId of people) {
    await report();
    const picture = required(await pictureOf(ctx, userId), 'a picture of the same snapshot');
    filesDone += 1;
    yield listedBytes(entries, `people/pictures/${userId}.webp`, picture);
  }
  await report();
  const readmes = readme(ctx, { organization: asked.organization, rows });
  yield listedText(entries, 'README.txt', [readmes]);
  yield { name: 'manifest.json', content: [manifestOf(ctx, asked, entries, rows)] };
}

function manifestOf(
  ctx: Ctx,
  { organizationId, organization, askedBy, language }: RequestedExport,
  entries: readonly ManifestEntry[],
  rows: ReadonlyMap<string, number>,
): string {
  const manifest = {
    format: 'skytally personal data 1',
    organization: { id: organizationId, name: organization },
    madeAt: ctx.now.toISOString(),
    madeFor: askedBy,
    language,
    version,
    files: entries.map((entry) => ({
      ...entry,
      ...(rows.has(entry.name) && { rows: rows.get(entry.name) }),
    })),
    // The readme lists everything that is left out.
    withheld: exportedTables.flatMap((table: NamedTable) =>
      withheldColumns(table).length === 0 ? [] : [{ file: fileOf(table), columns: withheldColumns(table) }],
    ),
    leftOut: Object.entries(tableRules).flatMap(([table, rule]) =>
      'why' in rule ? [{ table, why: ctx.text(`personaldata.why_${rule.why}`, {}, 'enUS') }] : [],
    ),
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** The same table, counting rows as they are written. */
const countedRows = (table: RowsAsCsv, onRow: () => void): RowsAsCsv => ({
  ...table,
  cells: (row) => {
    onRow();
    return table.cells(row);
  },
});

/** The same text, with regular progress reports, so that a long file is not silent. */
async function* reported(
  content: AsyncIterable<string>,
  report: () => Promise<void>,
): AsyncGenerator<string, void, void> {
  let pieces = 0;
  for await (const piece of content) {
    yield piece;
    // A piece holds hundreds of rows.
    if (++pieces % Math.ceil(rowsBetweenReports / 200) === 0) await report();
  }
}

const archivedHeader = [
  'subscription_id',
  'source',
  'event_id',
  'time',
  'type',
  'value',
  'received_at',
  'key_id',
  'properties',
];

/** The events of months that are no longer in the database. */
async function* archivedRows(
  ctx: Ctx,
  organizationId: string,
  onRow: () => void,
): AsyncGenerator<readonly CsvCell[], void, void> {
  for (const subscriptionId of await subscriptionsOf(ctx, organizationId))
    for await (const events of everyArchivedEvent(ctx, { subscriptionId }))
      for (const event of events) {
        onRow();
        yield [
          subscriptionId,
          event.source,
          event.id,
          event.time.toISOString(),
          event.type ?? '',
          figure(event.value),
          event.receivedAt.toISOString(),
          event.keyId ?? '',
          event.properties === null ? '' : JSON.stringify(event.properties),
        ];
      }
}
