// The messages to and from the process that reads files.
import type { CostFormat } from '../contract.ts';
import type { Scope } from '../rules-line.ts';

export type ReadBounds = {
  /** The maximum uncompressed size of all files together, in bytes. */
  readonly maxBytes: number;
  readonly maxRows: number;
  /** The maximum number of aggregated lines. */
  readonly maxLines: number;
};
export type ReadTask = {
  readonly files: readonly { readonly path: string; readonly name: string }[];
  readonly bounds: ReadBounds;
  /** The currency of rows without one; null rejects such rows. */
  readonly assumedCurrency: string | null;
};

/**
 * Why files cannot be read; `rule` is the key of a text, `row` counts the rows of the table, starting with
 * the header.
 */
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
      /** How many of them had no currency. */
      readonly assumedRows: number;
      readonly totals: readonly ReadTotal[];
    }
  | { readonly kind: 'mistake'; readonly mistake: ReadMistake };
