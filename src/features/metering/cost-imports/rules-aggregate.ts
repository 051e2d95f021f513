// Aggregates the lines of files by what later queries need: period, scope, day, service, kind and currency.
import type { LineKind } from './contract.ts';
import type { CostLine, Scope } from './rules-line.ts';

export type Sums = { billed: bigint; effective: bigint; list: bigint; rows: number };
export type SummedLine = Sums & {
  readonly periodStart: string;
  readonly periodEnd: string;
  /** The index of its scope in {@link CostSums.scopes}. */
  readonly scope: number;
  readonly day: string;
  readonly service: string;
  readonly kind: LineKind;
  readonly currency: string;
};
export type PeriodTotal = Sums & {
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly currency: string;
};

/** An import has more lines or scopes than the console stores. */
export class TooManyLines extends Error {
  override readonly name = 'TooManyLines';
}

/** The key that identifies a scope. */
export const scopeKey = ({
  provider,
  account,
  subAccount,
  subAccountName,
  resourceGroup,
  tags,
}: Scope): string => JSON.stringify([provider, account, subAccount, subAccountName, resourceGroup, tags]);

export class CostSums {
  readonly scopes: Scope[] = [];
  readonly lines = new Map<string, SummedLine>();
  readonly totals = new Map<string, PeriodTotal>();
  readonly #places = new Map<string, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a line. @throws TooManyLines */
  add(line: CostLine): void {
    const text = scopeKey(line.scope);
    let scope = this.#places.get(text);
    if (scope === undefined) {
      scope = this.scopes.push(line.scope) - 1;
      this.#places.set(text, scope);
    }
    const { periodStart, periodEnd, day, service, kind, currency } = line;
    const key = `${periodStart}\n${scope}\n${day}\n${kind}\n${currency}\n${service}`;
    const sums = this.lines.get(key);
    if (sums) plus(sums, line, 1);
    else {
      if (this.lines.size >= this.#most) throw new TooManyLines(String(this.#most));
      this.lines.set(key, {
        periodStart,
        periodEnd,
        scope,
        day,
        service,
        kind,
        currency,
        ...amountsOf(line),
        rows: 1,
      });
    }
    const totalKey = `${periodStart}\n${currency}`;
    const total = this.totals.get(totalKey);
    if (total) plus(total, line, 1);
    else this.totals.set(totalKey, { periodStart, periodEnd, currency, ...amountsOf(line), rows: 1 });
  }
}

const amountsOf = ({ billed, effective, list }: CostLine): Pick<Sums, 'billed' | 'effective' | 'list'> => ({
  billed,
  effective,
  list,
});

function plus(sums: Sums, line: CostLine, rows: number): void {
  sums.billed += line.billed;
  sums.effective += line.effective;
  sums.list += line.list;
  sums.rows += rows;
}
