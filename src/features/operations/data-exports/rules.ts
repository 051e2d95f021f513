// What is exported each night: which tables, under which names, in which currency their amounts are, and when the next one is due.
import { lastDue } from '#features/operations/backups/rules.ts';
import {
  belongingsOf,
  shownColumns,
  tableRules,
  type TableRule,
} from '#features/operations/personal-data/rules.ts';
import type { DataExportPlan, RunState } from './contract.ts';

export const initialPlan: DataExportPlan = { isOn: false, hour: 2, keepDays: 14, tables: null, bucket: null };

/** Events are many and never change: each is exported once, by its day. */
export const eventsTable = 'usage_event';

const isExported = ([, rule]: readonly [string, TableRule]): boolean =>
  shownColumns(rule).length > 0 && !('why' in rule && rule.why === 'working');
/** Every table that may be exported: what personal-data's rules say of it, without what lives for minutes only. */
export const exportableTables: readonly string[] = Object.entries(tableRules)
  .filter(isExported)
  .map(([name]) => name)
  .toSorted();

/** The tables of a plan. Names that are no table any more are left out. */
export const tablesOf = ({ tables }: Pick<DataExportPlan, 'tables'>): readonly string[] =>
  tables === null ? exportableTables : exportableTables.filter((name) => tables.includes(name));

/**
 * Where the currency of a table's amounts stands, for tables without a column `currency`: `column>table` leads to the row that has it
 * (several columns are apart by commas, in the order of those of the other table after the dot), `.column` is a column of the row, `=TWD` a currency.
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
  // E-invoices of Taiwan's ministry know no other currency.
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

/** The row that has the currency of another one, or a currency. */
export type CurrencyWay =
  | { readonly code: string }
  | { readonly own: string }
  | { readonly table: string; readonly on: readonly (readonly [own: string, other: string])[] };

/** @throws when it is written wrongly */
export function currencyWayOf(way: string): CurrencyWay {
  if (way.startsWith('=')) return { code: way.slice(1) };
  if (way.startsWith('.')) return { own: way.slice(1) };
  const [own = '', target = ''] = way.split('>');
  const [table = '', others = ''] = target.split('.');
  const names = others.split(',');
  return { table, on: own.split(',').map((column, place) => [column, names[place] ?? '']) };
}

const wholeTypes = new Set(['int2', 'int4', 'int8']);
/** Whether a column is an amount in minor units. Lists of amounts stay as they are. */
export const isAmount = (column: string, type: string): boolean =>
  /(^|_)minor$/.test(column) && (wholeTypes.has(type) || type === 'numeric');
/** The name under which an amount is exported, in major units: `total` for `total_minor`. */
export const amountName = (column: string): string =>
  column === 'minor' ? 'amount' : column.replace(/_minor$/, '');

/** What a column is, in words that loaders of several systems understand. */
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

/** A short description of a column in English, as the manifest has it; '' where its name says all. */
export function descriptionOf(table: string, column: string, type: string): string {
  if (isAmount(column, type)) return 'exact amount in units of the row’s currency';
  const rule = tableRules[table];
  const way = rule && 'of' in rule ? belongingsOf(rule.of).find((each) => each.column === column) : undefined;
  if (way) return way.in ? `of ${way.in.table}` : 'of organization';
  return { timestamp: 'ISO 8601, UTC', json: 'JSON', hex: 'hexadecimal' }[typeName(type)] ?? '';
}

/** How often a night is tried, and how long after each failure, in minutes. */
export const maxAttempts = 4;
export const retryMinutes = (attempt: number): number => 15 * 2 ** (attempt - 1);

export type LastScheduled = {
  readonly askedAt: Date;
  readonly finishedAt: Date | null;
  readonly state: RunState;
  readonly attempt: number;
};
/**
 * Which try of the night is due, or undefined. `since` is when the schedule was switched on: no night before it is made up for. A
 * console that was down then begins after its start; whoever stopped one does not get another before the next night.
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
 * Which events a run takes. Whoever stores an event takes the time before its transaction ends; after so many minutes none is missing
 * whose time of arrival is past.
 */
const settledMinutes = 10;
const dayMs = 86_400_000;
export type EventSpan = {
  /** Events that arrived after it (an earlier run has those before) and until `through`. null: all. */
  readonly after: Date | null;
  readonly through: Date;
  /** Days before this one are over; days before `newFrom` were exported, so what has come since is late. */
  readonly daysEnd: Date;
  readonly newFrom: Date | null;
};
const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / dayMs) * dayMs);

/** `after`: through when an earlier run of the same place has taken events. */
export function eventSpan(now: Date, after: Date | null): EventSpan {
  const settled = new Date(now.getTime() - settledMinutes * 60_000);
  const through = after !== null && after > settled ? after : settled;
  return { after, through, daysEnd: startOfDay(through), newFrom: after && startOfDay(after) };
}

const stamp = (at: Date): string => at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
/** A run's folder: when, and which. */
export const folderOf = (at: Date, exportId: string): string => `${stamp(at)}Z-${exportId.slice(-6)}`;
/** A table's file in its run's folder. */
export const tableFile = (folder: string, table: string): string => `runs/${folder}/tables/${table}.csv.gz`;
/**
 * The file of a day's events, or of those that came late for it. Its name says what the run before had, so a run that died and the one
 * that follows write the same file.
 */
export const eventFile = (day: string, lateAfter: Date | null): string =>
  `events/${eventsTable}/day=${day}/${lateAfter === null ? 'all' : `late-${stamp(lateAfter)}Z`}.csv.gz`;

/** The statements that let a role read what may leave the console, and nothing else. `role` is a plain name. */
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
