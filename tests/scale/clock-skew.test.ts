// Consoles on machines whose clocks differ by minutes use the database’s clock.
import { beforeAll, describe, expect, it } from 'vitest';
import { minuteMs } from '#kernel/durations.ts';
import { identity } from '#features/access/identity/contract.ts';
import { createTestConsole, registerUser, setUp, signIn, type TestConsole } from '../support/console.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('a console whose clock is three minutes ahead, and one that is three minutes behind', () => {
  let database: TestDatabase;
  let consoles: TestConsole[];

  beforeAll(async () => {
    database = await createTestDatabase();
    const start = (aheadMs: number): Promise<TestConsole> =>
      createTestConsole(new Date(Date.now() + aheadMs), {}, database, { followsDatabase: true });
    consoles = [await start(3 * minuteMs), await start(-3 * minuteMs)];
  });

  it('use the same time, that of the database', async () => {
    for (const { app } of consoles) {
      const { rows } = await database.pool.query<{ now: Date }>('select clock_timestamp() as now');
      // These clocks stand still between two reads of the database’s clock, ten seconds apart.
      expect(Math.abs(app.clock.now().getTime() - (rows[0]?.now.getTime() ?? 0))).toBeLessThan(20_000);
    }
  });

  it('accept each other’s tokens, and do once what is requested from both', async () => {
    const [ahead, behind] = consoles;
    if (!ahead || !behind) throw new Error('no consoles');
    const admin = await setUp(ahead);
    await registerUser(behind, 'owner@one.example', 'One');
    for (const from of consoles) {
      const token = await signIn(from, 'owner@one.example');
      for (const at of consoles) expect((await at.call(identity.profile, {}, { token })).status).toBe(200);
    }
    const answers = await Promise.all(
      consoles.map((console) =>
        console.ok(
          identity.createUser,
          { account: 'second@cloud.example', name: 'Second', role: 'Admin' },
          { token: admin, headers: { 'idempotency-key': 'the-same-key' } },
        ),
      ),
    );
    expect(new Set(answers.map(({ user }) => user.id)).size).toBe(1);
    const { rows } = await database.pool.query<{ skewed: number }>(
      `select count(*)::int as skewed from audit_log where abs(extract(epoch from at - clock_timestamp())) > 60`,
    );
    expect(rows).toEqual([{ skewed: 0 }]);
  });
});
