// The rule of a table: to whom its rows belong, and which of its columns may leave the console.

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
 * Why a table is in no organization's export. `catalogue`: the same for every customer. `costs`: the
 * provider's own purchases. `operator`: the provider's own work and settings. `working`: short-lived, or
 * derived from exported data. `secrets`: useful only to whoever has it, without information about anybody.
 */
export const leftOutReasons = ['catalogue', 'costs', 'operator', 'working', 'secrets'] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

type Columns = {
  /** The columns that may leave the console, separated by spaces. Columns that are not listed never do. */
  readonly columns: string;
  /** The columns that never leave the console: secrets, credentials, and the provider's private notes. */
  readonly withheld?: string;
};
/** A table with rows of organizations. */
export type ExportedTable = Columns & {
  /**
   * How a row belongs to an organization: `column` holds the organization's id; `column>table` holds the id
   * of a row of that table, which belongs to it; `column>table.key` refers to a key of that table other than
   * `id`. Alternatives are separated by ` or `.
   */
  readonly of: string;
  readonly folder: ExportFolder;
  /** Only rows in which a column has this value. */
  readonly only?: readonly [column: string, value: string];
  /**
   * A column that is left empty in rows that belong to the organization in other ways than these, written as
   * in `of`: what somebody else wrote there is not for the organization.
   */
  readonly hidden?: { readonly column: string; readonly unlessOf: string };
  /**
   * What the operator's bills consist of. Organizations that a reseller sells to, or has sold to, do not get it:
   * the reseller pays these bills, and they would show what it pays.
   */
  readonly isOfPayer?: true;
};
export type LeftOutTable = Columns & { readonly why: LeftOutReason };
export type TableRule = ExportedTable | LeftOutTable;
export type TableRules = Readonly<Record<string, TableRule>>;
