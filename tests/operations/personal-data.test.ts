// Personal data: exports contain every row of an organization and nothing of others, no secret, and cover
// every table; they are stored encrypted, can be stopped, and expire.
import { createHash, verify } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { sql, type RawBuilder } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { identity } from '#features/access/identity/contract.ts';
import { dunning } from '#features/receivables/dunning/contract.ts';
import { webhooks } from '#features/messaging/webhooks/contract.ts';
import {
  personalData,
  type Erasure,
  type PersonalExport,
} from '#features/operations/personal-data/contract.ts';
import {
  belongingsOf,
  exportedTables,
  shownColumns,
  tableRules,
  withheldColumns,
} from '#features/operations/personal-data/rules.ts';
import {
  checkErasures,
  repeatErasures,
  tidyExports,
} from '#features/operations/personal-data/server/index.ts';
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
import { adminAccount, signIn } from '../support/console.ts';
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
  list: typeof personalData.listExports = personalData.listExports,
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
  route: typeof personalData.downloadExport = personalData.downloadExport,
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

describe('the rules for tables', () => {
  it('T-PDATA every table and every column is exported, or excluded with a reason', async () => {
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
    // Tables that name an organization or a person have rows that belong to somebody, unless the reason says
    // otherwise.
    const alike = ['working', 'secrets', 'operator', 'costs', 'catalogue'];
    for (const [table, rule] of Object.entries(tableRules))
      if ('why' in rule) expect(alike, table).toContain(rule.why);
      else
        for (const { column, in: parent } of belongingsOf(rule.of)) {
          expect([...shownColumns(rule), ...withheldColumns(rule)], `${table}.${column}`).toContain(column);
          if (parent) expect(tableRules[parent.table], `${table} in ${parent.table}`).toHaveProperty('of');
        }
  });

  it('no binary column, and no column named like a secret, is exported', async () => {
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
    // Digests of documents and of the audit chain prove the document to somebody who has it; they grant no
    // access.
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
    if (made.state !== 'done') throw new Error(made.problem ?? made.state);
    files = unzip(await bytesOf(made));
    manifest = JSON.parse(required(files.get('manifest.json'), 'manifest.json').toString()) as Manifest;
  });

  it('T-PDATA contains every row of its organization, and none of another', async () => {
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
    // Every count of rows with the organization’s id equals the file.
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

  it('T-PDATA contains no secret', async () => {
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

  it('describes each file in both languages, with its SHA-256', () => {
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

  it('is stored encrypted, and its key is encrypted, too', async () => {
    const [name] = readdirSync(folder());
    const stored = readFileSync(join(folder(), name ?? ''));
    expect(stored.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    const { rows } = await sql<{
      key: Buffer;
    }>`select file_key as key from personal_export where id = ${made.id}`.execute(db());
    expect(rows[0]?.key.toString('latin1')).not.toContain('AGE-SECRET-KEY');
  });
});

describe('access to exports', () => {
  it('T-PDATA a User exports and downloads only their own organization', async () => {
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

  it('T-PDATA-AUDIT show what the provider did, and not the reasons that its people wrote for themselves', async () => {
    await at.console.ok(
      dunning.exemptOrganization,
      { organizationId: one.organizationId, reason: 'their lawyer calls every week' },
      { token: at.admin },
    );
    const own = await ended(
      await at.console.ok(personalData.makeOwnExport, {}, { token: one.token }),
      personalData.listOwnExports,
      one.token,
    );
    const files = unzip(await bytesOf(own, personalData.downloadOwnExport, one.token));
    const entries = rowsOf(files, 'audit/audit_log.csv');
    expect(entries.find(({ action }) => action === 'dunning.exemptOrganization')).toMatchObject({
      actor_kind: 'user',
      subject: one.organizationId,
      detail: '',
    });
    expect(entries.find(({ action }) => action === 'webhooks.createEndpoint')?.['detail']).toContain(
      'hooks.example.com',
    );
    for (const [name, bytes] of files) expect(bytes.toString(), name).not.toContain('their lawyer');
  });

  it('an unknown organization is rejected', async () => {
    const { status, envelope } = await at.console.call(
      personalData.makeExport,
      { organizationId: 'org_01hzzzzzzzzzzzzzzzzzzzzzzz' as never },
      { token: at.admin },
    );
    expect([status, envelope.code]).toEqual([404, 'personaldata.organization_not_found']);
  });
});

describe('the life of an export', () => {
  it('one at a time per organization, it can be stopped while running, and requested again', async () => {
    const lock = await db().startTransaction().execute();
    // The export waits for a table that another transaction has locked, so it is stopped in the middle.
    await sql`lock table usage_event in access exclusive mode`.execute(lock);
    const ask = () =>
      at.console.ok(personalData.makeExport, { organizationId: one.organizationId }, { token: at.admin });
    const requested = await ask();
    expect((await ask()).id).toBe(requested.id);
    await vi.waitFor(
      async () => {
        const { items } = await at.console.ok(personalData.listExports, {}, { token: at.admin });
        expect(items.find(({ id }) => id === requested.id)?.filesDone).toBeGreaterThan(5);
      },
      { timeout: 20_000 },
    );
    await at.console.ok(personalData.stopExport, { exportId: requested.id }, { token: at.admin });
    await lock.rollback().execute();
    expect(await ended(requested)).toMatchObject({ state: 'stopped', problem: null, sizeBytes: null });
    expect(
      (await at.console.call(personalData.stopExport, { exportId: requested.id }, { token: at.admin }))
        .envelope.code,
    ).toBe('personaldata.not_running');
    const again = await ended(await ask());
    expect([again.state, again.id === requested.id]).toEqual(['done', false]);
    const { rows } = await sql<{
      name: string;
    }>`select file_name as name from personal_export where state = 'done'`.execute(db());
    expect(readdirSync(folder()).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  });

  it('expires: its file and key are deleted', async () => {
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

describe('an erasure', () => {
  const person = {
    name: 'Wilhelmina Obermeier',
    phone: '+886 2 2345 6789',
    address: 'Lane 4711, Xinyi Road',
  };
  const words = (): string[] => [three.email, person.name, person.phone, person.address];
  let three: Customer;

  /** Every field of every table that still contains a text, whatever the rules say. */
  async function found(text: string): Promise<string[]> {
    const { rows } = await sql<{
      table: string;
      columns: string[];
    }>`select c.table_name as table, array_agg(c.column_name::text) as columns from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('text', 'character varying', 'character', 'jsonb', 'json', 'ARRAY') group by 1`.execute(
      db(),
    );
    const looks = rows.flatMap(({ table, columns }) =>
      columns.map(
        (column) =>
          sql`select ${`${table}.${column}`}::text as field where exists (select from ${sql.table(table)} where strpos(lower(${sql.ref(column)}::text), ${text.toLowerCase()}) > 0)`,
      ),
    );
    const hits = await sql<{ field: string }>`${sql.join(looks, sql` union all `)}`.execute(db());
    return hits.rows.map(({ field }) => field);
  }
  const faults = async (): Promise<unknown[]> =>
    (
      await sql`select seq, reason from audit_fault() union all select seq, reason from audit_fault_in(1, 100000)`.execute(
        db(),
      )
    ).rows;
  const preview = () =>
    at.console.ok(personalData.previewErasure, { subjectId: three.organizationId }, { token: at.admin });
  const start = (name: string, reason = 'asked for by the customer') =>
    at.console.call(
      personalData.startErasure,
      { subjectId: three.organizationId, name, reason },
      { token: at.admin },
    );
  const erased = (erasureId: string): Promise<Erasure> =>
    vi.waitFor(
      async () => {
        const { items } = await at.console.ok(personalData.listErasures, {}, { token: at.admin });
        const one = items.find(({ id }) => id === erasureId);
        if (one?.state !== 'done') throw new Error('not yet');
        return one;
      },
      { timeout: 50_000, interval: 100 },
    );
  const fileOf = async (erasureId: Erasure['id']): Promise<Map<string, Buffer>> =>
    unzip(
      Buffer.from(
        (
          (await at.console.ok(
            personalData.erasureCertificate,
            { erasureId },
            { token: at.admin },
          )) as unknown as { body: Uint8Array }
        ).body,
      ),
    );
  let erasure: Erasure;

  type Request = {
    id: Id<'apr'>;
    state: string;
    subject: string | null;
    sealed: boolean;
    code: string | null;
  };
  const requests = async (): Promise<Request[]> =>
    (
      await sql<Request>`select id, state, subject, sealed_call is not null as sealed, failure_code as code from approval order by id`.execute(
        db(),
      )
    ).rows;
  /**
   * An Admin requests calls that wait for approval: about her organization with her name in the reason, and
   * about another one.
   */
  async function askForApproval(): Promise<void> {
    await sql`insert into setting (key, value, changed_at, changed_by) values ('approvals.chosen', '["waiver"]'::jsonb, now(), 'test')`.execute(
      db(),
    );
    for (const [organizationId, reason] of [
      [three.organizationId, `${person.name} rang`],
      [one.organizationId, 'pays on Monday'],
    ] as const)
      expect(
        // The response is not that of the contract.
        await fetch(`${at.console.address}/api/admin/dunning/exemptions/${organizationId}`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${at.admin}`, 'content-type': 'application/json' },
          body: JSON.stringify({ reason }),
        }),
      ).toMatchObject({ status: 202 });
    await sql`delete from setting where key = 'approvals.chosen'`.execute(db());
    const [first] = await requests();
    // Older entries refer to requests by id only: one of hers, and one that no longer exists.
    for (const requestId of [first?.id, `apr_${'0'.repeat(26)}`])
      await unitOfWork(at.console.app, { actor: { kind: 'system', name: 'test' } }, async (ctx) =>
        ctx.audit('approvals.request', requestId, {
          call: 'dunning.setExemption',
          subject: `Exemption for ${person.name}`,
        }),
      );
    await sql`insert into notification (id, user_id, kind, type, category, subject, period, text_key, params, created_at)
      select 'ntf_test', id, 'system.approval_waiting', 'warning', 'system', ${first?.id}, '', 'approvals.notice_waiting', ${JSON.stringify({ subject: person.name })}::jsonb, now() from app_user where account = ${adminAccount.account}`.execute(
      db(),
    );
  }

  beforeAll(async () => {
    three = await customer(fee('70'));
    await at.console.ok(
      identity.updateProfile,
      { name: person.name, phone: person.phone, address: person.address } as never,
      { token: three.token },
    );
    await use(three, 'c', '3', '2024-10-15T00:00:00Z', { data: { value: '3', seat: three.email } });
    await at.console.ok(
      identity.updateOrganization,
      { billingEmail: 'accounts@three.example', billingAddress: person.address } as never,
      { token: three.token },
    );
    await at.console.ok(
      identity.invite,
      { email: 'colleague@three.example', role: 'User' },
      { token: three.token },
    );
    // What an Admin and the console wrote about her elsewhere.
    await sql`insert into fault (at, source, place, message) values (now(), 'job', 'mail', ${`mail to ${three.email} was refused`})`.execute(
      db(),
    );
    await unitOfWork(at.console.app, { actor: { kind: 'system', name: 'test' } }, async (ctx) =>
      ctx.audit('identity.test', three.organizationId, {
        said: `${person.name} rang from ${person.phone}`,
        mail: three.email,
      }),
    );
    await moveTo('2024-11-05T00:00:00Z');
    await close('2024-10' as BillingMonth);
    await askForApproval();
  });

  it('T-PDATA is rejected while money is open, with all obstacles', async () => {
    expect((await preview()).obstacles).toEqual(
      expect.arrayContaining([
        { kind: 'not_closed', count: 1 },
        { kind: 'open_bills', count: 1 },
        { kind: 'subscriptions', count: 1 },
        { kind: 'unbilled', count: 1 },
      ]),
    );
    const { status, envelope } = await start((await preview()).name);
    expect([status, envelope.code]).toEqual([409, 'personaldata.in_the_way']);
    expect((await start('Another')).envelope.code).toBe('personaldata.other_name');
  });

  it('T-PDATA has a preview that counts what would be erased and what the law keeps, and changes nothing', async () => {
    const bill = await billOf(three, '2024-10' as BillingMonth);
    await topUp(three, bill.total);
    await pay(three, bill);
    await sql`update subscription set state = 'canceled' where organization_id = ${three.organizationId}`.execute(
      db(),
    );
    await sql`update organization set closed_at = ${new Date('2024-10-31T00:00:00Z')} where id = ${three.organizationId}`.execute(
      db(),
    );
    const before = (await sql<{ seq: bigint }>`select seq from audit_head`.execute(db())).rows;
    const would = await preview();
    expect(would.obstacles).toEqual([]);
    expect(would.counts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ table: 'app_user' }),
        expect.objectContaining({ table: 'invitation', deleted: 1, changed: 0 }),
        expect.objectContaining({ table: 'usage_event', deleted: 0, changed: 1 }),
        expect.objectContaining({ table: 'fault', deleted: 0, changed: 1 }),
        expect.objectContaining({ table: 'audit_log' }),
        { table: 'approval', deleted: 0, changed: 1 },
      ]),
    );
    expect(would.remains.map(({ field }) => field)).toContain('bill.buyer');
    expect(would.booksUntil).toBe('2035-01-01');
    expect((await sql`select seq from audit_head`.execute(db())).rows).toEqual(before);
  });

  it('T-PDATA leaves nothing outside the list on its certificate, and the audit chain is valid', async () => {
    expect((await start((await preview()).name, `asked for by ${three.email}`)).envelope.code).toBe(
      'personaldata.reason_names',
    );
    const started = await start((await preview()).name);
    expect(started.status).toBe(202);
    erasure = await erased((started.envelope as unknown as { data: Erasure }).data.id);
    const files = await fileOf(erasure.id);
    const certificate = JSON.parse(required(files.get('certificate.json'), 'the certificate').toString()) as {
      remains: { field: string }[];
      tables: { table: string; deleted: number; changed: number }[];
      reason: string;
    };
    const listed = certificate.remains.map(({ field }) => field);
    expect(listed).toContain('bill.buyer');
    for (const word of [...words(), 'colleague@three.example', 'accounts@three.example'])
      expect(
        (await found(word)).filter((field) => !listed.includes(field)),
        word,
      ).toEqual([]);
    expect(await faults()).toEqual([]);
    expect(certificate.tables).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ table: 'session', changed: 0 }),
        { table: 'usage_event', deleted: 0, changed: 1 },
        { table: 'fault', deleted: 0, changed: 1 },
        { table: 'approval', deleted: 0, changed: 1 },
      ]),
    );
    // The Admin’s request about her is closed and empty; the one about another organization still waits.
    expect(await requests()).toMatchObject([
      { state: 'expired', subject: null, sealed: false, code: 'approvals.erased' },
      { state: 'waiting', sealed: true, code: null },
    ]);
    const { rows } = await sql<{
      name: string;
    }>`select name from app_user where organization_id = ${three.organizationId}`.execute(db());
    expect(rows[0]?.name).toMatch(/^Erased [0-9a-z]{8}$/);
    // Others are unchanged.
    expect(await found(one.email)).toContain('app_user.account');
    expect((await start('Erased')).envelope.code).toBe('personaldata.erased_already');
  });

  it('T-PDATA has a certificate signed with the installation’s key', async () => {
    const files = await fileOf(erasure.id);
    const text = required(files.get('certificate.json'), 'the certificate').toString();
    const { keyId, signature } = JSON.parse(
      required(files.get('certificate.json.sig'), 'the signature').toString(),
    ) as { keyId: string; signature: string };
    const keys = required(files.get('public-keys.json'), 'the keys').toString();
    expect(keys).toContain(keyId);
    const pem = required(
      /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----\\n/.exec(keys)?.[0],
      'a key',
    ).replaceAll('\\n', '\n');
    const holds = (said: string): boolean =>
      verify(null, Buffer.from(`skytally-erasure\n${said}`), pem, Buffer.from(signature, 'base64url'));
    expect([holds(text), holds(text.replace('"deleted": 1', '"deleted": 2'))]).toEqual([true, false]);
  });

  it('T-PDATA makes later changes of an erased entry, or another one, detectable', async () => {
    const change = async (where: RawBuilder<unknown>): Promise<unknown[]> => {
      const transaction = await db().startTransaction().execute();
      try {
        await sql`alter table audit_log disable trigger user`.execute(transaction);
        await sql`update audit_log set detail = detail || '{"x":1}' where ${where}`.execute(transaction);
        return (await sql`select seq from audit_fault()`.execute(transaction)).rows;
      } finally {
        await transaction.rollback().execute();
      }
    };
    expect(await change(sql`seq = (select min(seq) from audit_redaction)`)).toHaveLength(1);
    expect(await change(sql`seq = 2`)).toHaveLength(1);
    expect(await change(sql`action = 'personaldata.redact'`)).toHaveLength(1);
  });

  it('T-PDATA checks again in a later run and then deletes its search terms', async () => {
    at.console.clock.set(new Date('2024-11-06T00:00:00Z'));
    at.admin = await signIn(at.console, adminAccount.account, adminAccount.password);
    await checkErasures(at.console.app);
    const { items } = await at.console.ok(personalData.listErasures, {}, { token: at.admin });
    const checked = required(
      items.find(({ id }) => id === erasure.id),
      'the erasure',
    );
    expect(checked.checkedAt).not.toBeNull();
    expect(checked.remains).toEqual(erasure.remains);
    const { rows } = await sql`select from erasure where terms is not null`.execute(db());
    expect(rows).toEqual([]);
  });

  it('T-PDATA is repeated after the restore of an older backup', async () => {
    // As after the restore: the erasure is unknown, and the person exists again.
    await sql`delete from erasure`.execute(db());
    await sql`update app_user set name = ${person.name}, account = ${three.email}, erased_at = null where organization_id = ${three.organizationId}`.execute(
      db(),
    );
    expect(await repeatErasures(at.console.app)).toBe(1);
    const again = await erased(erasure.id);
    expect(again.askedBy).toBe('personal-data');
    expect(await found(three.email)).toEqual([]);
    expect(await repeatErasures(at.console.app)).toBe(0);
    expect(await faults()).toEqual([]);
  });

  it('T-PDATA of a person who left erases only that person: their organization stays', async () => {
    const { rows } = await sql<{
      id: Id<'usr'>;
      name: string;
    }>`select id, name from app_user where account = ${two.email}`.execute(db());
    const left = required(rows[0], 'the person');
    const ask = () =>
      at.console.call(
        personalData.startErasure,
        { subjectId: left.id, name: left.name, reason: 'left the company' },
        { token: at.admin },
      );
    expect((await ask()).envelope.code).toBe('personaldata.in_the_way');
    await sql`update app_user set status_before = status, status = 'deleted', deleted_at = now() where id = ${left.id}`.execute(
      db(),
    );
    const before = await sql`select name from organization where id = ${two.organizationId}`.execute(db());
    const started = await ask();
    expect(started.status).toBe(202);
    const done = await erased((started.envelope as unknown as { data: Erasure }).data.id);
    expect(done).toMatchObject({ kind: 'person', subjectId: left.id });
    const listed = done.remains.map(({ field }) => field);
    expect((await found(two.email)).filter((field) => !listed.includes(field))).toEqual([]);
    expect(
      (await sql`select name from organization where id = ${two.organizationId}`.execute(db())).rows,
    ).toEqual(before.rows);
    expect(await faults()).toEqual([]);
  });
});
