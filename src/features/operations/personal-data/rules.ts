// Every table of the database, and which of its data may leave the console: in exports of an organization's
// data, in nightly exports of everything, and for a read-only database user.
import { accessTables } from './rules-tables-access.ts';
import { invoicingTables } from './rules-tables-invoicing.ts';
import { operationsTables } from './rules-tables-operations.ts';
import { receivablesTables } from './rules-tables-receivables.ts';
import { sellingTables } from './rules-tables-selling.ts';
import { exportFolders, type ExportedTable, type TableRule, type TableRules } from './rules-table.ts';

export type { TableRule } from './rules-table.ts';

/** Every table by name; a test compares them with the migrated database, so that none is forgotten. */
export const tableRules: TableRules = {
  ...accessTables,
  ...sellingTables,
  ...invoicingTables,
  ...receivablesTables,
  ...operationsTables,
};

const words = (text: string | undefined): readonly string[] =>
  text === undefined || text === '' ? [] : text.split(' ');

/** The columns of a table that may leave the console. */
export const shownColumns = (rule: TableRule): readonly string[] => words(rule.columns);
/** The columns of a table that never leave the console. */
export const withheldColumns = (rule: TableRule): readonly string[] => words(rule.withheld);

/** A table in exports of organizations, with its name. */
export type NamedTable = ExportedTable & { readonly name: string };

/** The tables of an organization's export, folder by folder. */
export const exportedTables: readonly NamedTable[] = exportFolders.flatMap((folder) =>
  Object.entries(tableRules).flatMap(([name, rule]) =>
    'of' in rule && rule.folder === folder ? [{ ...rule, name }] : [],
  ),
);

/** The name of a table's file in an export. */
export const fileOf = ({ folder, name }: NamedTable): string => `${folder}/${name}.csv`;

/**
 * One way in which a row belongs to an organization; `in` is null when the column holds the organization's id
 * itself.
 */
export type Belonging = {
  readonly column: string;
  readonly in: { readonly table: string; readonly key: string } | null;
};

/** Parses the ways in {@link ExportedTable.of}. */
export function belongingsOf(of: string): readonly Belonging[] {
  return of.split(' or ').map((way) => {
    const [column = '', parent] = way.split('>');
    if (parent === undefined) return { column, in: null };
    const [table = '', key = 'id'] = parent.split('.');
    return { column, in: { table, key } };
  });
}
