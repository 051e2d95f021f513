// The audit log: its content, and that no row can be changed, removed, moved or truncated unnoticed.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { billing } from '#features/invoicing/billing/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let admin: string;
let user: { token: string; userId: string };
beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
  user = await registerUser(console, 'owner@one.example', 'One');
});

type Row = {
  seq: bigint;
  actor_kind: string;
  actor_id: string | null;
  action: string;
  subject: string | null;
  detail: Record<string, unknown>;
};
const rows = async (action: string): Promise<Row[]> =>
  (
    await sql<Row>`select seq, actor_kind, actor_id, action, subject, detail from audit_log where action = ${action} order by seq`.execute(
      console.app.database.kysely,
    )
  ).rows;
/** The first broken link of the chain; undefined when all of it is valid. */
const brokenLink = async () =>
  (
    await sql<{ seq: bigint; id: string | null; reason: string }>`
      select seq, id, reason from audit_fault()`.execute(console.app.database.kysely)
  ).rows[0];

describe('the audit log records', () => {
  it('a call that a role may not make, at most once a minute', async () => {
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await console.call(identity.listUsers, {}, { token: user.token })).status).toBe(403);
    expect(await rows('platform.refused')).toMatchObject([
      {
        actor_kind: 'user',
        actor_id: user.userId,
        subject: 'identity.listUsers',
        detail: { code: 'platform.forbidden' },
      },
    ]);
  });

  it('a change of a user’s permissions with the previous value, and keys that are created and revoked', async () => {
    const organizationId = (await console.ok(identity.listOrganizations, {}, { token: admin })).items[0]?.id;
    const made = await console.ok(
      identity.createUser,
      { account: 'x@one.example', name: 'X', role: 'User', organizationId },
      { token: admin },
    );
    await console.ok(identity.updateUser, { userId: made.user.id, role: 'ReadOnly' }, { token: admin });
    expect(await rows('identity.updateUser')).toMatchObject([
      { subject: made.user.id, detail: { before: { role: 'User' }, after: { role: 'ReadOnly' } } },
    ]);
    const { key, secret } = await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin });
    await console.ok(identity.revokeApiKey, { keyId: key.id }, { token: admin });
    expect(
      (await rows('identity.createApiKey'))
        .concat(await rows('identity.revokeApiKey'))
        .map((row) => row.subject),
    ).toEqual([key.id, key.id]);
    const all = await sql<{
      text: string;
    }>`select string_agg(detail::text, '') as text from audit_log`.execute(console.app.database.kysely);
    for (const secretText of [secret, made.password ?? '?', user.token])
      expect(all.rows[0]?.text).not.toContain(secretText);
  });

  it('nothing of a transaction that was rolled back', async () => {
    const before = await rows('billing.closeMonth');
    expect(
      (await console.call(billing.closeMonth, { month: '2031-01' as never }, { token: admin })).envelope
        .isSuccess,
    ).toBe(false);
    expect(await rows('billing.closeMonth')).toEqual(before);
  });
});

describe('the chain (reliability.md 2.J-161)', () => {
  it('is valid after many concurrent transactions', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, async (ctx) =>
          ctx.audit('test.chain', `${index}`, { turn: index, big: 2 ** 60, text: '統一' }),
        ),
      ),
    );
    const written = await rows('test.chain');
    expect(written).toHaveLength(40);
    expect(
      written.every((row, index) => index === 0 || row.seq === (written[index - 1]?.seq ?? 0n) + 1n),
    ).toBe(true);
    expect(await brokenLink()).toBeUndefined();
  });

  it('cannot be changed by an ordinary statement', async () => {
    const database = console.app.database.kysely;
    await expect(sql`update audit_log set action = 'x'`.execute(database)).rejects.toThrow('never changed');
    await expect(sql`delete from audit_log`.execute(database)).rejects.toThrow('never changed');
    await expect(sql`truncate audit_log`.execute(database)).rejects.toThrow('never changed');
  });

  it.each([
    ['a rewritten action', sql`update audit_log set action = 'harmless' where seq = 3`, 3n, 'changed'],
    ['a rewritten detail', sql`update audit_log set detail = '{}' where seq = 4`, 4n, 'changed'],
    ['a changed time', sql`update audit_log set at = at + interval '1 second' where seq = 2`, 2n, 'changed'],
    ['a deleted row', sql`delete from audit_log where seq = 5`, 5n, 'missing'],
    [
      'two exchanged rows',
      sql`update audit_log a set action = b.action, subject = b.subject, detail = b.detail from audit_log b where (a.seq, b.seq) in ((2, 3), (3, 2))`,
      2n,
      'changed',
    ],
    [
      'rows cut off at the end',
      sql`delete from audit_log where seq > (select max(seq) - 2 from audit_log)`,
      undefined,
      'end',
    ],
  ])('finds %s', async (_what, change, seq, reason) => {
    const outcome = await console.app.database.kysely.transaction().execute(async (transaction) => {
      await sql`alter table audit_log disable trigger user`.execute(transaction);
      await change.execute(transaction);
      const { rows: found } = await sql<{
        seq: bigint;
        reason: string;
      }>`select seq, reason from audit_fault()`.execute(transaction);
      await sql`rollback`.execute(transaction);
      return found[0];
    });
    expect(outcome?.reason).toContain(reason);
    if (seq !== undefined) expect(outcome?.seq).toBe(seq);
    expect(await brokenLink()).toBeUndefined();
  });
});
