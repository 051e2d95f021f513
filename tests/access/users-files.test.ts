// Export and import of users, as CSV and Excel.
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { identity } from '#features/access/identity/contract.ts';
import { spreadsheetType, users, type UserImport } from '#features/access/users/contract.ts';
import { readSheet } from '#platform/server/files/spreadsheet-read.ts';
import { xlsxOf } from '#platform/server/files/spreadsheet.ts';
import {
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';
import { openMailbox, type Mailbox } from '../support/mail.ts';

let console: TestConsole;
let mailbox: Mailbox;
let token: string;
let one: Awaited<ReturnType<typeof registerUser>>;
const db = () => console.app.database.kysely;
const take = async (
  input: In<typeof users.exportUsers>,
  language: 'zhTW' | 'enUS' = 'zhTW',
): Promise<Buffer> =>
  Buffer.from((await console.ok(users.exportUsers, { ...input, language }, { token })).body as Uint8Array);
const upload = (body: string | Uint8Array, options: { type?: string; language?: 'zhTW' | 'enUS' } = {}) =>
  console.call(
    users.uploadUsers,
    { fileName: 'users' },
    {
      token,
      language: options.language ?? 'enUS',
      body: body as string,
      headers: { 'content-type': options.type ?? 'text/csv' },
    },
  );
const counts = ({ state, total, create, update, unchanged, refused }: UserImport) => [
  state,
  total,
  create,
  update,
  unchanged,
  refused,
];
const mistakes = async (importId: Id<'uim'>, language: 'zhTW' | 'enUS' = 'enUS') =>
  (await console.ok(users.listImportRows, { importId, limit: 200 }, { token, language })).items
    .filter((row) => row.errors.length > 0)
    .map((row) => [row.row, ...row.errors.map((error) => `${error.column}|${error.message}`)]);
async function run(
  importId: Id<'uim'>,
  options: { leaveOutBadRows?: boolean; sendLinks?: boolean } = {},
): Promise<UserImport> {
  await console.ok(users.startImport, { importId, ...options }, { token });
  await expect
    .poll(async () => (await console.ok(users.getUserImport, { importId }, { token })).state)
    .not.toBe('running');
  return console.ok(users.getUserImport, { importId }, { token });
}
const xlsx = (header: string[], rows: string[][]): Promise<Buffer> => buffer(xlsxOf('x', header, rows));

beforeAll(async () => {
  mailbox = await openMailbox();
  console = await createTestConsole(undefined, { SMTP_URL: mailbox.url });
  token = await setUp(console);
  one = await registerUser(console, 'owner@one.example', 'One');
  await registerUser(console, 'owner@twin.example', 'Twin');
  await registerUser(console, 'owner2@twin.example', 'Twin');
});
afterAll(() => mailbox.close());
beforeEach(async () => {
  await sql`delete from app_user where account like '%@file.example'`.execute(db());
});

describe('R-ADM-02 export', () => {
  it('2.E-91 2.E-94 writes the filtered users with escaped formulas, counts them first, and logs who exported what', async () => {
    await console.ok(
      identity.createUser,
      {
        account: 'evil@file.example',
        name: '=HYPERLINK("http://evil")',
        role: 'ReadOnly',
        organizationId: one.organizationId as Id<'org'>,
        password: userPassword,
        phone: '+886 2',
      },
      { token },
    );
    const response = await fetch(
      `${console.address}/api/admin/users/export?format=csv&role=ReadOnly&sort=-name`,
      { headers: { authorization: `Bearer ${token}`, 'accept-language': 'zh-TW' } },
    );
    expect([response.headers.get('x-total-rows'), response.headers.get('content-type')]).toEqual([
      '1',
      'text/csv; charset=utf-8',
    ]);
    const [header, row] = parse(await response.text(), { bom: true });
    expect([header?.slice(0, 5), row?.slice(0, 5)]).toEqual([
      ['姓名', '帳號', '角色', '組織', '電話'],
      [`'=HYPERLINK("http://evil")`, 'evil@file.example', 'ReadOnly', 'One', "'+886 2"],
    ]);
    const audit = await sql<{
      detail: object;
      actor_kind: string;
    }>`select detail, actor_kind from audit_log where action = 'users.exportUsers'`.execute(db());
    expect(audit.rows).toEqual([
      { actor_kind: 'user', detail: { format: 'csv', rows: 1, filter: { role: 'ReadOnly', sort: '-name' } } },
    ]);
  });

  it('2.E-92 as Excel writes text cells only, and 2.C-52 no file contains a secret', async () => {
    const file = await take({ format: 'xlsx' });
    const [header, ...rows] = await readSheet(file, { maxRows: 100, maxColumns: 30, maxBytes: 1_000_000 });
    expect([header?.[0], rows.length]).toEqual(['姓名', 4]);
    expect(rows.flat().join()).not.toMatch(/argon2|password/i);
  });
});

describe('R-ADM-02 import', () => {
  it('previews the effect of each row, then writes, and a repeat changes nothing', async () => {
    const file =
      'Name,Account,Role,Organization,Phone,Language,Status\nFirst, First@File.example ,User,One,0912,zhTW,Active\nSecond,second@file.example,Read only,One,,enUS,Inactive\nBoss,boss@file.example,Administrator,,,,\n';
    const { data: plan, status } = await upload(file);
    expect([status, counts(plan)]).toEqual([201, ['ready', 3, 3, 0, 0, 0]]);
    expect((await console.ok(identity.listUsers, { q: '@file.example' }, { token })).total).toBe(0);
    const done = await run(plan.id, { sendLinks: true });
    expect([done.state, done.written, done.failed]).toEqual(['done', 3, 0]);
    const made = (await console.ok(identity.listUsers, { q: '@file.example', sort: 'account' }, { token }))
      .items;
    expect(
      made.map(({ account, role, status: state, organization, phone, language }) => [
        account,
        role,
        state,
        organization,
        phone,
        language,
      ]),
    ).toEqual([
      ['boss@file.example', 'Admin', 'active', null, '', 'zhTW'],
      ['first@file.example', 'User', 'active', 'One', '0912', 'zhTW'],
      ['second@file.example', 'ReadOnly', 'inactive', 'One', '', 'enUS'],
    ]);
    await expect.poll(() => mailbox.linkFor('first@file.example')).toContain('/password-reset#token=');
    expect(counts((await upload(file)).data)).toEqual(['ready', 3, 0, 0, 3, 0]);
    expect((await console.call(users.startImport, { importId: plan.id }, { token })).envelope.code).toBe(
      'users.import_started',
    );
  });

  it('accepts an export in either language and format, and finds nothing to change', async () => {
    await console.ok(
      identity.createUser,
      {
        account: 'guard@file.example',
        name: "'=already",
        role: 'User',
        organizationId: one.organizationId as Id<'org'>,
        password: userPassword,
        phone: '-1',
      },
      { token },
    );
    await sql`update app_user set name = name || E'"x,y"' where account = 'guard@file.example'`.execute(db());
    for (const language of ['zhTW', 'enUS'] as const) {
      expect(
        counts(
          (
            await upload(
              await take({ format: 'csv', organizationId: one.organizationId as Id<'org'> }, language),
            )
          ).data,
        ),
        language,
      ).toEqual(['ready', 2, 0, 0, 2, 0]);
      expect(
        counts(
          (
            await upload(
              await take({ format: 'xlsx', organizationId: one.organizationId as Id<'org'> }, language),
              { type: spreadsheetType },
            )
          ).data,
        ),
        language,
      ).toEqual(['ready', 2, 0, 0, 2, 0]);
    }
  });

  it('accepts an Excel file with the template’s columns; missing columns are left unchanged', async () => {
    await console.ok(
      identity.createUser,
      {
        account: 'kept@file.example',
        name: 'Old',
        role: 'ReadOnly',
        organizationId: one.organizationId as Id<'org'>,
        password: userPassword,
        phone: '0900',
      },
      { token },
    );
    const session = await signIn(console, 'kept@file.example');
    const { data: plan } = await upload(await xlsx(['帳號', '姓名'], [['kept@file.example', '新名']]), {
      type: spreadsheetType,
    });
    expect(counts(plan)).toEqual(['ready', 1, 0, 1, 0, 0]);
    await run(plan.id);
    expect((await console.ok(identity.listUsers, { q: 'kept@file' }, { token })).items).toMatchObject([
      { name: '新名', role: 'ReadOnly', phone: '0900', organization: 'One' },
    ]);
    expect(
      (await console.call(identity.profile, {}, { token: session })).status,
      'a name signs nobody out',
    ).toBe(200);
    const { data: moved } = await upload(
      await xlsx(['帳號', '姓名', '角色'], [['kept@file.example', '新名', '使用者']]),
      { type: spreadsheetType },
    );
    await run(moved.id);
    expect((await console.call(identity.profile, {}, { token: session })).status, 'a role does').toBe(401);
  });

  it('reports every error of every row in the reader’s language, and imports the other rows only on request', async () => {
    const file = [
      'Name,Account,Role,Organization,Language,Status',
      ',a@file.example,User,One,,',
      'B,no address,User,One,,',
      'C,c@file.example,Root,One,fr,gone',
      'D,d@file.example,User,,,',
      'E,e@file.example,User,Nowhere,,',
      'F,f@file.example,User,Twin,,',
      'G,g@file.example,Admin,One,,',
      'H,h@file.example,User,One,,',
      'H2,H@file.example,User,One,,',
      'I,i@file.example,User,One',
      'Operator,admin@cloud.example,User,One,,',
    ].join('\n');
    const { data: plan } = await upload(file);
    expect(counts(plan)).toEqual(['ready', 11, 1, 0, 0, 10]);
    expect(await mistakes(plan.id)).toEqual([
      [2, 'Name|Enter a name of at most 120 characters.'],
      [3, 'Account|This isn’t an e-mail address.'],
      [
        4,
        'Role|This role doesn’t exist. Use Administrator, User or Read only.',
        'Language|This language doesn’t exist. Use zhTW or enUS.',
        'Status|This status doesn’t exist. Use Active or Inactive.',
      ],
      [5, 'Organization|This role belongs to an organization. Choose one.'],
      [6, 'Organization|This organization doesn’t exist. Use its name, ID or external reference.'],
      [7, 'Organization|Several organizations have this name. Use the ID.'],
      [8, 'Organization|An administrator belongs to no organization. Leave this empty.'],
      [10, 'Account|Row 9 has the same account.'],
      [11, '|The row and the header have different numbers of cells.'],
      [12, '|You can’t change your own role or status, or delete yourself. Ask another administrator.'],
    ]);
    expect((await mistakes(plan.id, 'zhTW'))[1]).toEqual([3, '帳號|不是有效的電子郵件地址。']);
    expect((await console.call(users.startImport, { importId: plan.id }, { token })).envelope.code).toBe(
      'users.import_bad_rows',
    );
    const done = await run(plan.id, { leaveOutBadRows: true });
    expect([
      done.written,
      (await console.ok(identity.listUsers, { q: '@file.example' }, { token })).items.map(
        (user) => user.account,
      ),
    ]).toEqual([1, ['h@file.example']]);
    const result = await console.ok(
      users.importResult,
      { importId: plan.id, format: 'csv', onlyBad: true },
      { token },
    );
    const [, ...rows] = parse(Buffer.from(result.body as Uint8Array), { bom: true });
    expect([rows.length, rows[0]]).toEqual([
      10,
      ['2', '', 'a@file.example', 'Has errors', 'Name: Enter a name of at most 120 characters.'],
    ]);
  });

  it.each([
    ['an unknown column', 'Name,Account,Salary\nA,a@file.example,1', 'users.import_head'],
    ['a missing column', 'Name,Role\nA,User', 'users.import_head'],
    ['a duplicate column', 'Name,Account,姓名\nA,a@file.example,A', 'users.import_head'],
    ['no rows', 'Name,Account\n\n', 'users.import_empty'],
    ['nothing', ' ', 'users.import_head'],
    ['another encoding', Uint8Array.from([0x4e, 0xff, 0xfe]), 'users.import_no_utf8'],
    ['an unclosed quote', 'Name,Account\n"A,a@file.example', 'users.import_unreadable'],
    [
      'too many rows',
      `Name,Account\n${Array.from({ length: 20_001 }, (_, n) => `A,a${n}@file.example`).join('\n')}`,
      'users.import_too_long',
    ],
  ])('rejects %s', async (_name, body, code) => {
    const { envelope } = await upload(body);
    expect(envelope.code).toBe(code);
  });

  it('rejects broken workbooks, other kinds of files and files that are too large, before reading them', async () => {
    expect((await upload('Name,Account', { type: spreadsheetType })).envelope.code).toBe(
      'users.import_unreadable',
    );
    expect((await upload('x', { type: 'application/zip' })).status).toBe(415);
    expect((await upload('x'.repeat(8 * 1024 * 1024 + 1))).status).toBe(413);
  });

  it('of thousands of rows runs in chunks, can be canceled, and continues when the same file is sent again', async () => {
    const file = `Name,Account,Organization\n${Array.from({ length: 3000 }, (_, n) => `P${n},p${n}@file.example,One`).join('\n')}`;
    const { data: plan } = await upload(file);
    await console.ok(users.startImport, { importId: plan.id }, { token });
    const stopped = await console.ok(users.cancelUserImport, { importId: plan.id }, { token });
    expect(stopped.state).toBe('stopped');
    await expect
      .poll(
        async () =>
          (
            await sql<{
              n: bigint;
            }>`select count(*) as n from job.job where name = 'user-import' and state in ('created', 'active', 'retry')`.execute(
              db(),
            )
          ).rows[0]?.n,
      )
      .toBe(0n);
    const imported = (await console.ok(users.countUsers, { q: '@file.example' }, { token })).total;
    expect((await console.ok(users.getUserImport, { importId: plan.id }, { token })).written).toBe(imported);
    const { data: again } = await upload(file);
    expect([again.create, again.unchanged]).toEqual([3000 - imported, imported]);
    expect((await run(again.id)).written).toBe(3000 - imported);
    expect((await console.ok(users.countUsers, { q: '@file.example' }, { token })).total).toBe(3000);
  });

  it('reports a row that somebody else created meanwhile as not imported', async () => {
    const { data: plan } = await upload('Name,Account,Organization\nQuick,quick@file.example,One');
    await console.ok(
      identity.createUser,
      {
        account: 'quick@file.example',
        name: 'First',
        role: 'User',
        organizationId: one.organizationId as Id<'org'>,
        password: userPassword,
      },
      { token },
    );
    const done = await run(plan.id);
    expect([done.written, done.failed, (await mistakes(plan.id)).length]).toEqual([0, 1, 1]);
    expect((await console.ok(identity.listUsers, { q: 'quick@file' }, { token })).items[0]?.name).toBe(
      'First',
    );
  });
});
