// The independent checker: reads one snapshot of the database in plain SQL, shares no code with the console,
// and writes nothing.
import { rowsOf, type Books, type Check, type Finding, type Note } from './books.ts';
import { checks } from './checks.ts';
import { connection, opened } from './connection.ts';
import { packIsWhole } from './pack.ts';

export type Verdict = 'passed' | 'warned' | 'failed';
/** The output with --json, one object per line: `begin` first, then a `check` for each, `end` last. */
export type Line =
  | {
      readonly type: 'begin';
      readonly at: string;
      readonly organization: string | null;
      readonly checks: readonly string[];
    }
  | {
      readonly type: 'check';
      readonly id: string;
      readonly invariants: readonly string[];
      readonly verdict: Verdict;
      readonly examined: string;
      readonly found: number;
      readonly findings: readonly Finding[];
      readonly notes: readonly Note[];
      readonly ms: number;
    }
  | { readonly type: 'end'; readonly verdict: Verdict; readonly ms: number };

type Options = {
  readonly isJson: boolean;
  readonly organization: string | null;
  readonly pack: string | null;
};

function optionsOf(words: readonly string[]): Options | undefined {
  let [isJson, organization, pack]: [boolean, string | null, string | null] = [false, null, null];
  for (let place = 0; place < words.length; place++) {
    const word = words[place];
    if (word === '--json') isJson = true;
    else if (word === '--organization' && words[place + 1]) organization = words[++place] ?? null;
    else if (word === '--pack' && words[place + 1]) pack = words[++place] ?? null;
    else return undefined;
  }
  // A pack is checked without the database.
  return pack !== null && (isJson || organization !== null) ? undefined : { isJson, organization, pack };
}

async function checked(books: Books, check: Check): Promise<Extract<Line, { type: 'check' }>> {
  const begun = performance.now();
  const { examined, found, findings, notes } = await check.run(books);
  const verdict = found === 0 ? 'passed' : check.onlyWarns ? 'warned' : 'failed';
  return {
    type: 'check',
    id: check.id,
    invariants: check.invariants,
    verdict,
    examined,
    found,
    findings,
    notes,
    ms: Math.round(performance.now() - begun),
  };
}

const words: Readonly<Record<Verdict, string>> = { passed: 'ok  ', warned: 'warn', failed: 'FAIL' };
const print = (text: string): void => void process.stdout.write(`${text}\n`);

function writeText(line: Line): void {
  if (line.type === 'begin')
    return print(
      `Checking the books of ${line.organization ?? 'all organizations'} as of ${line.at}: ${line.checks.length} checks.\n`,
    );
  if (line.type === 'end')
    return print(
      `\n${line.verdict === 'failed' ? 'The books have ERRORS: see the findings above.' : line.verdict === 'warned' ? 'The books are right, but see the warnings above.' : 'The books are right.'} (${line.ms} ms)`,
    );
  const check = checks.find(({ id }) => id === line.id);
  print(
    `${words[line.verdict]} ${line.invariants.join(' ').padEnd(6)} ${line.id.padEnd(24)} ${check?.title ?? ''}: ${line.examined} ${check?.unit ?? ''}`,
  );
  for (const { code, count } of line.notes) print(`              note: ${code} ${count}`);
  for (const { code, subject, expected, actual } of line.findings)
    print(`              ${code} ${subject}: expected ${expected || '–'}, found ${actual || '–'}`);
  if (line.found > line.findings.length) print(`              … ${line.found} findings in total`);
}

async function verify({ isJson, organization }: Options): Promise<Verdict> {
  const begun = performance.now();
  const report = isJson ? (line: Line) => print(JSON.stringify(line)) : writeText;
  const client = connection(process.env);
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const books = await opened(client, organization);
    const selected = checks.filter((check) => organization === null || check.isPerOrganization);
    const [now] = await rowsOf<{ at: string }>(
      books,
      `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`,
    );
    report({ type: 'begin', at: now?.at ?? '', organization, checks: selected.map(({ id }) => id) });
    const verdicts: Verdict[] = [];
    for (const check of selected) {
      const line = await checked(books, check);
      verdicts.push(line.verdict);
      report(line);
    }
    const verdict = verdicts.includes('failed')
      ? 'failed'
      : verdicts.includes('warned')
        ? 'warned'
        : 'passed';
    report({ type: 'end', verdict, ms: Math.round(performance.now() - begun) });
    return verdict;
  } finally {
    await client.end();
  }
}

const options = optionsOf(process.argv.slice(2));
if (options?.pack) {
  // 0: complete; 1: not complete; 2: it could not be read as a pack.
  process.exitCode = await packIsWhole(options.pack).then(
    (isWhole) => (isWhole ? 0 : 1),
    (error: unknown) => {
      process.stderr.write(
        `The month pack could not be checked: ${error instanceof Error ? error.message : String(error)}\n`,
      );
      return 2;
    },
  );
} else if (options) {
  // 0: every check passed; 1: one failed; 2: the checker could not run.
  process.exitCode = await verify(options).then(
    (verdict) => (verdict === 'failed' ? 1 : 0),
    (error: unknown) => {
      process.stderr.write(
        `The books could not be checked: ${error instanceof Error ? error.message : String(error)}\n`,
      );
      return 2;
    },
  );
} else {
  process.stderr.write(
    'Use: npm run verify -- [--json] [--organization <id>], or npm run verify -- --pack <file.zip>\n',
  );
  process.exitCode = 2;
}
