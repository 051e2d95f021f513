// What every check looks at and answers: one snapshot of the database, read as texts, and what in it is not as it must be.
import type pg from 'pg';

/** Something that is not as it must be: a code, what it is about (an id), and what was to be expected there. */
export type Finding = {
  readonly code: string;
  readonly subject: string;
  readonly expected: string;
  readonly actual: string;
};
/** Something a reader should know that is no fault: what was left out, and why. */
export type Note = { readonly code: string; readonly count: string };
/** What a check has seen: how much, the first findings and how many there are altogether. */
export type Outcome = {
  readonly examined: string;
  readonly findings: readonly Finding[];
  readonly found: number;
  readonly notes: readonly Note[];
};

/** The books: one transaction that sees one moment and can write nothing. */
export type Books = {
  readonly client: pg.Client;
  /** Only this organization's; null: all of them. */
  readonly organization: string | null;
  /** Whether the database has a column, `bill.credited_minor`: an older one may not. */
  readonly has: (column: string) => boolean;
  /** Tables that have all of some columns. */
  readonly tablesWith: (...columns: readonly string[]) => readonly string[];
};

export type Check = {
  readonly id: string;
  /** The invariants that it stands for (I1 … I9). */
  readonly invariants: readonly string[];
  readonly title: string;
  /** What it counts as examined. */
  readonly unit: string;
  /** Whether it can be asked about one organization alone. */
  readonly isPerOrganization: boolean;
  /** What it finds is worth a look, no damage. */
  readonly onlyWarns?: true;
  readonly run: (books: Books) => Promise<Outcome>;
};

const mostShown = 20;

/** The rows of a statement; every value is PostgreSQL's own text of it, so that nothing is rounded on the way. */
export async function rowsOf<Row extends Record<string, string | null>>(
  books: Books,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return (await books.client.query<Row>(statement, [...values])).rows;
}

/** The one number that a statement answers. `$1` is the organization when the statement names it. */
export async function numberOf(books: Books, statement: string): Promise<string> {
  const [row] = await rowsOf<{ number: string }>(
    books,
    `select (${statement})::text as number`,
    statement.includes('$1') ? [books.organization] : [],
  );
  return row?.number ?? '0';
}

/**
 * What a statement finds: rows of `code, subject, expected, actual`, of which the first are kept and all are counted by the database.
 * `$1` is the organization, or null.
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
    `select code, subject::text, expected::text, actual::text, (count(*) over ())::text as found from (${statement}) as finding where $1::text is null or true order by subject collate "C", code limit ${mostShown}`,
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

/** A check of one statement that counts and one that finds. */
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

/** Reads a statement's rows a few at a time, however many there are. */
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

/** Keeps the first findings and counts all of them. */
export function collector(): {
  add: (finding: Finding) => void;
  result: () => Pick<Outcome, 'findings' | 'found'>;
} {
  const findings: Finding[] = [];
  let found = 0;
  return {
    add: (finding) => {
      found++;
      if (findings.length < mostShown) findings.push(finding);
    },
    result: () => ({ findings, found }),
  };
}

/** The condition that a column is the organization that is asked about. */
export const owned = (column: string): string => `($1::text is null or ${column} = $1)`;
/** The notes of which there is something to say. */
export const told = (notes: readonly Note[]): Note[] => notes.filter((note) => note.count !== '0');
