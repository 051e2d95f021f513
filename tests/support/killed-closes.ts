// A close that consoles in separate processes run at once, killed at any moment: in the end every organization has
// the bill of an undisturbed close.
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { billed, close, type Query } from './closing.ts';
import { isLong, roundsOr } from './fault-rounds.ts';
import { killProcess, signInProcess as signIn, type ProcessConsole } from './process.ts';

/** How often closes are killed; `npm run faults` runs many more rounds. */
export const rounds = roundsOr(2);
/**
 * A close begins with a chunk of 100 and continues with up to 500: two commits of each console, or three with
 * `npm run faults`.
 */
export const organizations = isLong ? 700 : 300;
/** The month that is closed without a kill. */
export const undisturbed = '2010-07';
/**
 * Months of 31 days, whose bills for the same usage are the same except for the month. One is closed within a
 * round or two; then the next one is killed.
 */
export const months = Array.from(
  { length: 30 + rounds * 12 },
  (_, index) => new Date(Date.UTC(2010, 7 + index)),
)
  .filter(
    (month) => new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate() === 31,
  )
  .map((month) => month.toISOString().slice(0, 7))
  .slice(0, Math.ceil(rounds / 2));

type Line = { readonly organization: string; readonly lines: string };
/** The bill of each organization: every line with its quantity, price and steps, and the totals. */
async function billsOf(db: Query, month: string): Promise<readonly Line[]> {
  const { rows } = await db.query<Line>(
    `select b.organization_id as organization, string_agg(concat_ws(' ', l.position, l.kind, l.charge ->> 'key', l.quantity, l.exact_amount, l.amount_minor, replace(l.arithmetic::text, $1, '')), E'\\n' order by l.position) || concat_ws(' ', b.net_minor, b.tax_minor, b.total_minor) as lines
      from bill b join bill_line l on l.bill_id = b.id where b.month = $1 group by b.id order by 1`,
    [month],
  );
  return rows.map(({ organization, lines }) => ({
    organization,
    lines: lines.replaceAll(`${month}-`, ''),
  }));
}

/** The invariants that hold after any kill; each is counted, so that every deviation changes the count. */
async function soundness(db: Query, month: string): Promise<Record<string, string>> {
  const { rows } = await db.query<Record<string, string>>(
    `with numbered as (select sequence, row_number() over (order by organization_id) as place from bill where month = $1)
      select (select count(*) from numbered where sequence <> place) as misplaced,
        (select count(*) from bill b where (select count(*) from ledger_transaction t where t.kind = 'bill' and t.reference = b.id) <> 1) as unbooked,
        (select coalesce(sum(balance_minor), 0) from ledger_account where kind = 'receivable') - (select coalesce(sum(total_minor), 0) from bill) as owed_wrong,
        (select coalesce(sum(amount_minor), 0) from ledger_entry) as unbalanced, (select count(*) from bill_parked) as parked, (select count(*) from audit_fault()) as audit_faults,
        (select count(*) from bill b where net_minor <> (select sum(amount_minor) from bill_line l where l.bill_id = b.id)) as sums_wrong`,
    [month],
  );
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, String(value)]));
}
const sound = {
  misplaced: '0',
  unbooked: '0',
  owed_wrong: '0',
  unbalanced: '0',
  parked: '0',
  audit_faults: '0',
  sums_wrong: '0',
};

type Killed = {
  readonly db: Query;
  readonly start: () => Promise<ProcessConsole>;
  readonly consoles: readonly [ProcessConsole, ProcessConsole];
};

/**
 * Closes the {@link months} with two consoles, killing both after their first commit, or one at any moment while the other
 * continues; returns the bills, which are the same in all months.
 */
export async function expectSameBills({
  db,
  start,
  consoles: [first, second],
}: Killed): Promise<readonly Line[]> {
  let [one, other] = [first, second];
  expect(await soundness(db, undisturbed)).toEqual(sound);
  const moments: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const month = months[Math.floor(round / 2)] ?? '';
    const tokens = await Promise.all([signIn(one), signIn(other)]);
    const before = await billed(db, month);
    const closing = [one, other].map((each, place) => close(each, tokens[place] ?? '', month));
    const areBothKilled = round % 2 === 0;
    while (areBothKilled && before < organizations && (await billed(db, month)) === before) await pause(2);
    await pause(randomInt(60));
    await Promise.all([killProcess(one), ...(areBothKilled ? [killProcess(other)] : [])]);
    await Promise.all(closing);
    moments.push(`${month}: ${await billed(db, month)}`);
    expect(await soundness(db, month)).toEqual(sound);
    const isLast = round === rounds - 1;
    [one, other] = await Promise.all([isLast ? one : start(), areBothKilled ? start() : other]);
  }
  const token = await signIn(other);
  const message = `bills after each kill: ${moments.join(', ')}`;
  const expected = await billsOf(db, undisturbed);
  expect(expected).toHaveLength(organizations);
  expect(new Set(expected.map(({ lines }) => lines)).size, 'different bills').toBeGreaterThan(
    organizations / 2,
  );
  for (const month of months) {
    await close(other, token, month);
    expect(await soundness(db, month), message).toEqual(sound);
    expect(await billsOf(db, month), message).toEqual(expected);
    expect(await close(other, token, month)).toMatchObject({ issued: 0, parked: 0 });
  }
  return expected;
}
