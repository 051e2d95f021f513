// A console behind PgBouncer in transaction mode: nothing depends on the session of a connection.
import { describe, expect, it, vi } from 'vitest';
import { StartRefused } from '#platform/server/start-refused.ts';
import { backups } from '#features/operations/backups/contract.ts';
import { books } from '#features/reporting/books/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { fillBooks } from '../support/backups.ts';
import { createTestConsole, registerUser, setUp } from '../support/console.ts';
import { createTestDatabase } from '../support/database.ts';
import { publish, RawClient } from '../support/live.ts';
import { hasPgbouncer, startPooler } from '../support/pooler.ts';

describe.skipIf(!hasPgbouncer)('a console behind PgBouncer in transaction mode', () => {
  it('imports, closes a month, makes a backup, sends live updates and checks its books with 4 connections', async () => {
    const database = await createTestDatabase();
    const pooler = await startPooler(database.connection, { connections: 4 });
    const console = await createTestConsole(undefined, pooler, database);
    const admin = await setUp(console, { currency: 'USD' });
    const user = await registerUser(console, 'owner@one.example', 'One');
    await fillBooks(console, admin);

    // More callers than connections, each with prepared statements and transactions.
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, place) =>
        console.call(identity.profile, {}, { token: place % 2 === 0 ? admin : user.token }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));

    const topic = `org/${user.organizationId}/usage`;
    const client = await RawClient.connect(console, user, [topic]);
    const message = { kind: 'usage', said: 1 };
    await publish(console, topic, message);
    await expect.poll(() => client.news().map(({ message: heard }) => heard)).toContainEqual(message);

    const { id } = await console.ok(backups.makeBackup, {}, { token: admin });
    await vi.waitFor(
      async () => {
        const made = await console.ok(backups.getBackup, { backupId: id }, { token: admin });
        expect(made).toMatchObject({ state: 'done', proof: 'proven' });
      },
      { timeout: 50_000, interval: 100 },
    );
    await console.ok(books.runCheck, {}, { token: admin });
    await vi.waitFor(
      async () => {
        const { items } = await console.ok(books.listChecks, {}, { token: admin });
        expect(items[0]).toMatchObject({ state: 'passed', problem: null });
      },
      { timeout: 50_000, interval: 100 },
    );
    const { rows } = await database.pool.query<{ bills: number }>('select count(*)::int as bills from bill');
    expect(rows).toEqual([{ bills: 67 }]);
  });

  it('PgBouncer with other settings is rejected, with the line that fixes it', async () => {
    const database = await createTestDatabase();
    const pooler = await startPooler(database.connection, { connectQuery: "set timezone = ''Asia/Taipei''" });
    const start = createTestConsole(undefined, pooler, database);
    await expect(start).rejects.toThrow(StartRefused);
    await expect(start).rejects.toThrow("connect_query='set timezone = ''UTC''");
  });
});
