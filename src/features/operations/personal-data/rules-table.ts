// What is said about a table: whose rows it has, and which of its columns may leave the console.

/** The folders of an export, in the order in which its readme lists them. */
export const exportFolders = [
  'organization',
  'people',
  'services',
  'usage',
  'bills',
  'payments',
  'terms',
  'messages',
  'programs',
  'audit',
] as const;
export type ExportFolder = (typeof exportFolders)[number];

/**
 * Why a table is in no organization's export. `catalogue`: the same for every customer. `costs`: what the provider itself buys.
 * `operator`: the provider's own work and settings. `working`: short-lived, or worked out from what is exported. `secrets`: only
 * whoever has it can use it, and it says nothing about anybody.
 */
export const leftOutReasons = ['catalogue', 'costs', 'operator', 'working', 'secrets'] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

type Columns = {
  /** The columns that may leave the console, apart by spaces. Whatever is not named here never does. */
  readonly columns: string;
  /** The columns that never leave it: secrets, what opens something, and what the provider wrote for itself. */
  readonly withheld?: string;
};
/** A table with rows of organizations. */
export type ExportedTable = Columns & {
  /**
   * How a row belongs to an organization: `column` holds the organization's id; `column>table` the id of a row of the table that belongs
   * to it; `column>table.key` names another key of that table than `id`. Several ways are apart by ` or `.
   */
  readonly of: string;
  readonly folder: ExportFolder;
  /** Only rows in which a column has this value. */
  readonly only?: readonly [column: string, value: string];
};
export type LeftOutTable = Columns & { readonly why: LeftOutReason };
export type TableRule = ExportedTable | LeftOutTable;
export type TableRules = Readonly<Record<string, TableRule>>;
