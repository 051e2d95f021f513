// Imports services from a CSV file: the action for each row is planned first, then executed; a dry run is
// rolled back and reported.
import * as z from 'zod/mini';
import { chunksOf } from '#kernel/chunks.ts';
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { DomainError, domainError } from '#kernel/errors.ts';
import { fieldErrors } from '#platform/server/http/http-errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { tryOut } from '#platform/server/unit-of-work/try-out.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { catalogueErrors, TableServiceInput, type catalogue, type ServiceImport } from '../contract.ts';
import {
  cellsOf,
  columnOfField,
  differences,
  mergedCells,
  meterColumns,
  hasPriceColumns,
  serviceInputOf,
  type ServiceCells,
} from '../rules-table.ts';
import { changeService, withDefaults } from './change-service.ts';
import { columnName } from './export-services.ts';
import { assertAddOn, assertChargeable, assertSameCurrency } from './price-checks.ts';
import { limitFor } from './rate-cards.ts';
import { readServicesCsv, type CsvRow, type RowError } from './read-services-csv.ts';
import { insertServices, servicesNamed, type TableService } from './store-table.ts';

/** The number of new services per statement. */
const rowsAtOnce = 500;

type Input = z.output<typeof TableServiceInput>;
type Planned = ServiceImport['rows'][number] & {
  readonly existing?: TableService;
  readonly input?: Input;
  readonly externalRef: string | null;
};

/**
 * Creates and changes services from the file. A service is matched by its external reference, otherwise by
 * name and type, so importing a file again changes nothing.
 */
export async function importServices(
  ctx: Ctx,
  input: In<typeof catalogue.importServices>,
  reply: Reply,
): Promise<ServiceImport> {
  if (!reply.raw) throw domainError(catalogueErrors, 'catalogue.import_unreadable', { reason: '' });
  const file = await readServicesCsv(ctx, reply.raw.bytes);
  const isTrial = input.dryRun === true;
  const work = (own: Ctx): Promise<Outcome> => importRows(own, file, input.badRows === 'leaveOut');
  const { rows, isBlocked } = await (isTrial ? tryOut(ctx, work) : work(ctx));
  const count = (action: Planned['action']): number => rows.filter((row) => row.action === action).length;
  const done = {
    applied: !isTrial && !isBlocked,
    created: count('create'),
    updated: count('update'),
    refused: count('refused'),
  };
  ctx.audit('catalogue.importServices', undefined, { dryRun: isTrial, ...done });
  return {
    ...done,
    unchanged: count('unchanged'),
    rows: rows.map(({ row, name, action, newPrice, errors }) => ({ row, name, action, newPrice, errors })),
  };
}

type Outcome = { readonly rows: readonly Planned[]; readonly isBlocked: boolean };

/** Plans the rows of a file, and applies them unless an error in one blocks all. */
async function importRows(
  ctx: Ctx,
  file: Awaited<ReturnType<typeof readServicesCsv>>,
  leavesOutBad: boolean,
): Promise<Outcome> {
  if (file.headErrors.length > 0) return { rows: [headRow(file.headErrors)], isBlocked: true };
  // Two concurrent imports would both create a service that neither has found.
  await lockUntilEnd(ctx, 'catalogue import');
  const rows = await plan(ctx, file.rows);
  const isBlocked = !leavesOutBad && rows.some(({ action }) => action === 'refused');
  if (!isBlocked) await apply(ctx, rows);
  return { rows, isBlocked };
}

const headRow = (errors: readonly RowError[]): Planned => ({
  row: 1,
  name: '',
  action: 'refused',
  newPrice: false,
  errors: [...errors],
  externalRef: null,
});

/** Plans every row. */
async function plan(ctx: Ctx, rows: readonly CsvRow[]): Promise<Planned[]> {
  const refs = rows.map(({ cells }) => cells.externalRef ?? '').filter((ref) => ref !== '');
  const names = rows
    .filter(({ cells }) => !cells.externalRef)
    .map(({ cells }) => ({ name: cells.name ?? '', type: cells.type ?? '' }));
  const existing = await servicesNamed(ctx, { refs, names });
  const byRef = new Map(
    existing.flatMap((service) => (service.externalRef === null ? [] : [[service.externalRef, service]])),
  );
  const byName = Map.groupBy(existing, (service) => nameKey(service));
  const taken = new Map<string, number>();
  const planned: Planned[] = [];
  for (const row of rows) planned.push(await planRow(row));
  return planned;

  async function planRow(row: CsvRow): Promise<Planned> {
    const externalRef = row.cells.externalRef || null;
    const found =
      externalRef === null
        ? (byName.get(nameKey({ name: row.cells.name ?? '', type: row.cells.type ?? '' })) ?? [])
        : [byRef.get(externalRef)].filter((one) => one !== undefined);
    const key =
      externalRef === null
        ? nameKey({ name: row.cells.name ?? '', type: row.cells.type ?? '' })
        : `ref ${externalRef}`;
    const earlier = taken.get(found[0]?.id ?? key);
    taken.set(found[0]?.id ?? key, row.row);
    const base = { row: row.row, name: row.cells.name ?? '', externalRef };
    const refused = (...errors: RowError[]): Planned => ({
      ...base,
      action: 'refused',
      newPrice: false,
      errors,
    });
    const errorOf = (code: string, params = {}): RowError => ({
      column: '',
      code,
      message: ctx.text(code, params),
    });
    if (row.errors.length > 0) return refused(...row.errors);
    if (found.length > 1) return refused(errorOf('catalogue.import_ambiguous'));
    if (earlier !== undefined) return refused(errorOf('catalogue.import_repeated', { row: earlier }));
    return { ...base, ...(await decide(ctx, row.cells, found[0])) };
  }
}

const nameKey = ({ name, type }: { name: string; type: string }): string => JSON.stringify([name, type]);

/** Returns the planned action of one row, or its errors. */
async function decide(
  ctx: Ctx,
  given: Partial<ServiceCells>,
  existing: TableService | undefined,
): Promise<Pick<Planned, 'action' | 'newPrice' | 'errors' | 'input' | 'existing'>> {
  const before = existing && cellsOf(existing);
  // A service matched by name keeps its reference.
  const cells = mergedCells(
    before,
    existing && !given.externalRef ? { ...given, externalRef: existing.externalRef ?? '' } : given,
  );
  const sent = serviceInputOf(cells);
  // A table has no columns for charges: a rate card is kept unchanged.
  const isCard = existing?.pricing.model === 'rate_card' && cells.model === 'rate_card';
  const read = z.safeParse(TableServiceInput, isCard ? { ...sent, pricing: existing.pricing } : sent);
  const errors = read.success
    ? await mistakes(ctx, read.data, existing)
    : fieldErrors(read.error.issues).map(({ field, code }) => errorAt(ctx, field, code));
  if (errors.length > 0 || !read.success) return { action: 'refused', newPrice: false, errors };
  const changed = before ? differences(before, cells) : [];
  const action = !before ? 'create' : changed.length === 0 ? 'unchanged' : 'update';
  return {
    action,
    newPrice: !before || hasPriceColumns(changed),
    errors,
    input: read.data,
    ...(existing && { existing }),
  };
}

/** Checks rules that the contract's schema cannot express. */
async function mistakes(ctx: Ctx, input: Input, existing: TableService | undefined): Promise<RowError[]> {
  const meterDiffers =
    existing !== undefined &&
    meterColumns.some(
      (column) => cellsOf({ ...existing, meter: input.meter })[column] !== cellsOf(existing)[column],
    );
  try {
    assertChargeable(input, existing?.pricing);
    if (existing) assertSameCurrency(input.pricing, existing.pricing.currency);
    // An add-on has charges, for which a table has no columns: only an existing service with charges can
    // become one.
    assertAddOn(input.addOnTo, { ...input, quota: input.quota });
    // The meter of a limit requires a query, which runs only if a row names one.
    if (input.quota?.type !== 'unlimited' && input.quota?.meter !== undefined)
      await limitFor(ctx, input.quota, input.pricing, input.meter);
    return meterDiffers ? [errorAt(ctx, 'meter.eventType', 'catalogue.import_meter_fixed')] : [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.fields.map((field) => errorAt(ctx, field, error.code, error.params));
  }
}

function errorAt(ctx: Ctx, field: string, code: string, params: DomainError['params'] = {}): RowError {
  const column = columnOfField(field);
  const name = column ? columnName(ctx, column, ctx.language) : field;
  return { column: name, code, message: ctx.text(code, { field: name, ...params }) };
}

/** New services are inserted in bulk; changed ones are updated one by one, like an Admin's change. */
async function apply(ctx: Ctx, rows: readonly Planned[]): Promise<void> {
  const created = rows
    .filter((row) => row.action === 'create')
    .map(({ input, externalRef }) => {
      const { pricing, ...service } = required(input, 'what a good row says');
      return { ...withDefaults(service), externalRef, pricing };
    });
  for (const some of chunksOf(created, rowsAtOnce)) await insertServices(ctx, some);
  for (const { action, existing, input, newPrice } of rows) {
    if (action !== 'update') continue;
    const { meter, ...own } = required(input, 'what a good row says');
    const change = { ...own, dataSchema: meter.dataSchema ?? null };
    await changeService(
      ctx,
      required(existing, 'what a row changes'),
      newPrice ? change : { ...change, pricing: undefined },
    );
  }
}
