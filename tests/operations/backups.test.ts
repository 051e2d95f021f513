// Backups through the API: made while the console runs, verified by a restore, stored, notified, downloaded
// and opened elsewhere.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { required } from '#kernel/assert.ts';
import { headOf, restoreOutside } from '#platform/server/backup/restore.ts';
import { newIdentity, readSealed, SealBroken } from '#platform/server/security/sealed-file.ts';
import { openBackup } from '#platform/server/backup/backup-load.ts';
import { entriesOf } from '#platform/server/files/tar.ts';
import { openDatabase } from '#platform/server/database/db.ts';
import { silentLog } from '#platform/server/log.ts';
import { withClient } from '#platform/server/database/other-database.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { backups, type Backup } from '#features/operations/backups/contract.ts';
import {
  backupState,
  makeDueBackup,
  recordUpgradeBackup,
  unrecordedUpgradeBackup,
} from '#features/operations/backups/server/index.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { contentOf, emptyDatabase, fillBooks, restoreOf } from '../support/backups.ts';
import { adminAccount, createTestConsole, setUp, signIn, type TestConsole } from '../support/console.ts';
import { isLong } from '../support/fault-rounds.ts';

let console: TestConsole;
let admin: string;
const asAdmin = () => ({ token: admin });
const folder = (): string => console.app.backupFiles.place;
const ended = ['done', 'failed', 'stopped'];

async function finished(backupId: Backup['id']): Promise<Backup> {
  return vi.waitFor(
    async () => {
      const found = await console.ok(backups.getBackup, { backupId }, asAdmin());
      expect(ended).toContain(found.state);
      return found;
    },
    { timeout: 50_000, interval: 100 },
  );
}
const make = async (): Promise<Backup> => finished((await console.ok(backups.makeBackup, {}, asAdmin())).id);
async function makeWell(): Promise<Backup> {
  const made = await make();
  expect(made).toMatchObject({ state: 'done', problem: null });
  return made;
}
const elsewhere = mkdtempSync(join(tmpdir(), 'skytally-restore-'));
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console, { currency: 'USD' });
  await fillBooks(console, admin);
});

/** The file of the first one. */
let firstPath: string;

describe('a backup', () => {
  let made: Backup;
  /** Where it was restored. */
  let restoredTo: Awaited<ReturnType<typeof emptyDatabase>>;
  it('is made beside the running console and verified by a restore, with its totals', async () => {
    made = await make();
    firstPath = join(folder(), made.fileName ?? '');
    expect(made).toMatchObject({
      state: 'done',
      cause: 'person',
      askedBy: 'Operator',
      proof: 'proven',
      differences: [],
      problem: null,
      removedAt: null,
    });
    expect(made.content?.totals).toEqual(
      expect.arrayContaining([
        { name: 'organizations', unit: '', value: '68' },
        { name: 'events', unit: '', value: '795' },
        { name: 'bills', unit: '', value: '67' },
        { name: 'billed', unit: 'USD', value: '2318' },
        { name: 'ledger_balance', unit: 'USD', value: '0' },
      ]),
    );
    expect(made.content?.rows).toBeGreaterThan(5000);
  });

  it('is one file that only its owner can read, and the verification leaves nothing behind', async () => {
    expect(readdirSync(folder())).toEqual([made.fileName]);
    expect([
      (statSync(join(folder(), made.fileName ?? '')).mode & 0o777).toString(8),
      statSync(join(folder(), made.fileName ?? '')).size,
    ]).toEqual(['600', made.sizeBytes]);
    // Only of this console: others on the same server may be verifying theirs.
    const left = async () =>
      (
        await sql<{
          name: string;
        }>`select datname as name from pg_database where starts_with(datname, left(current_database(), 30) || '_proof_')`.execute(
          console.app.database.kysely,
        )
      ).rows;
    // Files locked by the server’s autovacuum are left to the next backup.
    if ((await left()).length > 0) await makeWell();
    expect(await left()).toEqual([]);
  });

  it('contains no secret that can be read without its key (99, 163)', async () => {
    const bytes = readFileSync(join(folder(), made.fileName ?? ''));
    expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    for (const secret of [
      console.app.secrets.licenceKey.slice(30, 60),
      console.app.secrets.accessTokenKey,
      adminAccount.account,
      'PRIVATE KEY',
    ])
      expect(bytes.includes(secret)).toBe(false);
  });

  it('can be downloaded by an Admin with a recent sign-in, and the download is logged', async () => {
    const { data } = await console.call(backups.downloadBackup, { backupId: made.id }, asAdmin());
    expect(
      Buffer.from(data.body as Uint8Array).equals(readFileSync(join(folder(), made.fileName ?? ''))),
    ).toBe(true);
    const { rows } = await sql<{
      action: string;
      subject: string;
    }>`select action, subject from audit_log where action in ('backups.make', 'backups.made', 'backups.download') order by seq`.execute(
      console.app.database.kysely,
    );
    expect(rows).toEqual(
      ['backups.make', 'backups.made', 'backups.download'].map((action) => ({ action, subject: made.id })),
    );
  });

  it('is restored elsewhere with only the recovery key: people sign in as before, bills are the same', async () => {
    const { recoveryKey } = await console.ok(backups.revealRecoveryKey, {}, asAdmin());
    const where = await emptyDatabase();
    restoredTo = where;
    await restoreOutside(
      where,
      restoreOf({ path: join(folder(), made.fileName ?? ''), identity: recoveryKey }, elsewhere),
    );
    expect(readdirSync(elsewhere).toSorted()).toEqual(['backup.key', 'secrets.json']);
    for (const name of ['backup.key', 'secrets.json'])
      expect(readFileSync(join(elsewhere, name), 'utf8')).toBe(
        readFileSync(join(console.app.config.dataDir, name), 'utf8'),
      );
    const restored = await openDatabase(where, { max: 1, log: silentLog() });
    const bills = async (db: typeof restored.kysely): Promise<unknown> =>
      (await sql`select id, number, total_minor, content_hash from bill order by number`.execute(db)).rows;
    expect(await bills(restored.kysely)).toEqual(await bills(console.app.database.kysely));
    // The triggers are enabled again, and the foreign keys are valid.
    await expect(sql`update usage_event set value = 1`.execute(restored.kysely)).rejects.toThrow();
    await expect(
      sql`insert into bill_line select * from bill_line`.execute(restored.kysely),
    ).rejects.toThrow();
    const counts = (db: typeof restored.kysely): Promise<unknown> =>
      sql`select (select count(*) from pg_trigger where not tgisinternal) as triggers, (select count(*) from pg_trigger where not tgisinternal and tgenabled <> 'O') as asleep, (select count(*) from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n') as constraints, (select count(*) from pg_indexes where schemaname = 'public') as indexes, (select count(*) from audit_fault()) as faults`
        .execute(db)
        .then(({ rows }) => rows[0]);
    expect(await counts(restored.kysely)).toEqual(await counts(console.app.database.kysely));
    await restored.close();
  });

  it('is restored only into an empty database', async () => {
    const where = await emptyDatabase();
    await withClient(where, (client) => client.query('create table mine (id int)'));
    const options = restoreOf(
      {
        path: join(folder(), made.fileName ?? ''),
        identity: (await console.ok(backups.revealRecoveryKey, {}, asAdmin())).recoveryKey,
      },
      elsewhere,
    );
    await expect(restoreOutside(where, options)).rejects.toThrow('The database is not empty');
    await expect(restoreOutside(restoredTo, options)).rejects.toThrow('The database is not empty');
  });

  it('in progress is returned by further calls', async () => {
    const [one, other] = await Promise.all([
      console.ok(backups.makeBackup, {}, asAdmin()),
      console.ok(backups.makeBackup, {}, asAdmin()),
    ]);
    expect(one.id).toBe(other.id);
    expect((await finished(one.id)).proof).toBe('proven');
  });

  it('that was stopped does not block the next one', async () => {
    for (let round = 0; round < (isLong ? 3 : 1); round++) {
      const { id } = await console.ok(backups.makeBackup, {}, asAdmin());
      await expect
        .poll(async () => (await console.ok(backups.getBackup, { backupId: id }, asAdmin())).state, {
          interval: 20,
        })
        .not.toBe('waiting');
      await console.ok(backups.stopBackup, { backupId: id }, asAdmin());
      await finished(id);
      await makeWell();
    }
    // `npm run faults` makes six backups, three of them verified by a restore.
  }, 240_000);

  it('can be stopped while waiting or in progress, and leaves nothing behind', async () => {
    const before = readdirSync(folder());
    const { id } = await console.ok(backups.makeBackup, {}, asAdmin());
    await console.ok(backups.stopBackup, { backupId: id }, asAdmin());
    expect((await finished(id)).state).toMatch(/stopped|done/);
    expect((await console.call(backups.stopBackup, { backupId: id }, asAdmin())).envelope.code).toBe(
      'backups.not_running',
    );
    const after = await finished(id);
    if (after.state === 'stopped')
      expect(readdirSync(folder()).filter((name) => !name.endsWith('.draft'))).toEqual(before);
  });
});

describe('a damaged backup file', () => {
  let path: string;
  let identity: string;
  beforeAll(async () => {
    path = firstPath;
    ({ recoveryKey: identity } = await console.ok(backups.revealRecoveryKey, {}, asAdmin()));
  });

  it('with any one byte changed is rejected: 100 bytes, and the database stays empty (163)', async () => {
    const whole = readFileSync(path);
    const broken = join(elsewhere, 'broken.backup.age');
    const where = await emptyDatabase();
    // Positions spread over the file, including its header and its last bytes; the changed bit varies.
    for (let round = 0; round < 100; round++) {
      const place = round === 99 ? whole.length - 1 : Math.floor((round * whole.length) / 99);
      const bytes = Buffer.from(whole);
      bytes[place] = (bytes[place] ?? 0) ^ (1 << (round % 8));
      writeFileSync(broken, bytes);
      await expect(readWhole(broken, identity), `byte ${place}`).rejects.toThrow(SealBroken);
      if (round % 33 === 1)
        await expect(
          restoreOutside(where, restoreOf({ path: broken, identity }, elsewhere)),
          `byte ${place}`,
        ).rejects.toThrow(SealBroken);
    }
    await withClient(where, async (client) =>
      expect(
        (await client.query(`select 1 from pg_class where relnamespace = 'public'::regnamespace`)).rowCount,
      ).toBe(0),
    );
    await restoreOutside(where, restoreOf({ path, identity }, elsewhere));
  });

  it.each([0, 1, 100, 165, 1000, 70_000, -17, -1])('truncated to %i bytes is rejected', async (length) => {
    const whole = readFileSync(path);
    const broken = join(elsewhere, 'cut.backup.age');
    writeFileSync(broken, whole.subarray(0, length < 0 ? whole.length + length : length));
    await expect(readWhole(broken, identity)).rejects.toThrow(SealBroken);
  });

  it('with another key is reported as such, and without one the message shows the format of a key', async () => {
    await expect(headOf(contentOf(path), await newIdentity())).rejects.toThrow('another recovery key');
    await expect(headOf(contentOf(path), 'AGE-SECRET-KEY-1NOTAKEY')).rejects.toThrow(
      'begins with AGE-SECRET-KEY-1',
    );
  });
});

/** Reads a file to its end, as a restore does. */
async function readWhole(path: string, identity: string): Promise<void> {
  const { pieces } = await openBackup(entriesOf(readSealed(await contentOf(path)(), identity)));
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next())
    expect(piece.value.name).toMatch(/^data\//);
}

describe('scheduled backups', () => {
  it('are made once at their hour, and the overview shows the next one', async () => {
    console.clock.set(new Date('2031-03-04T18:59:00Z'));
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    await console.ok(
      backups.saveBackupPlan,
      { isOn: true, hour: 3, keepDaily: 1, keepWeekly: 0, keepMonthly: 0 },
      asAdmin(),
    );
    expect((await console.ok(backups.backupOverview, {}, asAdmin())).nextAt).toEqual(
      new Date('2031-03-04T19:00:00Z'),
    );
    await makeDueBackup(console.app);
    const first = await scheduled();
    expect((await finished(first[0]!.id)).proof).toBe('proven');
    // It made up for the previous night; this night’s hour has not come yet.
    await makeDueBackup(console.app);
    expect(await scheduled()).toHaveLength(1);
    console.clock.set(new Date('2031-03-05T19:00:00Z'));
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    await Promise.all([makeDueBackup(console.app), makeDueBackup(console.app)]);
    const second = await scheduled();
    expect(second).toHaveLength(2);
    expect((await finished(second[0]!.id)).proof).toBe('proven');
  });

  it('are deleted after their retention, except the newest verified one', async () => {
    const all = async () =>
      (await console.ok(backups.listBackups, { limit: 100 }, asAdmin())).items.filter(
        ({ state }) => state === 'done',
      );
    const available = async () => (await all()).filter(({ removedAt }) => removedAt === null);
    // The list is updated first, the files are deleted a moment later.
    await expect.poll(async () => (await available()).length, { timeout: 30_000 }).toBe(1);
    const existing = await available();
    await expect
      .poll(() => readdirSync(folder()).filter((name) => !name.endsWith('.draft')), { timeout: 30_000 })
      .toEqual(existing.map((backup) => backup.fileName));
    const items = await all();
    expect(
      (await console.call(backups.deleteBackup, { backupId: existing[0]!.id }, asAdmin())).envelope.code,
    ).toBe('backups.last_proven');
    const removed = items.find((backup) => backup.removedAt !== null);
    expect(
      (await console.call(backups.downloadBackup, { backupId: removed!.id }, asAdmin())).envelope.code,
    ).toBe('backups.not_there');
  });

  it('are neither made nor announced when switched off', async () => {
    await console.ok(
      backups.saveBackupPlan,
      { isOn: false, hour: 3, keepDaily: 7, keepWeekly: 4, keepMonthly: 12 },
      asAdmin(),
    );
    console.clock.set(new Date('2031-03-09T19:00:00Z'));
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    await makeDueBackup(console.app);
    expect([
      (await scheduled()).length,
      (await console.ok(backups.backupOverview, {}, asAdmin())).nextAt,
    ]).toEqual([2, null]);
  });

  const scheduled = async (): Promise<Backup[]> =>
    (await console.ok(backups.listBackups, { limit: 100 }, asAdmin())).items.filter(
      (backup) => backup.cause === 'schedule',
    );
});

describe('a failed backup', () => {
  it('is listed with its reason, notified to Admins, and affects the status until one is verified', async () => {
    await sql`create table by_hand (id int)`.execute(console.app.database.kysely);
    const failed = await make();
    await sql`drop table by_hand`.execute(console.app.database.kysely);
    expect(failed).toMatchObject({
      state: 'failed',
      proof: null,
      problem: expect.stringContaining('tables or migrations that this release doesn’t know'),
    });
    expect(existsSync(join(folder(), failed.fileName ?? ''))).toBe(false);
    const { items } = await console.ok(notifications.listNotifications, { limit: 50 }, asAdmin());
    expect(items.map((each) => [each.message, each.link])).toContainEqual([
      'A backup failed. See “Backups” for the reason and create another.',
      '/admin/backups',
    ]);
    const state = () =>
      unitOfWork(
        console.app,
        { actor: { kind: 'system', name: 'test' }, mode: 'read', language: 'enUS' },
        (ctx) => backupState(ctx),
      );
    expect((await state()).lastFailure?.problem).toBe(failed.problem);
    console.clock.advance(1000);
    const made = await make();
    expect(await state()).toMatchObject({ lastProvenAt: made.finishedAt, lastFailure: null });
  });

  it('whose process ended is marked as interrupted after minutes and does not block the next one', async () => {
    // The newest one, as its process had left it.
    const { items } = await console.ok(backups.listBackups, { limit: 100 }, asAdmin());
    const { id } = required(
      items.find(({ state }) => state === 'done'),
      'a backup',
    );
    const heard = console.clock.now();
    await sql`update backup set heard_at = ${heard}, state = 'running', size_bytes = null, content = null, proof = null, finished_at = null where id = ${id}`.execute(
      console.app.database.kysely,
    );
    console.clock.advance(4 * 60_000);
    expect((await console.ok(backups.getBackup, { backupId: id }, asAdmin())).state).toBe('interrupted');
    expect((await make()).proof).toBe('proven');
    expect((await console.ok(backups.getBackup, { backupId: id }, asAdmin())).state).toBe('failed');
  });
});

describe('the backup of an upgrade', () => {
  it('is recorded once by the next start if the process ended before that', async () => {
    const { app } = console;
    const content = { version: '1.0.0', postgres: '18', tables: 1, rows: 2, totals: [] };
    const proof = { outcome: 'proven', differences: [] };
    const fileName = 'before-upgrade.skytally';
    const unrecorded = join(folder(), 'upgrade-backup.json');
    for (let start = 0; start < 2; start++) {
      writeFileSync(unrecorded, JSON.stringify({ fileName, bytes: 3, content, proof }));
      const made = await unrecordedUpgradeBackup(app.backupFiles);
      if (!made) throw new Error('nothing was left to record');
      await recordUpgradeBackup(app, made);
      expect(await unrecordedUpgradeBackup(app.backupFiles)).toBeUndefined();
    }
    const { items } = await console.ok(backups.listBackups, { limit: 100 }, asAdmin());
    expect(items.filter((item) => item.fileName === fileName)).toMatchObject([
      { cause: 'upgrade', proof: 'proven', content },
    ]);
  });
});
