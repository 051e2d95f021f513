// What the process that reads files is asked, and what it answers.
import type { CostFormat } from '../contract.ts';
import type { Scope } from '../rules-line.ts';

export type ReadBounds = {
  /** The most bytes of all files when unpacked. */
  readonly maxBytes: number;
  readonly maxRows: number;
  /** The most lines that they may add up to. */
  readonly maxLines: number;
};
export type ReadTask = {
  readonly files: readonly { readonly path: string; readonly name: string }[];
  readonly bounds: ReadBounds;
  /** The currency of rows that name none; null when they are to be refused. */
  readonly assumedCurrency: string | null;
};

/** Why files cannot be read; `rule` is a text's name, `row` counts rows of the table, the header being the first. */
export type ReadMistake = {
  readonly rule: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly row: number | null;
  readonly column: string | null;
};
/** Amounts are decimal texts. */
export type ReadLine = {
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly scope: number;
  readonly day: string;
  readonly service: string;
  readonly kind: string;
  readonly currency: string;
  readonly billed: string;
  readonly effective: string;
  readonly list: string;
  readonly rows: number;
};
export type ReadTotal = Omit<ReadLine, 'scope' | 'day' | 'service' | 'kind'>;
export type ReadMessage =
  | { readonly kind: 'progress'; readonly bytes: number; readonly rows: number }
  | { readonly kind: 'scopes'; readonly scopes: readonly Scope[] }
  | { readonly kind: 'lines'; readonly lines: readonly ReadLine[] }
  | {
      readonly kind: 'end';
      readonly format: CostFormat;
      readonly rows: number;
      /** How many of them named no currency. */
      readonly assumedRows: number;
      readonly totals: readonly ReadTotal[];
    }
  | { readonly kind: 'mistake'; readonly mistake: ReadMistake };
