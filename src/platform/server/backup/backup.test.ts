// The building blocks of backups: archives, encryption, COPY, and restoring backups of other releases.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { load, openBackup } from './backup-load.ts';
import { BackupBusy, makeBackup, type BackupOrder } from './backup-make.ts';
import { copyIn, copyOut, copySession } from '../database/copy.ts';
import { installationOf, writeChangedSentences, writeSecretFiles } from '../installation.ts';
import { migrate, missingMigrations } from '../database/migrate.ts';
import type { MigrationSource } from '../database/migration-files.ts';
import { silentLog } from '../log.ts';
import { openDatabase } from '../database/db.ts';
import { administer, connectionTo, withClient } from '../database/other-database.ts';
import type { DatabaseConnection } from '../database/embedded/listen-address.ts';
import { atFileEnd } from '#tests/support/clean-up.ts';
import { headOf, restoreOutside, type RestoreOptions } from './restore.ts';
import { required } from '#kernel/assert.ts';
import { folderStore } from '../files/store/folder-store.ts';
import { newIdentity, readSealed, recipientOf, SealBroken, sealed } from '../security/sealed-file.ts';
import { entriesOf, NotTar, tarOf, type TarEntry } from '../files/tar.ts';

const folder = mkdtempSync(join(tmpdir(), 'skytally-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const place = { kind: 'folder', path: folder } as const;
const store = folderStore(folder);
const contentOf = (fileName: string) => async () => required(await store.read(fileName), fileName);

async function* each<T>(items: readonly T[]): AsyncGenerator<T, void, void> {
  for (const item of items) yield item;
}
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
const bytesOf = async (entries: readonly TarEntry[]): Promise<Buffer> =>
  Buffer.concat(await all(tarOf(each(entries))));

describe('a backup archive', () => {
  it('returns its content, however the stream is split', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 2000 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 1500 }),
        async (contents, size) => {
          const entries = contents.map((content, place) => ({
            name: `data/t/${place}`,
            content: Buffer.from(content),
          }));
          const bytes = await bytesOf(entries);
          const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, place) =>
            bytes.subarray(place * size, (place + 1) * size),
          );
          expect(
            (await all(entriesOf(each(pieces)))).map(({ name, content }) => ({
              name,
              content: Buffer.from(content),
            })),
          ).toEqual(entries);
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each(['../etc/passwd', '/etc/passwd', 'data/../../x', 'data//x', '', 'a'.repeat(101), 'data/\0', 'ä'])(
    'neither writes nor reads the name %j',
    async (name) => {
      await expect(bytesOf([{ name, content: Buffer.alloc(1) }])).rejects.toThrow('no piece of an archive');
      const bytes = await bytesOf([{ name: 'x'.repeat(100), content: Buffer.alloc(1) }]);
      bytes.fill(0, 0, 100);
      bytes.write(name, 0, 100, 'latin1');
      // With a matching checksum, so that only the name is wrong.
      bytes.write(
        `${bytes
          .subarray(0, 512)
          .reduce((sum, byte, place) => sum + (place >= 148 && place < 156 ? 32 : byte), 0)
          .toString(8)
          .padStart(6, '0')}\0 `,
        148,
        'latin1',
      );
      if (name.length <= 100) await expect(all(entriesOf(each([bytes])))).rejects.toThrow(NotTar);
    },
  );

  it('without its end, or with data after it, is invalid', async () => {
    const bytes = await bytesOf([{ name: 'a', content: Buffer.from('content') }]);
    for (const wrong of [
      bytes.subarray(0, -1),
      bytes.subarray(0, -512),
      bytes.subarray(0, 600),
      Buffer.concat([bytes, Buffer.from('x')]),
      Buffer.alloc(0),
    ])
      await expect(all(entriesOf(each([wrong])))).rejects.toThrow(NotTar);
  });

  it('of an earlier version is read as it was', async () => {
    const earlier = gunzipSync(
      Buffer.from(
        'H4sIAAAAAAAAA8tNzMtMSy0u0csqzs9joA0wMDAwMDMwANMGmLSBgaEZgg0SNzQwMTZmUDCgkXtQQGlxSWIRgwFd7BqEoFopLb8oN7FEyUqpQql2oF0zCugNUhJLEvUTCwriS4tTi/Rh+ZG6dhDM/wbo+d/QyGw0/9MFGHI6piRyDbQrRsEoGAWjYBTQGwAABLuF4QAMAAA=',
        'base64',
      ),
    );
    expect(
      (await all(entriesOf(each([earlier])))).map(({ name, content }) => [
        name,
        Buffer.from(content).toString('utf8'),
      ]),
    ).toEqual([
      ['manifest.json', '{"format":"x"}'],
      ['data/app_user/00000001', '1\tAda\n'],
    ]);
  });

  it('in a restore writes no file outside the installation', async () => {
    for (const name of [
      '../secrets.json',
      'locales/../x.json',
      '/etc/cron.d/x',
      'postgres/PG_VERSION',
      'locales/zhTW/../../x.json',
    ])
      expect(() => installationOf({ files: { [name]: 'x' } })).toThrow();
    const dataDir = join(folder, 'installation');
    for (const secrets of ['{}', '{"a":1}']) {
      const files = {
        'secrets.json': secrets,
        'locales/zhTW/app.json': '{}',
        'locales/zhTW/bills.json': secrets,
      };
      const installation = installationOf({ files });
      writeSecretFiles(dataDir, installation, 'before-now');
      await writeChangedSentences(folderStore(dataDir), installation, 'before-now');
    }
    expect(readdirSync(dataDir, { recursive: true }).map(String).toSorted()).toEqual([
      'locales',
      'locales/zhTW',
      'locales/zhTW/app.json',
      'locales/zhTW/bills.json',
      'locales/zhTW/bills.json.before-now',
      'secrets.json',
      'secrets.json.before-now',
    ]);
  });
});

describe('an encrypted file', () => {
  it('can be opened by each of its recipients and nobody else; a failed one leaves nothing', async () => {
    const [one, other, stranger] = [await newIdentity(), await newIdentity(), await newIdentity()];
    await store.write(
      'sealed',
      sealed(each([Buffer.from('hello '), Buffer.from('world')]), [
        await recipientOf(one),
        await recipientOf(other),
      ]),
    );
    const read = async (identity: string) => all(readSealed(await contentOf('sealed')(), identity));
    for (const identity of [one, other])
      expect(Buffer.concat(await read(identity)).toString()).toBe('hello world');
    await expect(read(stranger)).rejects.toThrow(SealBroken);
    const before = readdirSync(folder);
    const failing = async function* (): AsyncGenerator<Buffer> {
      yield randomBytes(100_000);
      throw new Error('the source failed');
    };
    const recipients = [await recipientOf(one)];
    await expect(store.write('half', sealed(failing(), recipients))).rejects.toThrow('the source failed');
    await expect(
      store.write('half', sealed(each([Buffer.from('x')]), recipients), AbortSignal.abort()),
    ).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(before);
  });
});

async function emptyDatabase(): Promise<DatabaseConnection | string> {
  const { server, template } = inject('testServer');
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  await administer(server, `create database ${name} template template0 encoding 'UTF8'`);
  atFileEnd(() => administer(server, `drop database if exists ${name} with (force)`));
  return connectionTo(server, name);
}

describe('COPY', () => {
  it('transfers every kind of value, and rows longer than a chunk', async () => {
    const where = await emptyDatabase();
    await withClient(
      where,
      async (client) => {
        await client.query(
          `create table a (id int, t text, n numeric, f float8, b bytea, at timestamptz, d interval, j jsonb, xs text[])`,
        );
        await client.query(
          `insert into a select i, E'tab\\t new\\nline \\\\ 中文 ' || i, 1.10, 0.1 + 0.2, decode('00ff0a5c', 'hex'), '2024-10-27 02:30:00.123456+02', '1 mon 3.5 s', '{"a":[1,null,"x"]}', array['a,b', null, ''] from generate_series(1, 5000) i`,
        );
        await client.query(`insert into a (id, t) values (-1, repeat('x', 3000000)), (-2, null), (-3, '')`);
        await client.query('create table b (like a)');
        const pieces = await all(copyOut(client, 'copy (select * from a) to stdout'));
        expect(pieces.length).toBeGreaterThan(1);
        await copyIn(client, 'copy b from stdin', each(pieces));
        expect(
          (await client.query('(table a except all table b) union all (table b except all table a)'))
            .rowCount,
        ).toBe(0);
        expect((await client.query('select count(*)::int as n from b')).rows[0]).toEqual({ n: 5003 });
        // A failure on either side is reported, and the connection stays usable.
        await expect(
          copyIn(client, 'copy b from stdin', each([Buffer.from('no row of it\n')])),
        ).rejects.toThrow();
        await expect(copyIn(client, 'copy nothing from stdin', each([]))).rejects.toThrow('nothing');
        await expect(all(copyOut(client, 'copy nothing to stdout'))).rejects.toThrow('nothing');
        await expect(
          copyIn(
            client,
            'copy b from stdin',
            (async function* () {
              yield Buffer.alloc(0);
              throw new Error('the rows failed');
            })(),
          ),
        ).rejects.toThrow('the rows failed');
        expect((await client.query('select 1 as one')).rows[0]).toEqual({ one: 1 });
      },
      copySession,
    );
  });
});

/** Two releases of a small schema: the later one has one migration more. */
function releases(): { older: MigrationSource[]; newer: MigrationSource[] } {
  const [older, newer] = ['older', 'newer'].map((name) => [
    { feature: 'small', directory: mkdtempSync(join(folder, name)) },
  ]) as [MigrationSource[], MigrationSource[]];
  const first = `create table parent (id int primary key, name text not null);
create table child (id int generated always as identity primary key, parent_id int not null references parent, next_id int references child, doubled int generated always as (parent_id * 2) stored);
create function refuse() returns trigger language plpgsql as $$ begin raise exception 'never'; end $$;
create trigger parent_kept before truncate on parent for each statement execute function refuse();
create trigger child_fixed before update on child for each row execute function refuse();
insert into parent values (0, 'of the migration');
create table event (at timestamptz not null, value int) partition by range (at);`;
  for (const source of [older, newer])
    writeFileSync(join(source[0]?.directory ?? '', '20260101-0000-first.sql'), first);
  writeFileSync(
    join(newer[0]?.directory ?? '', '20260201-0000-second.sql'),
    `alter table parent add column size int not null default 7;`,
  );
  return { older, newer };
}

const orderOf = async (
  where: DatabaseConnection | string,
  sources: MigrationSource[],
): Promise<BackupOrder> => ({
  where,
  files: place,
  fileName: `${randomBytes(4).toString('hex')}.age`,
  identity: await newIdentity(),
  recipients: [],
  installation: { files: {} },
  totals: [
    { name: 'parents', tables: ['parent'], query: `select '' as unit, count(*)::text as value from parent` },
    { name: 'none', tables: ['nothing'], query: 'select 1' },
  ],
  sources,
  madeAt: '2026-03-01T00:00:00.000Z',
});
const optionsOf = (
  { fileName, identity, totals }: BackupOrder,
  sources: MigrationSource[],
): RestoreOptions => ({
  content: contentOf(fileName),
  identity,
  totals,
  sources,
  dataDir: mkdtempSync(join(folder, 'data-')),
  secretKey: undefined,
  files: folderStore(mkdtempSync(join(folder, 'files-'))),
  jobs: [],
  now: new Date('2026-03-02T00:00:00Z'),
  log: silentLog(),
  onProgress: () => undefined,
  look: async () => undefined,
});
const never = new AbortController().signal;

async function filled(sources: MigrationSource[]): Promise<DatabaseConnection | string> {
  const where = await emptyDatabase();
  const database = await openDatabase(where, { max: 1, log: silentLog() });
  await migrate(database.pool, sources, silentLog());
  await database.pool
    .query(`insert into parent select i, 'p' || i from generate_series(1, 100) i; insert into child (parent_id, next_id) select i, case when i > 1 then i - 1 end from generate_series(1, 100) i;
    create table event_202601 partition of event for values from ('2026-01-01 00:00+00') to ('2026-02-01 00:00+00'); insert into event values ('2026-01-05', 1)`);
  await database.close();
  return where;
}
const count = async (where: DatabaseConnection | string): Promise<unknown> =>
  withClient(
    where,
    async (client) =>
      (
        await client.query(
          `select (select count(*)::int from parent) as parents, (select count(*)::int from child where doubled = parent_id * 2) as children, (select count(*)::int from event_202601) as events`,
        )
      ).rows[0],
  );
const isEmpty = async (where: DatabaseConnection | string): Promise<boolean> =>
  withClient(
    where,
    async (client) =>
      (await client.query(`select 1 from pg_class where relnamespace = 'public'::regnamespace`)).rowCount ===
      0,
  );

describe('a backup of another release (168)', () => {
  it('of an older one is restored with the schema of its time, which the next start upgrades', async () => {
    const { older, newer } = releases();
    const order = await orderOf(await filled(older), older);
    expect((await makeBackup(order, () => undefined, never)).proof).toEqual({
      outcome: 'proven',
      differences: [],
    });
    const where = await emptyDatabase();
    await restoreOutside(where, optionsOf(order, newer));
    expect(await count(where)).toEqual({ parents: 101, children: 100, events: 1 });
    const database = await openDatabase(where, { max: 1, log: silentLog() });
    expect(await missingMigrations(database.pool, newer)).toEqual(['small/20260201-0000-second.sql']);
    await migrate(database.pool, newer, silentLog());
    expect((await database.pool.query('select distinct size from parent')).rows).toEqual([{ size: 7 }]);
    // Sequences continue, references and triggers exist.
    expect((await database.pool.query('insert into child (parent_id) values (1) returning id')).rows).toEqual(
      [{ id: 101 }],
    );
    await expect(database.pool.query('insert into child (parent_id) values (999)')).rejects.toThrow(
      'foreign key',
    );
    await expect(database.pool.query('update child set next_id = null')).rejects.toThrow('never');
    await database.close();
  });

  it('of a newer one is rejected, and the database stays empty', async () => {
    const { older, newer } = releases();
    const order = await orderOf(await filled(newer), newer);
    await makeBackup(order, () => undefined, never);
    const where = await emptyDatabase();
    await expect(restoreOutside(where, optionsOf(order, older))).rejects.toThrow(
      '20260201-0000-second.sql this one does not have',
    );
    expect(await isEmpty(where)).toBe(true);
    expect((await headOf(contentOf(order.fileName), order.identity)).migrations).toHaveLength(2);
  });

  it('with a missing row is reported, by row and totals, and is not restored', async () => {
    const { newer } = releases();
    const source = await filled(newer);
    const order = await orderOf(source, newer);
    const { manifest } = await makeBackup(order, () => undefined, never);
    // A file whose manifest has one row more than it contains.
    const wrongManifest = {
      ...manifest,
      tables: manifest.tables.map((table) =>
        table.name === 'parent' ? { ...table, rows: table.rows + 1, digest: '1' } : table,
      ),
      totals: [{ name: 'parents', unit: '', value: '102' }],
    };
    const forged = { ...order, fileName: 'forged.age' };
    const pieces = async function* (): AsyncGenerator<TarEntry, void, void> {
      for await (const entry of entriesOf(readSealed(await contentOf(order.fileName)(), order.identity)))
        yield entry.name === 'manifest.json'
          ? { name: entry.name, content: Buffer.from(JSON.stringify(wrongManifest)) }
          : entry;
    };
    await store.write(forged.fileName, sealed(tarOf(pieces()), [await recipientOf(order.identity)]));
    const where = await emptyDatabase();
    await expect(restoreOutside(where, optionsOf(forged, newer))).rejects.toThrow(
      'parent: rows, parent: content, parents',
    );
    expect(await isEmpty(where)).toBe(true);
  });

  it('with a chunk that its manifest does not name is rejected', async () => {
    const { newer } = releases();
    const order = await orderOf(await filled(newer), newer);
    await makeBackup(order, () => undefined, never);
    const pieces = async function* (): AsyncGenerator<TarEntry, void, void> {
      yield* entriesOf(readSealed(await contentOf(order.fileName)(), order.identity));
      yield { name: 'data/schema_migration2/00000001', content: Buffer.from('x\n') };
    };
    await store.write('more.age', sealed(tarOf(pieces()), [await recipientOf(order.identity)]));
    const where = await emptyDatabase();
    await withClient(
      where,
      async (client: pg.Client) => {
        await client.query('begin');
        await expect(
          load(
            client,
            await openBackup(entriesOf(readSealed(await contentOf('more.age')(), order.identity))),
            newer,
            () => undefined,
          ),
        ).rejects.toThrow('which its manifest does not name');
      },
      copySession,
    );
  });
});

describe('creating a backup', () => {
  const backupLock = `pg_advisory_lock(hashtextextended('skytally backup', 0))`;
  it('is rejected while another one takes long, and waits for one that is about to end', async () => {
    const { newer } = releases();
    const order = await orderOf(await filled(newer), newer);
    await withClient(order.where, async (other) => {
      await other.query(`select ${backupLock}`);
      await expect(makeBackup(order, () => undefined, never, 300)).rejects.toThrow(BackupBusy);
      const made = makeBackup(order, () => undefined, never);
      await expect
        .poll(
          async () =>
            (
              await other.query(
                `select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`,
              )
            ).rowCount,
        )
        .toBe(1);
      await other.query(`select ${backupLock.replace('lock', 'unlock')}`);
      expect((await made).proof.outcome).toBe('proven');
    });
  });

  it('works beside files of a killed one that cannot be removed', async () => {
    const { newer } = releases();
    const source = await filled(newer);
    const name = typeof source === 'string' ? new URL(source).pathname.slice(1) : source.database;
    const left = `${name.slice(0, 30)}_proof_00000000000a`;
    // Stands for a database that the server itself is using.
    await withClient(source, async (client) => {
      await client.query(`create database "${left}" template template0`);
      await client.query(`alter database "${left}" is_template true`);
    });
    expect((await makeBackup(await orderOf(source, newer), () => undefined, never)).proof.outcome).toBe(
      'proven',
    );
    await withClient(source, (client) => client.query(`alter database "${left}" is_template false`));
    expect((await makeBackup(await orderOf(source, newer), () => undefined, never)).proof.outcome).toBe(
      'proven',
    );
    await withClient(source, async (client) =>
      expect((await client.query(`select from pg_database where datname = $1`, [left])).rowCount).toBe(0),
    );
  });

  it('removes the files of a killed one', async () => {
    const { newer } = releases();
    const source = await filled(newer);
    const order = await orderOf(source, newer);
    const name = typeof source === 'string' ? new URL(source).pathname.slice(1) : source.database;
    await withClient(source, (client) =>
      client.query(`create database "${name.slice(0, 30)}_proof_0123456789ab" template template0`),
    );
    writeFileSync(join(folder, 'x.age.01234567.draft'), 'half');
    await makeBackup(order, () => undefined, never);
    expect(readdirSync(folder).filter((file) => file.endsWith('.draft'))).toEqual([]);
    await withClient(source, async (client) =>
      expect(
        (
          await client.query(
            `select 1 from pg_database where starts_with(datname, left(current_database(), 30) || '_proof_')`,
          )
        ).rowCount,
      ).toBe(0),
    );
  });

  it('for an external recipient: verified nevertheless, and nobody here can open it', async () => {
    const { newer } = releases();
    const [holder, passing] = [await newIdentity(), await newIdentity()];
    const order = {
      ...(await orderOf(await filled(newer), newer)),
      identity: passing,
      recipients: [await recipientOf(holder)],
    };
    expect((await makeBackup(order, () => undefined, never)).proof.outcome).toBe('proven');
    expect((await headOf(contentOf(order.fileName), holder)).tables.map((table) => table.name)).toEqual([
      'child',
      'event',
      'parent',
      'schema_migration',
    ]);
    await expect(headOf(contentOf(order.fileName), await newIdentity())).rejects.toThrow(SealBroken);
  });

  it('contains one moment: later changes are in the next one', async () => {
    const { newer } = releases();
    const source = await filled(newer);
    const order = await orderOf(source, newer);
    let written: Promise<unknown> | undefined;
    const { manifest, proof } = await makeBackup(
      order,
      () => {
        written ??= withClient(source, (client) =>
          client.query(
            `insert into parent values (1000, 'late'); insert into child (parent_id) values (1000)`,
          ),
        );
      },
      never,
    );
    await written;
    expect([proof.outcome, manifest.tables.find((table) => table.name === 'parent')?.rows]).toEqual([
      'proven',
      101,
    ]);
  });

  // Only an external server’s superuser can create such a user.
  it.runIf(process.env['TEST_DATABASE_URL'])(
    'for a database user without the right to create databases: created, and reported as unverified',
    async () => {
      const { newer } = releases();
      const where = await filled(newer);
      if (typeof where !== 'string') throw new Error('an outside server has an address');
      const source = new URL(where);
      const admin = source.href;
      const role = `weak_${randomBytes(4).toString('hex')}`;
      // It may read everything and create nothing.
      await administer(
        source.href,
        `create role ${role} login password 'weak'; grant pg_read_all_data to ${role}`,
      );
      atFileEnd(() => administer(admin, `drop role if exists ${role}`));
      [source.username, source.password] = [role, 'weak'];
      const order = await orderOf(source.href, newer);
      expect((await makeBackup(order, () => undefined, never)).proof.outcome).toBe('not_allowed');
    },
  );
});
