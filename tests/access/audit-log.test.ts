// The audit log's screen over HTTP: pages, filters, one row, files, and a chain that shows every way of
// tampering.
import { readFileSync, globSync } from 'node:fs';
import { sql, type RawBuilder } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { audit, type AuditVerification } from '#features/access/audit/contract.ts';
import { enUS } from '#features/access/audit/locales/enUS.ts';
import { zhTW } from '#features/access/audit/locales/zhTW.ts';
import { identity } from '#features/access/identity/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { creditLimits } from '#features/receivables/credit-limits/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { announcements } from '#features/operations/announcements/contract.ts';
import { sms } from '#features/messaging/sms/contract.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { features } from '#app/features.ts';
import { grantsContract } from '#app/grants/contract.ts';
import {
  createTestConsole,
  registerUser,
  setUp,
  userPassword,
  type TestConsole,
} from '../support/console.ts';

let console: TestConsole;
let token: string;
let user: { token: string; userId: string; organizationId: string };
beforeAll(async () => {
  console = await createTestConsole();
  token = await setUp(console);
  user = await registerUser(console, 'owner@one.example', 'One');
});
const asAdmin = () => ({ token });
const list = (more: Partial<Parameters<typeof console.ok<typeof audit.listAudit>>[1]> = {}) =>
  console.ok(audit.listAudit, more, asAdmin());
const auditAction = (action: string, subject: string, detail: Record<string, unknown> = {}) =>
  unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, async (ctx) =>
    ctx.audit(action, subject, detail),
  );

describe('R-ADM-03 the audit log', () => {
  it('is listed newest first, and paging neither skips nor repeats a row', async () => {
    for (let index = 0; index < 12; index++) await auditAction('test.page', `turn-${index}`);
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ action: 'test.page', limit: 5, ...(cursor !== undefined && { cursor }) });
      expect(page.total).toBe(12);
      ids.push(...page.items.map((row) => row.subject ?? ''));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(ids).toEqual(Array.from({ length: 12 }, (_, index) => `turn-${11 - index}`));
    const [first] = (await list({ limit: 1 })).items;
    expect((await list({ limit: 1 })).total).toBe(first?.seq);
  });

  it('filters by actor, action, subject, request, row and day', async () => {
    const { key } = await console.ok(identity.createApiKey, { name: 'gateway' }, asAdmin());
    const [row] = (await list({ q: key.id })).items;
    expect(row).toMatchObject({
      action: 'identity.createApiKey',
      subject: key.id,
      subjectName: 'gateway',
      actor: { kind: 'user', name: 'Operator', account: 'admin@cloud.example' },
    });
    for (const q of [row?.id, row?.requestId])
      expect((await list({ q: q ?? '' })).items.map((each) => each.id)).toEqual([row?.id]);
    expect((await console.call(identity.listUsers, {}, { token: user.token })).status).toBe(403);
    const own = await list({ actorId: user.userId });
    expect([own.total > 0, new Set(own.items.map((each) => each.actor.id))]).toEqual([
      true,
      new Set([user.userId]),
    ]);
    expect((await list({ action: 'identity.createApiKey', actorId: user.userId })).items).toEqual([]);
    expect((await list({ actorId: user.userId, language: 'zhTW' })).items[0]).toMatchObject({
      action: 'platform.refused',
      actionName: '拒絕沒有權限的請求',
      subject: 'identity.listUsers',
    });
    const today = '2024-10-05' as never;
    const yesterday = '2024-10-04' as never;
    expect((await list({ from: today, to: today })).total).toBe((await list({ limit: 1 })).total);
    expect((await list({ to: yesterday })).total).toBe(0);
    const reversed = await console.call(audit.listAudit, { from: today, to: yesterday }, asAdmin());
    expect([reversed.status, reversed.envelope.code]).toEqual([422, 'audit.range_reversed']);
    expect((await console.ok(audit.auditActions, {}, asAdmin())).items.map((each) => each.action)).toEqual(
      (
        await sql<{ action: string }>`select distinct action from audit_log order by action`.execute(
          console.app.database.kysely,
        )
      ).rows.map((each) => each.action),
    );
  });

  it('names who signed in and out as the actor, and nobody for an attempt that failed', async () => {
    const { userId } = await registerUser(console, 'comes@two.example', 'Two');
    const account = 'comes@two.example';
    await console.call(signin.login, { account, password: 'not the right one' });
    const post = (path: string, headers: Record<string, string>, body: object) =>
      fetch(`${console.address}/api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const signedIn = await post('/user/login', {}, { account, password: userPassword });
    const cookie = signedIn.headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0] ?? '')
      .join('; ');
    expect((await post('/user/logout', { cookie }, {})).status).toBe(200);
    const rows = (await list({ q: userId })).items;
    const actorOf = (action: string) => rows.find((row) => row.action === action)?.actor;
    const person = { kind: 'user', id: userId, account };
    expect(actorOf('signin.login')).toMatchObject(person);
    expect(actorOf('identity.logout')).toMatchObject(person);
    expect(actorOf('signin.refused')).toEqual({ kind: 'anonymous', id: null, name: '', account: '' });
  });

  it('names the subject of a row while it exists: a service, a subscription with its organization, a bill by its number', async () => {
    const newService = (name: string) =>
      console.ok(
        catalogue.createService,
        {
          name,
          type: 'API',
          category: 'Own',
          pricing: { model: 'flat', currency: 'TWD', baseFee: '100' },
          meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
        },
        asAdmin(),
      );
    const [service, unused] = [await newService('Inference'), await newService('Unused')];
    const organizationId = user.organizationId as Id<'org'>;
    const subscription = await console.ok(
      subscriptions.adminSubscribe,
      { organizationId, serviceId: service.id, startedAt: new Date('2024-08-31T16:00:00Z') },
      asAdmin(),
    );
    await console.ok(billing.closeMonth, { month: '2024-09' as never }, asAdmin());
    const [bill] = (await console.ok(billing.adminListBills, { organizationId }, asAdmin())).items;
    const named = async (subject: string): Promise<string | null> => {
      await auditAction('test.named', subject);
      return (await list({ q: subject, action: 'test.named' })).items[0]?.subjectName ?? null;
    };
    expect(await named(organizationId)).toBe('One');
    expect(await named(service.id)).toBe('Inference');
    expect(await named(subscription.id)).toBe('Inference · One');
    expect(await named(bill?.id ?? '')).toBe(bill?.number);
    expect(await named(unused.id)).toBe('Unused');
    await console.ok(catalogue.deleteService, { serviceId: unused.id }, asAdmin());
    expect(await named(unused.id)).toBeNull();
    // An id that only looks like one of an existing object is not resolved.
    expect(await named(`xyz_${service.id}`)).toBeNull();
    expect(await named('One')).toBeNull();
  });

  it('names what has no name of its own after what it is about, in the language of the reader', async () => {
    const organizationId = user.organizationId as Id<'org'>;
    await console.ok(
      creditLimits.setCreditLimit,
      { organizationId, currency: 'TWD', amount: { minor: 5000n, currency: 'TWD' } },
      asAdmin(),
    );
    const draft = await console.ok(
      announcements.createAnnouncement,
      {
        words: {
          zhTW: { title: '系統維護', text: '暫停服務。' },
          enUS: { title: 'Maintenance', text: 'Closed.' },
        },
        severity: 'info',
        link: null,
        audience: { kind: 'all' },
      },
      asAdmin(),
    );
    const nameOf = async (action: string, language: 'zhTW' | 'enUS') =>
      (await list({ action, limit: 1, language })).items[0]?.subjectName;
    expect(await nameOf('creditlimits.setCreditLimit', 'enUS')).toBe('One · TWD');
    expect(draft.id).toMatch(/^ann_/);
    expect(await nameOf('announcements.createAnnouncement', 'enUS')).toBe('Maintenance');
    expect(await nameOf('announcements.createAnnouncement', 'zhTW')).toBe('系統維護');
  });

  it('names backups, checks and exports after their moment in the installation’s time zone, and cards after their organization', async () => {
    const db = console.app.database.kysely;
    const at = new Date('2024-10-04T18:30:00Z');
    const organizationId = user.organizationId;
    const rows = [
      [
        'bak_1',
        sql`insert into backup (id, state, cause, asked_at, asked_by, heard_at) values ('bak_1', 'waiting', 'schedule', ${at}, '', ${at})`,
      ],
      [
        'dxp_1',
        sql`insert into data_export (id, state, cause, attempt, asked_at, asked_by, heard_at) values ('dxp_1', 'waiting', 'schedule', 1, ${at}, '', ${at})`,
      ],
      [
        'chk_1',
        sql`insert into books_check (id, state, asked_at, asked_by, heard_at) values ('chk_1', 'waiting', ${at}, '', ${at})`,
      ],
      [
        'chk_2',
        sql`insert into books_check (id, organization_id, state, asked_at, asked_by, heard_at) values ('chk_2', ${organizationId}, 'waiting', ${at}, '', ${at})`,
      ],
      [
        'cst_1',
        sql`insert into card_setup (id, organization_id, provider, state, consent, language, created_at, created_by) values ('cst_1', ${organizationId}, 'stripe', 'pending', '', 'enUS', ${at}, '')`,
      ],
    ] as const;
    for (const [id, insert] of rows) {
      await insert.execute(db);
      await auditAction('test.moment', id);
    }
    const found = (await list({ action: 'test.moment' })).items;
    expect(Object.fromEntries(found.map(({ subject, subjectName }) => [subject, subjectName]))).toEqual({
      bak_1: '2024-10-05 02:30',
      dxp_1: '2024-10-05 02:30',
      chk_1: '2024-10-05 02:30',
      chk_2: '2024-10-05 02:30 · One',
      cst_1: 'One',
    });
    // Their jobs have nothing to do with these rows.
    for (const table of ['backup', 'data_export', 'books_check', 'card_setup'])
      await sql`delete from ${sql.table(table)} where id = any(${rows.map(([id]) => id)}::text[])`.execute(
        db,
      );
  });

  it('shows one row with the values before and after', async () => {
    const made = await console.ok(
      identity.createUser,
      { account: 'x@one.example', name: 'X', role: 'User', organizationId: user.organizationId as never },
      asAdmin(),
    );
    await console.ok(identity.updateUser, { userId: made.user.id, role: 'ReadOnly' }, asAdmin());
    const [row] = (await list({ q: made.user.id, action: 'identity.updateUser' })).items;
    const detail = await console.ok(audit.getAudit, { rowId: row!.id }, asAdmin());
    expect(detail).toMatchObject({
      subjectName: 'X',
      detail: { before: { role: 'User' }, after: { role: 'ReadOnly' } },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(
      (await console.call(audit.getAudit, { rowId: 'aud_01hzzzzzzzzzzzzzzzzzzzzzzz' as never }, asAdmin()))
        .envelope.code,
    ).toBe('audit.not_found');
  });

  it('shows the old and new values of settings, and of a secret only that it changed', async () => {
    await console.ok(
      payments.setBankAccount,
      { bank: 'Bank', holder: 'Formosa Cloud', account: '1', note: '' },
      asAdmin(),
    );
    await console.ok(
      payments.setBankAccount,
      { bank: 'Bank', holder: 'Formosa Cloud', account: '2', note: '' },
      asAdmin(),
    );
    const gateway = {
      isOn: true,
      preset: 'generic',
      url: 'https://sms.example.com/',
      account: '',
      from: '',
      toField: 'to',
      textField: 'text',
      fromField: 'from',
      token: 'the-secret-token',
    } as const;
    await console.ok(sms.saveSmsSettings, gateway, asAdmin());
    const details = await Promise.all(
      (await list({ limit: 2 })).items.map((row) => console.ok(audit.getAudit, { rowId: row.id }, asAdmin())),
    );
    expect(details.map((each) => [each.action, each.detail])).toMatchObject([
      [
        'sms.saveSmsSettings',
        {
          before: { hasToken: false },
          after: { hasToken: true, url: 'https://sms.example.com/' },
          isTokenChanged: true,
        },
      ],
      ['payments.setBankAccount', { before: { account: '1' }, after: { account: '2' } }],
    ]);
    expect(JSON.stringify(details)).not.toContain('the-secret-token');
  });

  it('is exported as a file; the export is logged with user, filter and number of rows (reliability.md 2.E-94, 2.E-91)', async () => {
    await auditAction('test.export', '=cmd|calc', { text: '統一, "x"' });
    const answer = await console.ok(
      audit.exportAudit,
      { format: 'csv', action: 'test.export', language: 'enUS' },
      asAdmin(),
    );
    const text = Buffer.from(answer.body as Uint8Array).toString();
    expect(text).toContain('Number,Time (UTC)');
    expect(text).toContain("'=cmd|calc");
    expect(text.trim().split('\r\n')).toHaveLength(2);
    expect((await list({ limit: 1 })).items).toMatchObject([
      { action: 'audit.exportAudit', actor: { name: 'Operator' } },
    ]);
    const [row] = (await list({ limit: 1 })).items;
    expect((await console.ok(audit.getAudit, { rowId: row!.id }, asAdmin())).detail).toEqual({
      format: 'csv',
      filter: { action: 'test.export' },
      rows: 1,
    });
    expect((await console.ok(audit.exportAudit, { format: 'xlsx' }, asAdmin())).mediaType).toContain(
      'spreadsheetml',
    );
  });
});

describe('names of audit actions', () => {
  it('exist in both languages for every action in the code', () => {
    const verbs = [...features, { name: 'grants', contract: grantsContract }].flatMap((feature) =>
      Object.entries(feature.contract)
        .filter(
          ([, route]) =>
            route.method !== 'GET' &&
            (route.access === 'cookie' ||
              (typeof route.access === 'object' && route.access.roles.length > 0)),
        )
        .map(([verb]) => `${feature.name}.${verb}`),
    );
    const exports = features.flatMap((feature) =>
      Object.keys(feature.contract)
        .filter((verb) => verb.startsWith('export'))
        .map((verb) => `${feature.name}.${verb}`),
    );
    const source = globSync('src/{platform,features,app}/**/*.ts')
      .filter((file) => !/\.test\.ts$|\/test-/.test(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const written = [
      ...source.matchAll(/audit\(\s*(?:[^'\n]*\? )?'(\w+\.\w+)'/g),
      ...source.matchAll(/action: '(\w+\.\w+)'/g),
    ].map((match) => match[1] ?? '');
    // These names are composed at run time from the names of the pause and its withdrawal.
    const pauses = [
      'stop',
      'schedule_stop',
      'start',
      'schedule_start',
      'take_back_stop',
      'take_back_cancel',
    ].map((action) => `subscriptions.${action}`);
    const all = [...new Set([...verbs, ...exports, ...written, ...pauses])];
    expect(all.length).toBeGreaterThan(150);
    expect(
      all.filter((action) => !(`audit.action_${action}` in zhTW) || !(`audit.action_${action}` in enUS)),
    ).toEqual([]);
  });
});

describe('the chain (reliability.md 2.J-161)', () => {
  async function verified(): Promise<AuditVerification & { calls: number }> {
    for (let [after, calls] = [0, 1]; ; calls++) {
      const found = await console.ok(audit.verifyAudit, { after }, asAdmin());
      if (found.isDone) return { ...found, calls };
      expect(found.checkedTo).toBeGreaterThan(after);
      after = found.checkedTo;
    }
  }
  /** Makes a change that only the database's owner could make, and undoes it. */
  async function tampered(change: RawBuilder<unknown>): Promise<AuditVerification['fault']> {
    const database = console.app.database.kysely;
    await sql`create table audit_log_copy as select * from audit_log`.execute(database);
    await sql`alter table audit_log disable trigger user`.execute(database);
    await change.execute(database);
    const { fault } = await verified();
    await sql`delete from audit_log`.execute(database);
    await sql`insert into audit_log select * from audit_log_copy order by seq`.execute(database);
    await sql`alter table audit_log enable trigger user`.execute(database);
    await sql`drop table audit_log_copy`.execute(database);
    return fault;
  }

  // More rows than one batch of the verification.
  beforeAll(async () => {
    // Every row rewrites the chain's head, and a statement sees all versions of it that it has written itself: all
    // rows in one statement take long enough on a busy machine to reach the statements' time limit.
    for (let first = 1; first <= 20_500; first += 500)
      await sql`select append_audit('aud_' || lpad(n::text, 26, '0'), '2024-10-05T03:00:00Z'::timestamptz + n * interval '1 millisecond', 'system', 'test', 'test.bulk', null, jsonb_build_object('n', n), 'bulk') from generate_series(${first}::int, ${first + 499}::int) n`.execute(
        console.app.database.kysely,
      );
  });

  it('is valid over several batches, and reports its last row', async () => {
    const { rows } = await sql<{ seq: bigint; hash: Buffer }>`select seq, hash from audit_head`.execute(
      console.app.database.kysely,
    );
    expect(await verified()).toMatchObject({
      fault: null,
      calls: 2,
      total: Number(rows[0]?.seq),
      checkedTo: Number(rows[0]?.seq),
      head: rows[0]?.hash.toString('hex'),
    });
  });

  it.each([
    [
      'a rewritten row',
      sql`update audit_log set action = 'harmless' where seq = 3`,
      { seq: 3, reason: 'changed' },
    ],
    ['the first row', sql`update audit_log set subject = 'x' where seq = 1`, { seq: 1, reason: 'changed' }],
    [
      'a rewritten row with a recomputed hash of its own',
      sql`update audit_log a set action = 'harmless', hash = audit_hash((select hash from audit_log where seq = 6), seq, id, at, actor_kind, actor_id, 'harmless', subject, detail, request_id) where seq = 7`,
      { seq: 8, reason: 'changed' },
    ],
    ['a deleted row', sql`delete from audit_log where seq = 5`, { seq: 5, reason: 'missing' }],
    ['a deleted first row', sql`delete from audit_log where seq = 1`, { seq: 1, reason: 'missing' }],
    [
      'a deleted row at the end of a batch',
      sql`delete from audit_log where seq = 20000`,
      { seq: 20000, reason: 'missing' },
    ],
    [
      'a deleted first row of the second batch',
      sql`update audit_log set detail = '{}' where seq = 20001`,
      { seq: 20001, reason: 'changed' },
    ],
    [
      'two exchanged rows',
      sql`update audit_log a set action = b.action, subject = b.subject, detail = b.detail, actor_kind = b.actor_kind, actor_id = b.actor_id from audit_log b where (a.seq, b.seq) in ((2, 4), (4, 2))`,
      { seq: 2, reason: 'changed' },
    ],
    [
      'rows cut off at the end',
      sql`delete from audit_log where seq > 20010`,
      { seq: 20011, reason: 'cut_off', id: null },
    ],
    ['all rows deleted', sql`delete from audit_log`, { seq: 1, reason: 'cut_off', id: null }],
    [
      'a row inserted after the end',
      sql`insert into audit_log select 'aud_false', at, actor_kind, actor_id, action, subject, detail, request_id, seq + 1, audit_hash(hash, seq + 1, 'aud_false', at, actor_kind, actor_id, action, subject, detail, request_id) from audit_log order by seq desc limit 1`,
      { reason: 'cut_off' },
    ],
  ])('names %s', async (_what, change, fault) => {
    expect(await tampered(change)).toMatchObject(fault);
    expect((await verified()).fault).toBeNull();
  });
});
