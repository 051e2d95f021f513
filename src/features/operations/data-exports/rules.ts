// Rules of nightly exports: which tables, under which names, the currency of their amounts, and when the next
// export is due.
import { dayMs } from '#kernel/durations.ts';
import { lastDue } from '#features/operations/backups/rules.ts';
import {
  belongingsOf,
  shownColumns,
  tableRules,
  type TableRule,
} from '#features/operations/personal-data/rules.ts';
import type { DataExportPlan, RunState } from './contract.ts';

export const initialPlan: DataExportPlan = { isOn: false, hour: 2, keepDays: 14, tables: null, bucket: null };

/** Events are many and immutable: each is exported once, in the file of its day. */
export const eventsTable = 'usage_event';

const isExported = ([, rule]: readonly [string, TableRule]): boolean =>
  shownColumns(rule).length > 0 && !('why' in rule && rule.why === 'working');
/**
 * Every table that can be exported: all in the rules of personal-data except those whose rows live only for
 * minutes.
 */
export const exportableTables: readonly string[] = Object.entries(tableRules)
  .filter(isExported)
  .map(([name]) => name)
  .toSorted();

/** The tables of a plan, without names of tables that no longer exist. */
export const tablesOf = ({ tables }: Pick<DataExportPlan, 'tables'>): readonly string[] =>
  tables === null ? exportableTables : exportableTables.filter((name) => tables.includes(name));

/**
 * How to find the currency of a table's amounts, for tables without a column `currency`: `column>table` leads
 * to the row with the currency (several columns are separated by commas, in the order of the other table's
 * columns after the dot), `.column` is a column of the row, `=TWD` a fixed currency.
 */
export const currencyWays: Readonly<Record<string, string>> = {
  bank_application: 'row_id>bank_row.id',
  bill_due_change: 'bill_id>bill.id',
  bill_instalment: 'bill_id>bill.id',
  bill_line: 'bill_id>bill.id',
  commitment_period: 'commitment_id>commitment.id',
  commitment_use: 'commitment_id>commitment.id',
  credit_movement: 'grant_id>credit_grant.id',
  credit_note_line: 'credit_note_id>credit_note.id',
  dunning_step: 'bill_id>bill.id',
  // E-invoices of Taiwan's Ministry of Finance have no other currency.
  einvoice: '=TWD',
  einvoice_allowance: '=TWD',
  journal_line: 'export_id,voucher>journal_voucher.export_id,position',
  late_fee_progress: 'bill_id>bill.id',
  payment_dispute_move: 'dispute_id>payment_dispute.id',
  payment_plan_instalment: 'plan_id>payment_plan.id',
  payment_plan_part: 'plan_id>payment_plan.id',
  quote_version: 'quote_id>quote.id',
  reconciliation_setting: '.notice_currency',
  retail_bill_line: 'retail_bill_id>retail_bill.id',
  retail_credit_note: 'retail_bill_id>retail_bill.id',
};

/** The row that holds another row's currency, or a fixed currency. */
export type CurrencyWay =
  | { readonly code: string }
  | { readonly own: string }
  | { readonly table: string; readonly on: readonly (readonly [own: string, other: string])[] };

/** Parses a way to a currency. @throws when it is malformed */
export function currencyWayOf(way: string): CurrencyWay {
  if (way.startsWith('=')) return { code: way.slice(1) };
  if (way.startsWith('.')) return { own: way.slice(1) };
  const [own = '', target = ''] = way.split('>');
  const [table = '', others = ''] = target.split('.');
  const names = others.split(',');
  return { table, on: own.split(',').map((column, place) => [column, names[place] ?? '']) };
}

const wholeTypes = new Set(['int2', 'int4', 'int8']);
/** Whether a column is an amount in minor units. Lists of amounts are exported unchanged. */
export const isAmount = (column: string, type: string): boolean =>
  /(^|_)minor$/.test(column) && (wholeTypes.has(type) || type === 'numeric');
/** The name under which an amount is exported, in major units: `total` for `total_minor`. */
export const amountName = (column: string): string =>
  column === 'minor' ? 'amount' : column.replace(/_minor$/, '');

/** The exported type of a column, in terms that loaders of several systems understand. */
export function typeName(type: string): string {
  if (wholeTypes.has(type)) return 'integer';
  if (type.startsWith('_') || type === 'jsonb' || type === 'json') return 'json';
  const names: Readonly<Record<string, string>> = {
    numeric: 'decimal',
    bool: 'boolean',
    timestamptz: 'timestamp',
    date: 'date',
    bytea: 'hex',
    float8: 'double',
    float4: 'double',
  };
  return names[type] ?? 'text';
}

/** A short description of a column in English for the manifest; '' if its name is enough. */
export function descriptionOf(table: string, column: string, type: string): string {
  if (isAmount(column, type)) return 'exact amount in units of the row’s currency';
  const rule = tableRules[table];
  const way = rule && 'of' in rule ? belongingsOf(rule.of).find((each) => each.column === column) : undefined;
  if (way) return way.in ? `of ${way.in.table}` : 'of organization';
  return { timestamp: 'ISO 8601, UTC', json: 'JSON', hex: 'hexadecimal' }[typeName(type)] ?? '';
}

/** How often a night's export is attempted, and how many minutes after each failure. */
export const maxAttempts = 4;
export const retryMinutes = (attempt: number): number => 15 * 2 ** (attempt - 1);

export type LastScheduled = {
  readonly askedAt: Date;
  readonly finishedAt: Date | null;
  readonly state: RunState;
  readonly attempt: number;
};
/**
 * The attempt of the night's export that is due, or undefined. `since` is when the schedule was enabled:
 * earlier nights are not made up for. A console that was down at the due time starts the export after its own
 * start; an export that somebody stopped is not repeated that night.
 */
export function dueAttempt(
  now: Date,
  { isOn, hour }: Pick<DataExportPlan, 'isOn' | 'hour'>,
  { since, zone, last }: { readonly since: Date; readonly zone: string; readonly last: LastScheduled | null },
): number | undefined {
  if (!isOn) return undefined;
  const due = lastDue(now, hour, zone);
  if (last === null || last.askedAt < due) return due >= since ? 1 : undefined;
  const hasFailed = last.state === 'failed' || last.state === 'interrupted';
  if (!hasFailed || last.attempt >= maxAttempts) return undefined;
  const from = (last.finishedAt ?? last.askedAt).getTime();
  return now.getTime() >= from + retryMinutes(last.attempt) * 60_000 ? last.attempt + 1 : undefined;
}

/**
 * The events of a run. Events get their arrival time before their transaction commits; after this many
 * minutes, every event with an earlier arrival time is visible.
 */
const settledMinutes = 10;
export type EventSpan = {
  /** Events that arrived after this time (an earlier run has the others) and until `through`. null: all. */
  readonly after: Date | null;
  readonly through: Date;
  /**
   * Days before this one are complete. Days before `newFrom` were already exported, so their newer events are
   * late.
   */
  readonly daysEnd: Date;
  readonly newFrom: Date | null;
};
const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / dayMs) * dayMs);

/** `after`: the arrival time up to which an earlier run to the same destination has exported events. */
export function eventSpan(now: Date, after: Date | null): EventSpan {
  const settled = new Date(now.getTime() - settledMinutes * 60_000);
  const through = after !== null && after > settled ? after : settled;
  return { after, through, daysEnd: startOfDay(through), newFrom: after && startOfDay(after) };
}

const stamp = (at: Date): string => at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
/** A run's folder: its time and the end of its id. */
export const folderOf = (at: Date, exportId: string): string => `${stamp(at)}Z-${exportId.slice(-6)}`;
/** The path of a table's file in its run's folder. */
export const tableFile = (folder: string, table: string): string => `runs/${folder}/tables/${table}.csv.gz`;
/**
 * The path of the file of a day's events, or of its late events. The name contains the end of the previous
 * run, so that a run that died and its retry write the same file.
 */
export const eventFile = (day: string, lateAfter: Date | null): string =>
  `events/${eventsTable}/day=${day}/${lateAfter === null ? 'all' : `late-${stamp(lateAfter)}Z`}.csv.gz`;

/**
 * The statements that grant a role read access to what may leave the console, and nothing else. `role` is a
 * plain name.
 */
export function grantsFor(role: string, database: string): readonly string[] {
  const name = `"${role.replaceAll('"', '""')}"`;
  return [
    `-- Run on the primary as the owner of the tables; a replica has the role as soon as it has caught up. Choose another password.`,
    `create role ${name} login password 'CHANGE-ME' connection limit 5;`,
    `alter role ${name} set default_transaction_read_only = on;`,
    `alter role ${name} set statement_timeout = '15min';`,
    `grant connect on database "${database.replaceAll('"', '""')}" to ${name};`,
    `grant usage on schema public to ${name};`,
    ...exportableTables.flatMap((table) => {
      const rule = tableRules[table];
      return rule ? [`grant select (${shownColumns(rule).join(', ')}) on public.${table} to ${name};`] : [];
    }),
  ];
}
