// What every check reads and returns: one snapshot of the database, read as texts, and the deviations found.
import type pg from 'pg';

/** A deviation: a code, the id of the object, the expected and the actual value. */
export type Finding = {
  readonly code: string;
  readonly subject: string;
  readonly expected: string;
  readonly actual: string;
};
/** A remark that is no deviation: what was left out, and why. */
export type Note = { readonly code: string; readonly count: string };
/** The result of a check: how much it examined, the first findings and their total. */
export type Outcome = {
  readonly examined: string;
  readonly findings: readonly Finding[];
  readonly found: number;
  readonly notes: readonly Note[];
};

/** The books: one read-only transaction with a snapshot. */
export type Books = {
  readonly client: pg.Client;
  /** Only this organization's books; null: all. */
  readonly organization: string | null;
  /** Whether the database has a column, such as `bill.credited_minor`; an older database may not. */
  readonly has: (column: string) => boolean;
  /** Tables that have all of some columns. */
  readonly tablesWith: (...columns: readonly string[]) => readonly string[];
};

export type Check = {
  readonly id: string;
  /** The invariants that it checks (I1 … I9). */
  readonly invariants: readonly string[];
  readonly title: string;
  /** The unit of what it examines. */
  readonly unit: string;
  /** Whether it can be limited to one organization. */
  readonly isPerOrganization: boolean;
  /** Its findings are warnings, not damage. */
  readonly onlyWarns?: true;
  readonly run: (books: Books) => Promise<Outcome>;
};

const maxShown = 20;

/** The rows of a statement; every value is PostgreSQL's own text, so that nothing is rounded. */
export async function rowsOf<Row extends Record<string, string | null>>(
  books: Books,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return (await books.client.query<Row>(statement, [...values])).rows;
}

/** The one number that a statement returns. `$1` is the organization when the statement uses it. */
export async function numberOf(books: Books, statement: string): Promise<string> {
  const [row] = await rowsOf<{ number: string }>(
    books,
    `select (${statement})::text as number`,
    statement.includes('$1') ? [books.organization] : [],
  );
  return row?.number ?? '0';
}

/**
 * The findings of a statement: rows of `code, subject, expected, actual`; only the first are returned, but
 * the database counts all. `$1` is the organization, or null.
 */
export async function findingsOf(
  books: Books,
  statement: string,
): Promise<Pick<Outcome, 'findings' | 'found'>> {
  const rows = await rowsOf<{
    code: string;
    subject: string | null;
    expected: string | null;
    actual: string | null;
    found: string;
  }>(
    books,
    `select code, subject::text, expected::text, actual::text, (count(*) over ())::text as found from (${statement}) as finding where $1::text is null or true order by subject collate "C", code limit ${maxShown}`,
    [books.organization],
  );
  return {
    found: Number(rows[0]?.found ?? 0),
    findings: rows.map(({ code, subject, expected, actual }) => ({
      code,
      subject: subject ?? '',
      expected: expected ?? '',
      actual: actual ?? '',
    })),
  };
}

/** A check of one statement that counts what is examined and one that finds deviations. */
export function byStatement(
  examined: (books: Books) => string,
  findings: (books: Books) => string,
  notes: (books: Books) => Promise<readonly Note[]> = async () => [],
): Check['run'] {
  return async (books) => ({
    examined: await numberOf(books, examined(books)),
    ...(await findingsOf(books, findings(books))),
    notes: await notes(books),
  });
}

/** Reads a statement's rows in portions, so that their number does not matter. */
export async function* streamOf<Row extends Record<string, string | null>>(
  books: Books,
  name: string,
  statement: string,
  atOnce: number,
): AsyncGenerator<Row, void, void> {
  await books.client.query(`declare ${name} no scroll cursor for ${statement}`);
  for (;;) {
    const { rows } = await books.client.query<Row>(`fetch forward ${atOnce} from ${name}`);
    yield* rows;
    if (rows.length < atOnce) break;
  }
  await books.client.query(`close ${name}`);
}

/** Collects the first findings and counts all of them. */
export function collector(): {
  add: (finding: Finding) => void;
  result: () => Pick<Outcome, 'findings' | 'found'>;
} {
  const findings: Finding[] = [];
  let found = 0;
  return {
    add: (finding) => {
      found++;
      if (findings.length < maxShown) findings.push(finding);
    },
    result: () => ({ findings, found }),
  };
}

/** The condition that a column is the requested organization, or that all are requested. */
export const owned = (column: string): string => `($1::text is null or ${column} = $1)`;
/** Who used what the bill of an alias charges, whoever pays it; in a database older than payers they are one. */
export const userOf = (books: Books, bill: string): string =>
  books.has('bill.used_by_id')
    ? `coalesce(${bill}.used_by_id, ${bill}.organization_id)`
    : `${bill}.organization_id`;
/** The notes whose count is not zero. */
export const nonZero = (notes: readonly Note[]): Note[] => notes.filter((note) => note.count !== '0');
