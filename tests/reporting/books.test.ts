// The books as an Admin and a customer read them, and the checks that they start (R-BILL-05).
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { moneyText, sumMoney, type Money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { books, type CheckRun, type StatementLine } from '#features/reporting/books/contract.ts';
import { enUS } from '#features/reporting/books/locales/enUS.ts';
import { identity } from '#features/access/identity/contract.ts';
import { createTestBooks, type TestBooks } from '../support/books.ts';
import { signIn, userPassword } from '../support/console.ts';

let made: TestBooks;
let admin: string;
let token: string;
const day = (text: string): LocalDay => text as LocalDay;

beforeAll(async () => {
  made = await createTestBooks();
  admin = made.admin();
  token = await made.tokenOf(made.customers[0]);
});

const text = (amount: Money | null): string => (amount === null ? '' : moneyText(amount));
const lineText = ({ kind, reference, debit, credit, after }: StatementLine): string =>
  [kind, reference.billNumber ?? 'payment', text(debit), text(credit), text(after)].join(' | ');
const read = async (answer: Promise<{ body: unknown }>): Promise<string> =>
  new TextDecoder().decode((await answer).body as Uint8Array);

describe('R-BILL-05: the ledger for an Admin', () => {
  it('has a trial balance with equal debits and credits in every currency, now and at the end of a day', async () => {
    for (const asOf of [undefined, '2024-09-15', '2024-10-05', '2024-11-05']) {
      const { items } = await made.console.ok(
        books.trialBalance,
        asOf === undefined ? {} : { asOf: day(asOf) },
        { token: admin },
      );
      for (const currency of new Set(items.map((item) => item.currency))) {
        const side = (name: 'debit' | 'credit') =>
          sumMoney(
            items.flatMap((item) => (item.currency === currency && item[name] ? [item[name]] : [])),
            currency,
          );
        expect(side('debit'), `${asOf} ${currency}`).toEqual(side('credit'));
      }
    }
    const early = await made.console.ok(books.trialBalance, { asOf: day('2024-09-11') }, { token: admin });
    expect(
      early.items
        .filter((item) => item.debit ?? item.credit)
        .map((item) => `${item.kind} ${text(item.debit)} ${text(item.credit)}`),
    ).toEqual(['balance  400', 'cash 400 ']);
  });

  it('lists complete transactions, filtered and counted exactly, page by page', async () => {
    const all = await made.console.ok(books.listTransactions, { limit: 200 }, { token: admin });
    expect(all.total).toBe(all.items.length);
    for (const { entries } of all.items)
      expect(
        entries.reduce((sum, entry) => sum + (entry.debit?.minor ?? 0n) - (entry.credit?.minor ?? 0n), 0n),
      ).toBe(0n);
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = (await made.console.ok(
        books.listTransactions,
        { limit: 3, ...(cursor !== '' && { cursor }) },
        { token: admin },
      )) as typeof all;
      paged.push(...page.items.map((item) => item.transactionId));
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(all.items.map((item) => item.transactionId));
    const by = async (filter: object) => {
      const found = await made.console.ok(
        books.listTransactions,
        { limit: 200, ...filter },
        { token: admin },
      );
      expect(found.total).toBe(found.items.length);
      return found.items.map((item) => item.kind);
    };
    expect(await by({ kind: 'top_up' })).toEqual(['top_up', 'top_up']);
    expect(await by({ accountKind: 'cash' })).toEqual(['top_up', 'top_up']);
    expect(await by({ organizationId: made.customers[0].organizationId })).toEqual([
      'bill',
      'payment',
      'bill',
      'top_up',
    ]);
    expect(await by({ organizationId: made.customers[0].organizationId, accountKind: 'revenue' })).toEqual(
      [],
    );
    expect(await by({ q: 'tWo' })).toEqual(['bill', 'payment', 'top_up', 'bill']);
    expect(await by({ q: 'B-202410' })).toEqual(['bill', 'bill']);
    expect(await by({ from: day('2024-10-05'), to: day('2024-10-05') })).toEqual([
      'payment',
      'top_up',
      'payment',
      'bill',
      'bill',
    ]);
    expect(
      (
        await made.console.call(
          books.listTransactions,
          { from: day('2024-10-06'), to: day('2024-10-05') },
          { token: admin },
        )
      ).envelope.code,
    ).toBe('books.range_reversed');
  });

  it('has statements from opening to closing balance, page by page, with an equal file', async () => {
    const accounts = await made.console.ok(books.listAccounts, { limit: 50 }, { token: admin });
    expect(accounts.total).toBe(accounts.items.length);
    expect(
      (await made.console.ok(books.listAccounts, { q: 'tw', kind: 'balance' }, { token: admin })).items.map(
        (one) => one.organization,
      ),
    ).toEqual(['Two']);
    for (const { accountId, debit, credit } of accounts.items) {
      const whole = await made.console.ok(books.accountStatement, { accountId }, { token: admin });
      const stands = (debit?.minor ?? 0n) - (credit?.minor ?? 0n);
      expect(
        [whole.closing.minor, whole.items.at(-1)?.after.minor].map((minor) => (minor ?? 0n) ** 2n),
        accountId,
      ).toEqual([stands ** 2n, stands ** 2n]);
      const pages: StatementLine[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = (await made.console.ok(
          books.accountStatement,
          { accountId, limit: 1, ...(cursor !== '' && { cursor }) },
          { token: admin },
        )) as typeof whole;
        pages.push(...page.items);
        cursor = page.nextCursor;
      }
      expect(pages).toEqual(whole.items);
      const half = await made.console.ok(
        books.accountStatement,
        { accountId, from: day('2024-10-01'), to: day('2024-10-31') },
        { token: admin },
      );
      const before = await made.console.ok(
        books.accountStatement,
        { accountId, to: day('2024-09-30') },
        { token: admin },
      );
      expect(half.opening).toEqual(before.closing);
      expect(half.items).toEqual(
        whole.items.filter(
          (line) => line.at >= new Date('2024-09-30T16:00:00Z') && line.at < new Date('2024-10-31T16:00:00Z'),
        ),
      );
    }
    const account = `receivable:${made.customers[0].organizationId}:TWD`;
    const { items, closing } = await made.console.ok(
      books.accountStatement,
      { accountId: account, from: day('2024-10-05') },
      { token: admin },
    );
    const csv = await read(
      made.console.ok(
        books.exportAccount,
        { accountId: account, from: day('2024-10-05'), format: 'csv' },
        { token: admin },
      ),
    );
    expect(
      csv
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',').slice(7).join(',')),
    ).toEqual(items.map((line) => [text(line.debit), text(line.credit), text(line.after)].join(',')));
    expect(csv.trim().endsWith(`,${text(closing)}`)).toBe(true);
    expect(
      (
        await made.console.call(
          books.accountStatement,
          { accountId: 'receivable:org_00000000000000000000000000:TWD' },
          { token: admin },
        )
      ).envelope.code,
    ).toBe('books.account_not_found');
  });

  it('is exported with one row per filtered entry, debits and credits in columns that add up', async () => {
    const csv = await read(made.console.ok(books.exportTransactions, { format: 'csv' }, { token: admin }));
    const rows = csv
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(','));
    const {
      rows: [{ count } = { count: 0n }],
    } = await sql<{ count: bigint }>`select count(*) as count from ledger_entry`.execute(
      made.console.app.database.kysely,
    );
    expect(rows).toHaveLength(Number(count));
    const sum = (column: number): number =>
      Math.round(rows.reduce((total, row) => total + Number(row[column] ?? 0), 0) * 100);
    expect(sum(7)).toBe(sum(8));
    const xlsx = await made.console.ok(
      books.exportTransactions,
      { format: 'xlsx', organizationId: made.customers[1].organizationId },
      { token: admin },
    );
    expect(new TextDecoder('latin1').decode((xlsx.body as Uint8Array).slice(0, 2))).toBe('PK');
  });
});

describe('R-BILL-02, R-BILL-05: a customer’s statement of account', () => {
  it('shows charges and payments with the amount due after each, and the prepaid balance likewise', async () => {
    const statement = await made.console.ok(books.statement, {}, { token });
    expect(statement.currency).toBe('TWD');
    expect(statement.owed.items.map(lineText)).toEqual([
      expect.stringMatching(/^bill \| B-202409-00000\d \| (\d+) \|  \| \1$/),
      expect.stringMatching(/^payment \| B-202409-00000\d \|  \| 50 \| \d+$/),
      expect.stringMatching(/^bill \| B-202410-00000\d \| \d+ \|  \| \d+$/),
    ]);
    expect(statement.prepaid.items.map(lineText)).toEqual([
      'top_up | payment |  | 400 | 400',
      expect.stringMatching(/^payment \| B-202409-00000\d \| 50 \|  \| 350$/),
    ]);
    const owed = await sql<{
      minor: bigint;
    }>`select sum(total_minor - paid_minor)::bigint as minor from bill where organization_id = ${made.customers[0].organizationId} and state = 'open'`.execute(
      made.console.app.database.kysely,
    );
    expect(statement.owed.closing.minor).toBe(owed.rows[0]?.minor);
    const october = await made.console.ok(
      books.statement,
      { from: day('2024-10-06'), to: day('2024-11-30') },
      { token },
    );
    expect([
      october.owed.items.length,
      october.prepaid.items.length,
      text(october.prepaid.opening),
      text(october.prepaid.closing),
    ]).toEqual([1, 0, '350', '350']);
    const csv = await read(
      made.console.ok(books.exportStatement, { currency: 'TWD', format: 'csv', language: 'zhTW' }, { token }),
    );
    expect(csv).toContain('時間,交易編號,類別,憑證,科目,組織,幣別,借方,貸方,餘額');
    expect(csv.trim().split('\r\n')).toHaveLength(6);
  });

  it('is always the own one, whatever is requested', async () => {
    const other = await made.tokenOf(made.customers[1]);
    const foreign = await made.console.ok(books.statement, { currency: 'TWD' }, { token: other });
    expect([foreign.owed.items, foreign.prepaid.items, text(foreign.owed.closing)]).toEqual([[], [], '0']);
    expect(
      (
        await read(
          made.console.ok(books.exportStatement, { currency: 'TWD', format: 'csv' }, { token: other }),
        )
      )
        .trim()
        .split('\r\n'),
    ).toHaveLength(1);
    expect(
      (await made.console.ok(books.statement, {}, { token: other })).owed.items.every(
        (line) => line.debit?.currency !== 'TWD',
      ),
    ).toBe(true);
  });
});

describe('R-BILL-05: checking the books with the button', () => {
  const finished = async (list: () => Promise<{ items: CheckRun[] }>): Promise<CheckRun> => {
    const run = await vi.waitFor(
      async () => {
        const [newest] = (await list()).items;
        expect(newest?.finishedAt).not.toBeNull();
        return newest;
      },
      { timeout: 50_000, interval: 100 },
    );
    return run!;
  };
  const all = () => made.console.ok(books.listChecks, {}, { token: admin });

  it('runs in a separate process, one at a time, and the result is stored', async () => {
    const [first, second] = await Promise.all([
      made.console.ok(books.runCheck, {}, { token: admin }),
      made.console.ok(books.runCheck, {}, { token: admin }),
    ]);
    expect(second.id).toBe(first.id);
    const run = await finished(all);
    expect([run.id, run.state, run.problem, run.askedBy]).toEqual([first.id, 'passed', null, 'Operator']);
    expect(run.checks.map((check) => check.id)).toEqual(run.expected);
    expect(run.checks.every((check) => check.verdict === 'passed')).toBe(true);
  });

  it('reports damage; a member starts and sees checks of their own organization only', async () => {
    const account = `receivable:${made.customers[0].organizationId}:TWD`;
    const change = (by: number) =>
      sql`update ledger_account set balance_minor = balance_minor + ${by} where id = ${account}`.execute(
        made.console.app.database.kysely,
      );
    await made.console.ok(
      identity.createUser,
      {
        account: 'reader@one.example',
        name: 'Reader',
        role: 'ReadOnly',
        organizationId: made.customers[0].organizationId,
        password: userPassword,
      },
      { token: admin },
    );
    const reader = await signIn(made.console, 'reader@one.example');
    const other = await made.tokenOf(made.customers[1]);
    await change(1);
    await made.console.ok(books.runOwnCheck, {}, { token: reader });
    await made.console.ok(books.runOwnCheck, {}, { token: other });
    const ownCheck = await finished(() => made.console.ok(books.listOwnChecks, {}, { token: reader }));
    const otherCheck = await finished(() => made.console.ok(books.listOwnChecks, {}, { token: other }));
    await change(-1);
    expect([ownCheck.state, otherCheck.state]).toEqual(['failed', 'passed']);
    expect(
      ownCheck.checks.flatMap((check) =>
        check.findings.map((finding) => `${check.id} ${finding.code} ${finding.subject}`),
      ),
    ).toEqual([`account-balances balance_differs ${account}`]);
    expect(ownCheck.expected).not.toContain('audit-chain');
    expect(
      (await made.console.ok(books.listOwnChecks, {}, { token: other })).items.map((run) => run.id),
    ).toEqual([otherCheck.id]);
    expect((await all()).items).toHaveLength(1);
  });

  it('is possible again after a check was killed with its console', async () => {
    const before = (await all()).items[0];
    await sql`insert into books_check (id, state, asked_at, asked_by, heard_at) values ('chk_7zzzzzzzzzzzzzzzzzzzzzzzzz', 'running', ${made.console.clock.now()}, 'x', ${new Date(made.console.clock.now().getTime() - 11 * 60_000)})`.execute(
      made.console.app.database.kysely,
    );
    const next = await made.console.ok(books.runCheck, {}, { token: admin });
    expect(next.id).not.toBe(before?.id);
    await expect
      .poll(async () => (await all()).items.find((run) => run.id === next.id)?.state)
      .toBe('passed');
    expect((await all()).items[0]).toMatchObject({ state: 'broken', problem: enUS['books.check_silent'] });
  });
});
