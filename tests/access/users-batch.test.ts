// Many users at once: each row's result, protected users, undo, and what deleting means.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { identity } from '#features/access/identity/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { signin } from '#features/access/signin/contract.ts';
import { users, type UserBatch } from '#features/access/users/contract.ts';
import { startBatch } from '#features/access/users/server/batch.ts';
import { usersFeature } from '#features/access/users/server/index.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';

let console: TestConsole;
let token: string;
let one: Awaited<ReturnType<typeof registerUser>>;
let ownId: Id<'usr'>;
const db = () => console.app.database.kysely;
const make = async (name: string, role: 'User' | 'ReadOnly' | 'Admin' = 'User'): Promise<Id<'usr'>> =>
  (
    await console.ok(
      identity.createUser,
      {
        account: `${name}@one.example`,
        name,
        role,
        ...(role !== 'Admin' && { organizationId: one.organizationId as Id<'org'> }),
        password: userPassword,
      },
      { token },
    )
  ).user.id;
const batch = (action: UserBatch['action'], ids: readonly Id<'usr'>[], by = token) =>
  console.ok(users.startBatch, { action, ids: [...ids] }, { token: by });
const statusOf = async (userId: Id<'usr'>): Promise<string> =>
  (await console.ok(identity.getUser, { userId }, { token })).status;
const counts = ({ state, total, done, unchanged, refused }: UserBatch) => [
  state,
  total,
  done,
  unchanged,
  refused,
];
const errorCodes = async (batchId: Id<'ubt'>) =>
  (await console.ok(users.listBatchRows, { batchId, state: 'refused' }, { token })).items.map((row) => [
    row.name,
    row.code,
  ]);
/** Creates many users directly in the database. */
const makeMany = (count: number, prefix: string) =>
  sql`insert into app_user (id, account, name, role, organization_id, language, created_at)
  select 'usr_' || substr(translate(md5(${prefix} || n), 'abcdef', 'ghjkmn'), 1, 26), ${prefix} || n || '@many.example', ${prefix} || ' ' || n, 'User', ${one.organizationId}, 'zhTW', now() from generate_series(1, ${count}::int) n`.execute(
    db(),
  );

beforeAll(async () => {
  console = await createTestConsole();
  token = await setUp(console);
  one = await registerUser(console, 'owner@one.example', 'One');
  ownId = (await console.ok(identity.profile, {}, { token })).id;
});

describe('R-ADM-02 batches of users', () => {
  it('deactivate users, report each result, sign everybody out, and can be undone', async () => {
    const [a, b, c] = [await make('a'), await make('b'), await make('c')];
    const session = await signIn(console, 'a@one.example');
    await console.ok(identity.updateUser, { userId: c, status: 'inactive' }, { token });
    const unknown = 'usr_00000000000000000000000000' as Id<'usr'>;
    const { batch: done } = await batch('deactivate', [a, b, c, ownId, unknown, a]);
    expect(counts(done)).toEqual(['done', 5, 2, 1, 2]);
    expect(await errorCodes(done.id)).toEqual([
      ['Operator', 'identity.own_account'],
      [unknown, 'identity.user_not_found'],
    ]);
    expect([await statusOf(a), await statusOf(b), await statusOf(ownId)]).toEqual([
      'inactive',
      'inactive',
      'active',
    ]);
    expect((await console.call(identity.profile, {}, { token: session })).status, 'signed out').toBe(401);
    const undone = await console.ok(users.undoBatch, { batchId: done.id }, { token });
    expect(counts(undone)).toEqual(['done', 2, 2, 0, 0]);
    expect([await statusOf(a), await statusOf(b), await statusOf(c)]).toEqual([
      'active',
      'active',
      'inactive',
    ]);
    expect((await console.call(users.undoBatch, { batchId: done.id }, { token })).envelope.code).toBe(
      'users.nothing_to_undo',
    );
    const audit = await sql<{
      detail: { batchId: string; done: number };
    }>`select detail from audit_log where action = 'users.batch' order by id`.execute(db());
    expect(audit.rows.map(({ detail }) => [detail.batchId, detail.done])).toEqual([
      [done.id, 2],
      [undone.id, 2],
    ]);
  });

  it('can be retried for users that were rejected', async () => {
    const [a, b] = [await make('retry-a'), await make('retry-b')];
    await batch('delete', [a]);
    const { batch: first } = await batch('deactivate', [a, b]);
    expect(counts(first)).toEqual(['done', 2, 1, 0, 1]);
    await batch('restore', [a]);
    expect(counts(await console.ok(users.retryBatch, { batchId: first.id }, { token }))).toEqual([
      'done',
      1,
      1,
      0,
      0,
    ]);
    expect(await statusOf(a)).toBe('inactive');
  });

  it('selected by a filter report the exact number, run in the background in chunks, and skip their own caller', async () => {
    await makeMany(1234, 'bulk');
    const filter = { q: 'bulk' };
    expect((await console.ok(users.countUsers, filter, { token })).total).toBe(1234);
    expect(
      (await console.call(users.startBatch, { action: 'deactivate', filter, expected: 1233 }, { token }))
        .envelope.code,
    ).toBe('users.count_changed');
    const { batch: begun } = await console.ok(
      users.startBatch,
      { action: 'deactivate', filter, expected: 1234 },
      { token },
    );
    expect([begun.state, begun.total]).toEqual(['running', 1234]);
    await expect
      .poll(async () => counts(await console.ok(users.getBatch, { batchId: begun.id }, { token })))
      .toEqual(['done', 1234, 1234, 0, 0]);
    expect((await console.ok(identity.listUsers, { q: 'bulk', status: 'inactive' }, { token })).total).toBe(
      1234,
    );
    // All users: the caller is not among the rows.
    const { batch: all } = await console.ok(
      users.startBatch,
      { action: 'deactivate', filter: { role: 'Admin' } },
      { token },
    );
    expect(counts(all)).toEqual(['done', 0, 0, 0, 0]);
  });

  it('can be stopped, and the completed part can be undone', async () => {
    await makeMany(900, 'stop');
    const { batch: begun } = await console.ok(
      users.startBatch,
      { action: 'deactivate', filter: { q: 'stop' } },
      { token },
    );
    const stopped = await console.ok(users.stopBatch, { batchId: begun.id }, { token });
    expect(stopped.state).toBe('stopped');
    await expect
      .poll(
        async () =>
          (
            await sql<{
              n: bigint;
            }>`select count(*) as n from job.job where name = 'user-batch' and state in ('created', 'active', 'retry')`.execute(
              db(),
            )
          ).rows[0]?.n,
      )
      .toBe(0n);
    const end = await console.ok(users.getBatch, { batchId: begun.id }, { token });
    expect([
      end.state,
      (await console.ok(identity.listUsers, { q: 'stop', status: 'inactive' }, { token })).total,
    ]).toEqual(['stopped', end.done]);
  });

  it('reset passwords: links are returned once and not stored, and the old password is invalid', async () => {
    const [a, off] = [await make('forgot'), await make('off')];
    await console.ok(identity.updateUser, { userId: off, status: 'inactive' }, { token });
    const { batch: done, links } = await batch('resetPassword', [a, off]);
    expect([counts(done), links.map((link) => link.account), await errorCodes(done.id)]).toEqual([
      ['done', 2, 1, 0, 1],
      ['forgot@one.example'],
      [['off', 'users.not_active']],
    ]);
    expect(
      (await console.call(signin.login, { account: 'forgot@one.example', password: userPassword })).status,
    ).toBe(401);
    await console.ok(signin.resetPassword, {
      token: new URL(links[0]?.link ?? '').hash.slice('#token='.length),
      password: 'quite another phrase',
    });
    await signIn(console, 'forgot@one.example', 'quite another phrase');
    const secret = links[0]?.link.split('token=')[1] ?? '';
    const { rows } = await sql<{
      n: bigint;
    }>`select count(*) as n from (select detail::text as said from audit_log union all select payload::text from outbox) stored where said like ${`%${secret}%`}`.execute(
      db(),
    );
    expect(rows[0]?.n).toBe(0n);
  });

  it('R-ADM-02 2.C-51 two Admins who deactivate each other at the same moment leave one active', async () => {
    const other = await make('second', 'Admin');
    const second = await signIn(console, 'second@one.example');
    const answers = await Promise.all([
      console.call(users.startBatch, { action: 'deactivate', ids: [other] }, { token }),
      console.call(users.startBatch, { action: 'delete', ids: [ownId] }, { token: second }),
    ]);
    const { rows } = await sql<{
      id: Id<'usr'>;
    }>`select id from app_user where role = 'Admin' and status = 'active'`.execute(db());
    expect(rows).toHaveLength(1);
    expect(answers.reduce((sum, answer) => sum + (answer.data?.batch.done ?? 0), 0)).toBe(1);
    // The remaining Admin restores the other one.
    const left = rows[0]?.id === ownId ? token : second;
    await console.ok(
      users.startBatch,
      {
        action: rows[0]?.id === ownId ? 'activate' : 'restore',
        ids: [rows[0]?.id === ownId ? other : ownId],
      },
      { token: left },
    );
    token = await signIn(console, adminAccount.account, adminAccount.password);
    await batch('deactivate', [other]);
  });

  it('stop when their caller loses the Admin role', async () => {
    const other = await make('third', 'Admin');
    const third = await signIn(console, 'third@one.example');
    await makeMany(600, 'late');
    const { batch: begun } = await console.ok(
      users.startBatch,
      { action: 'deactivate', filter: { q: 'late' } },
      { token: third },
    );
    await batch('deactivate', [other]);
    await expect
      .poll(async () => (await console.ok(users.getBatch, { batchId: begun.id }, { token })).state)
      .toBe('done');
    const end = await console.ok(users.getBatch, { batchId: begun.id }, { token });
    expect(end.done + end.refused).toBe(600);
    const active = (await console.ok(identity.listUsers, { q: 'late', status: 'active' }, { token })).total;
    expect(active).toBe(end.refused);
  });
});

describe('deleting a user (decision 31)', () => {
  it('hides them, ends all access, keeps the account for 30 days, and can be undone', async () => {
    const userId = await make('gone');
    const session = await signIn(console, 'gone@one.example');
    await console.ok(users.deleteUser, { userId }, { token });
    expect([
      (await console.call(identity.profile, {}, { token: session })).status,
      (await console.call(signin.login, { account: 'gone@one.example', password: userPassword })).status,
    ]).toEqual([401, 401]);
    expect((await console.ok(identity.listUsers, { q: 'gone@one' }, { token })).total).toBe(0);
    expect(
      (await console.ok(identity.listUsers, { q: 'gone@one', status: 'deleted' }, { token })).items.map(
        (user) => user.id,
      ),
    ).toEqual([userId]);
    expect(
      (await console.ok(identity.members, {}, { token: one.token })).items.some(
        (member) => member.id === userId,
      ),
    ).toBe(false);
    const again = await console.call(
      identity.createUser,
      { account: 'gone@one.example', name: 'x', role: 'Admin' },
      { token },
    );
    expect([again.status, again.envelope.code]).toEqual([409, 'identity.account_deleted']);
    for (const refused of [
      await console.call(identity.updateUser, { userId, status: 'active' }, { token }),
      await console.call(signin.resetForUser, { userId }, { token }),
      await console.call(
        users.deleteUser,
        { userId: 'usr_00000000000000000000000000' as Id<'usr'> },
        { token },
      ),
    ])
      expect(refused.status).toBe(404);
    await batch('restore', [userId]);
    await signIn(console, 'gone@one.example');
    expect((await console.call(users.deleteUser, { userId: ownId }, { token })).envelope.code).toBe(
      'identity.own_account',
    );
  });

  it('erases everything but the name after 30 days, and the account name is free again', async () => {
    const userId = await make('erased');
    await console.ok(users.deleteUser, { userId }, { token });
    const run = () =>
      usersFeature.jobs
        .find((job) => job.name === 'users-erase')
        ?.run(console.app, {} as never, new AbortController().signal);
    const begun = console.clock.now();
    console.clock.advance(30 * 86_400_000 - 60_000);
    await run();
    expect(
      (await sql<{ account: string }>`select account from app_user where id = ${userId}`.execute(db()))
        .rows[0]?.account,
    ).toBe('erased@one.example');
    console.clock.advance(120_000);
    await run();
    const { rows } =
      await sql`select account, name, phone, password_hash from app_user where id = ${userId}`.execute(db());
    expect(rows).toEqual([{ account: `erased ${userId}`, name: 'erased', phone: '', password_hash: null }]);
    expect((await sql`select from session where user_id = ${userId}`.execute(db())).rows).toHaveLength(0);
    token = await signIn(console, adminAccount.account, adminAccount.password);
    expect(await errorCodes((await batch('restore', [userId])).batch.id)).toEqual([
      ['erased', 'users.erased'],
    ]);
    await make('erased');
    expect(console.clock.now().getTime()).toBeGreaterThan(begun.getTime());
  });

  it('by two Admins at once wait for each other; neither is repeated because both hold what the other needs', async () => {
    const [first, second] = [await make('other-1', 'Admin'), await make('other-2', 'Admin')];
    const target = await make('twice');
    let attempts = 0;
    const deactivate = (userId: Id<'usr'>, other: Id<'usr'>) =>
      unitOfWork(
        console.app,
        {
          actor: {
            kind: 'user',
            userId,
            sessionId: null,
            role: 'Admin',
            organizationId: null,
            name: 'Other',
            provedAt: console.clock.now(),
            mustEnrol: false,
            customRole: null,
          },
        },
        (ctx) => {
          attempts++;
          return startBatch(ctx, { action: 'deactivate', ids: [target, other] });
        },
      );
    let both: Promise<unknown[]> = Promise.resolve([]);
    await db()
      .transaction()
      .execute(async (holder) => {
        await sql`select from app_user where id = ${ownId} for no key update`.execute(holder);
        both = Promise.all([deactivate(first, second), deactivate(second, first)]);
        await vi.waitFor(
          async () => {
            const { rows } =
              await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
                holder,
              );
            expect(rows).toHaveLength(2);
          },
          { timeout: 20_000, interval: 20 },
        );
      });
    await both;
    expect([attempts, await statusOf(target)]).toEqual([2, 'inactive']);
    expect([await statusOf(first), await statusOf(second)].toSorted()).toEqual(['active', 'inactive']);
  });
});
