// Personal data: exports of all that belongs to an organization hold every row of it and nothing of others, no secret, and no table is
// forgotten; they are encrypted where they lie, can be stopped, and expire.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { required } from '#kernel/assert.ts';
import { webhooks } from '#features/messaging/webhooks/contract.ts';
import { personalData, type PersonalExport } from '#features/operations/personal-data/contract.ts';
import {
  belongingsOf,
  exportedTables,
  shownColumns,
  tableRules,
  withheldColumns,
} from '#features/operations/personal-data/rules.ts';
import { tidyExports } from '#features/operations/personal-data/server/index.ts';
import {
  at,
  billOf,
  close,
  credit,
  customer,
  db,
  fee,
  moveTo,
  net,
  pay,
  september,
  startBilling,
  topUp,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';
import { unzip } from '../support/unzip.ts';

type Manifest = {
  organization: { id: string; name: string };
  files: { name: string; size: number; sha256: string; rows?: number }[];
  withheld: { file: string; columns: string[] }[];
  leftOut: { table: string; why: string }[];
};

let one: Customer;
let two: Customer;
const folder = (): string => join(at.console.app.config.dataDir, 'personal-data');

const ended = async (
  asked: PersonalExport,
  list: typeof personalData.listExports | typeof personalData.listOwnExports = personalData.listExports,
  token = at.admin,
): Promise<PersonalExport> =>
  vi.waitFor(
    async () => {
      const found = (await at.console.ok(list, {}, { token })).items.find(({ id }) => id === asked.id);
      if (!found || found.state === 'waiting' || found.state === 'running') throw new Error('not yet');
      return found;
    },
    { timeout: 50_000, interval: 50 },
  );
const bytesOf = async (
  { id: exportId }: PersonalExport,
  route:
    | typeof personalData.downloadExport
    | typeof personalData.downloadOwnExport = personalData.downloadExport,
  token = at.admin,
): Promise<Buffer> =>
  Buffer.from(
    ((await at.console.ok(route, { exportId }, { token })) as unknown as { body: Uint8Array }).body,
  );
const rowsOf = (files: ReadonlyMap<string, Buffer>, name: string): Record<string, string>[] =>
  parse(required(files.get(name), name), { bom: true, columns: true }) as Record<string, string>[];

beforeAll(async () => {
  await startBilling();
  one = await customer(fee('100'));
  two = await customer(fee('250'));
  await moveTo('2024-10-05T00:00:00Z');
  await use(one, 'a', '10.4', '2024-09-05T00:00:00Z');
  await use(two, 'b', '7', '2024-09-05T00:00:00Z');
  await close(september);
  await topUp(one, twd(500));
  await pay(one, await billOf(one), twd(40));
  await credit(await billOf(one), net(30));
  for (const each of [one, two])
    await at.console.ok(
      webhooks.createEndpoint,
      { url: `https://hooks.example.com/${each.organizationId}` },
      { token: each.token },
    );
});

describe('the rules about tables', () => {
  it('T-PDATA every table and every column is exported, or left out with a reason', async () => {
    const { rows } = await sql<{
      table: string;
      columns: string[];
    }>`select c.table_name as table, array_agg(c.column_name::text) as columns from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name) where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and not exists (select from pg_inherits where inhrelid = format('%I', c.table_name)::regclass) group by 1`.execute(
      db(),
    );
    const ruled = Object.entries(tableRules).map(([table, rule]) => [
      table,
      [...shownColumns(rule), ...withheldColumns(rule)].toSorted(),
    ]);
    expect(Object.fromEntries(ruled)).toEqual(
      Object.fromEntries(rows.map(({ table, columns }) => [table, columns.toSorted()])),
    );
    // Whatever names an organization or a person has rows that belong to somebody, unless there is a reason that has nothing to do with them.
    const alike = ['working', 'secrets', 'operator', 'costs', 'catalogue'];
    for (const [table, rule] of Object.entries(tableRules))
      if ('why' in rule) expect(alike, table).toContain(rule.why);
      else
        for (const { column, in: parent } of belongingsOf(rule.of)) {
          expect([...shownColumns(rule), ...withheldColumns(rule)], `${table}.${column}`).toContain(column);
          if (parent) expect(tableRules[parent.table], `${table} in ${parent.table}`).toHaveProperty('of');
        }
  });

  it('no column of bytes, and none that is called a secret, leaves the console', async () => {
    const { rows } = await sql<{
      table: string;
      column: string;
    }>`select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'
      and (udt_name = 'bytea' or column_name ~ '(secret|password|token|credential|sealed|salt|_hash$)')`.execute(
      db(),
    );
    const leaving = rows.filter(({ table, column }) => {
      const rule = tableRules[table];
      return rule && shownColumns(rule).includes(column);
    });
    // Digests of documents and of the audit chain prove something to whoever has the document; they open nothing.
    expect(leaving.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual([
      'audit_log.hash',
      'bill.content_hash',
      'credit_note.content_hash',
    ]);
  });
});

describe('an export of an organization', () => {
  let made: PersonalExport;
  let files: Map<string, Buffer>;
  let manifest: Manifest;

  beforeAll(async () => {
    made = await ended(
      await at.console.ok(
        personalData.makeExport,
        { organizationId: one.organizationId },
        { token: at.admin },
      ),
    );
    expect(made).toMatchObject({ state: 'done', problem: null });
    files = unzip(await bytesOf(made));
    manifest = JSON.parse(required(files.get('manifest.json'), 'manifest.json').toString()) as Manifest;
  });

  it('T-PDATA holds every row of its organization, and none of another', async () => {
    const subscriptionId = one.subscriptionIds[0];
    expect(rowsOf(files, 'organization/organization.csv').map(({ id }) => id)).toEqual([one.organizationId]);
    expect(rowsOf(files, 'people/app_user.csv').map(({ account }) => account)).toEqual([one.email]);
    expect(rowsOf(files, 'usage/usage_event.csv')).toEqual([
      expect.objectContaining({ event_id: 'a', subscription_id: subscriptionId, value: '10.4' }),
    ]);
    expect(rowsOf(files, 'people/session.csv').length).toBeGreaterThan(0);
    expect(rowsOf(files, 'programs/webhook_endpoint.csv')).toEqual([
      expect.objectContaining({ url: `https://hooks.example.com/${one.organizationId}` }),
    ]);
    const bill = await billOf(one);
    expect(rowsOf(files, 'bills/bill.csv')).toEqual([
      expect.objectContaining({ id: bill.id, number: bill.number }),
    ]);
    expect(files.get(`bills/pdf/${bill.number}.pdf`)?.subarray(0, 5).toString()).toBe('%PDF-');
    expect([...files.keys()].filter((name) => name.startsWith('bills/credit-note-pdf/'))).toHaveLength(1);
    expect(rowsOf(files, 'payments/payment.csv').length).toBe(2);
    expect(rowsOf(files, 'bills/ledger_entry.csv').length).toBeGreaterThan(3);
    expect(rowsOf(files, 'audit/audit_log.csv').map(({ action }) => action)).toContain('signin.register');
    // Whatever counts rows of the organization's own column agrees with the file.
    for (const table of exportedTables.filter(({ of }) => of === 'organization_id')) {
      const { rows } = await sql<{
        count: bigint;
      }>`select count(*) from ${sql.table(table.name)} where organization_id = ${one.organizationId}`.execute(
        db(),
      );
      const file = `${table.folder}/${table.name}.csv`;
      if (table.name !== 'personal_export')
        expect(manifest.files.find(({ name }) => name === file)?.rows, file).toBe(Number(rows[0]?.count));
    }
    const whole = Buffer.concat([...files.values()]).toString();
    for (const foreign of [two.organizationId, two.email, two.subscriptionIds[0] ?? ''])
      expect(whole).not.toContain(foreign);
  });

  it('T-PDATA holds no secret', async () => {
    const { rows } = await sql<{
      secret: string;
    }>`select password_hash as secret from app_user where organization_id = ${one.organizationId} and password_hash is not null
      union all select encode(token_hash, 'hex') from session union all select encode(secret, 'hex') from webhook_endpoint union all select encode(secret_hash, 'hex') from api_key`.execute(
      db(),
    );
    expect(rows.length).toBeGreaterThan(3);
    const whole = Buffer.concat([...files.values()]).toString();
    for (const { secret } of rows) expect(whole).not.toContain(secret);
  });

  it('says in both languages what each file is, and proves each by its SHA-256', () => {
    const listed = manifest.files.map(({ name }) => name);
    expect([...files.keys()].toSorted()).toEqual([...listed, 'manifest.json'].toSorted());
    for (const { name, size, sha256 } of manifest.files) {
      const bytes = required(files.get(name), name);
      expect({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }, name).toEqual({
        size,
        sha256,
      });
    }
    const readme = required(files.get('README.txt'), 'README.txt').toString();
    expect(readme).not.toMatch(/personaldata\./);
    expect(readme).toContain('people/app_user.csv  使用者：姓名、帳號、電話、角色與狀態：1 筆');
    expect(readme).toContain('people/app_user.csv  Users: name, account, phone, role and status: 1 rows');
    for (const [table, rule] of Object.entries(tableRules))
      if ('why' in rule) {
        expect(readme).toContain(table);
        expect(manifest.leftOut.map((each) => each.table)).toContain(table);
      }
    expect(manifest.withheld).toContainEqual({ file: 'people/app_user.csv', columns: ['password_hash'] });
  });

  it('lies encrypted in the store of files, and its key is sealed', async () => {
    const [name] = readdirSync(folder());
    const stored = readFileSync(join(folder(), name ?? ''));
    expect(stored.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    const { rows } = await sql<{
      key: Buffer;
    }>`select file_key as key from personal_export where id = ${made.id}`.execute(db());
    expect(rows[0]?.key.toString('latin1')).not.toContain('AGE-SECRET-KEY');
  });
});

describe('who may', () => {
  it('T-PDATA a User exports and downloads their own organization, and sees no other', async () => {
    const own = await ended(
      await at.console.ok(personalData.makeOwnExport, {}, { token: two.token }),
      personalData.listOwnExports,
      two.token,
    );
    expect(own.organizationId).toBe(two.organizationId);
    const files = unzip(await bytesOf(own, personalData.downloadOwnExport, two.token));
    expect(rowsOf(files, 'people/app_user.csv').map(({ account }) => account)).toEqual([two.email]);
    for (const route of [personalData.downloadOwnExport, personalData.stopOwnExport]) {
      const { status, envelope } = await at.console.call(route, { exportId: own.id }, { token: one.token });
      expect([status, envelope.code]).toEqual([404, 'personaldata.not_found']);
    }
    expect(
      (await at.console.ok(personalData.listOwnExports, {}, { token: one.token })).items.map(
        ({ organizationId }) => organizationId,
      ),
    ).toEqual([one.organizationId]);
    const { rows } = await sql<{
      action: string;
    }>`select action from audit_log where subject = ${own.id} order by seq`.execute(db());
    expect(rows.map(({ action }) => action)).toEqual([
      'personaldata.make',
      'personaldata.made',
      'personaldata.download',
    ]);
  });

  it('refuses an organization that is not there', async () => {
    const { status, envelope } = await at.console.call(
      personalData.makeExport,
      { organizationId: 'org_01hzzzzzzzzzzzzzzzzzzzzzzz' as never },
      { token: at.admin },
    );
    expect([status, envelope.code]).toEqual([404, 'personaldata.organization_not_found']);
  });
});

describe('its life', () => {
  it('is one at a time for an organization, can be stopped while it is made, and asked for again', async () => {
    const lock = await db().startTransaction().execute();
    // The export waits at a table that another transaction holds, so it is stopped in the middle.
    await sql`lock table usage_event in access exclusive mode`.execute(lock);
    const ask = () =>
      at.console.ok(personalData.makeExport, { organizationId: one.organizationId }, { token: at.admin });
    const asked = await ask();
    expect((await ask()).id).toBe(asked.id);
    await vi.waitFor(
      async () => {
        const { items } = await at.console.ok(personalData.listExports, {}, { token: at.admin });
        expect(items.find(({ id }) => id === asked.id)?.filesDone).toBeGreaterThan(5);
      },
      { timeout: 20_000 },
    );
    await at.console.ok(personalData.stopExport, { exportId: asked.id }, { token: at.admin });
    await lock.rollback().execute();
    expect(await ended(asked)).toMatchObject({ state: 'stopped', problem: null, sizeBytes: null });
    expect(
      (await at.console.call(personalData.stopExport, { exportId: asked.id }, { token: at.admin })).envelope
        .code,
    ).toBe('personaldata.not_running');
    const again = await ended(await ask());
    expect([again.state, again.id === asked.id]).toEqual(['done', false]);
    const { rows } = await sql<{
      name: string;
    }>`select file_name as name from personal_export where state = 'done'`.execute(db());
    expect(readdirSync(folder()).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  });

  it('expires: the file and its key go', async () => {
    await moveTo('2024-10-20T00:00:00Z');
    await tidyExports(at.console.app);
    expect(readdirSync(folder())).toEqual([]);
    const { items } = await at.console.ok(personalData.listExports, {}, { token: at.admin });
    expect(new Set(items.map(({ state }) => state))).toEqual(new Set(['removed', 'stopped']));
    const { rows } = await sql`select from personal_export where file_key is not null`.execute(db());
    expect(rows).toEqual([]);
    expect(
      (
        await at.console.call(
          personalData.downloadExport,
          { exportId: required(items[0], 'an export').id },
          { token: at.admin },
        )
      ).envelope.code,
    ).toBe('personaldata.not_there');
  });
});
