// Announcements: who receives them, when, once, in which language, and who has read them.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  announcements,
  type Announcement,
  type Audience,
} from '#features/operations/announcements/contract.ts';
import { sendDue } from '#features/operations/announcements/server/index.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import type { LocalDay } from '#kernel/shape.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';

type Owner = Awaited<ReturnType<typeof registerUser>>;
const words = {
  zhTW: { title: '系統維護', text: '週六凌晨 {{name}} 暫停服務。' },
  enUS: { title: 'Maintenance', text: 'Closed on Saturday night.' },
};
let console: TestConsole;
let admin: string;
let one: Owner;
let two: Owner;
let reader: string;
let serviceId: string;
let subscriptionId: string;

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-10-05T03:00:00Z'));
  admin = await setUp(console);
  [one, two] = [
    await registerUser(console, 'owner@one.example', 'One'),
    await registerUser(console, 'owner@two.example', 'Two'),
  ];
  const make = (account: string) =>
    console.ok(
      identity.createUser,
      {
        account,
        name: account,
        role: 'ReadOnly',
        organizationId: one.organizationId as never,
        password: userPassword,
      },
      { token: admin },
    );
  await make('reader@one.example');
  const gone = await make('gone@one.example');
  await console.ok(identity.updateUser, { userId: gone.user.id, status: 'inactive' }, { token: admin });
  reader = await signIn(console, 'reader@one.example');
  serviceId = (
    await console.ok(
      catalogue.createService,
      {
        name: 'Storage',
        type: 'Storage',
        category: 'Platform',
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
        meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
      },
      { token: admin },
    )
  ).id;
  subscriptionId = (
    await console.ok(subscriptions.subscribe, { serviceId: serviceId as never }, { token: two.token })
  ).id;
});

const db = () => console.app.database.kysely;
const asAdmin = () => ({ token: admin });
const draft = (audience: Audience, more: object = {}): Promise<Announcement> =>
  console.ok(
    announcements.createAnnouncement,
    { words, severity: 'warning', link: '/service/overview', audience, ...more },
    asAdmin(),
  );
const get = (announcementId: Announcement['id']) =>
  console.ok(announcements.getAnnouncement, { announcementId }, asAdmin());
const send = (announcementId: Announcement['id'], at?: { day: LocalDay; time: string }) =>
  console.ok(announcements.sendAnnouncement, { announcementId, ...(at && { at }) }, asAdmin());
const sent = (announcementId: Announcement['id']) =>
  expect.poll(async () => (await get(announcementId)).state).toBe('sent');
/** The users who have its notification. */
async function readers(announcementId: string): Promise<string[]> {
  const { rows } = await sql<{
    account: string;
  }>`select u.account from notification n join app_user u on u.id = n.user_id where n.kind = 'announcement' and n.subject = ${announcementId} order by 1`.execute(
    db(),
  );
  return rows.map((row) => row.account);
}
async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  await sql`update session set expires_at = '2100-01-01'`.execute(db());
  [admin, reader] = [
    await signIn(console, adminAccount.account, adminAccount.password),
    await signIn(console, 'reader@one.example'),
  ];
  [one, two] = [
    { ...one, token: await signIn(console, 'owner@one.example') },
    { ...two, token: await signIn(console, 'owner@two.example') },
  ];
}

describe('the audience of an announcement', () => {
  it.each([
    [
      'everybody',
      () => ({ kind: 'all' }) as const,
      ['admin@cloud.example', 'owner@one.example', 'owner@two.example', 'reader@one.example'],
    ],
    ['a role', () => ({ kind: 'role', role: 'User' }) as const, ['owner@one.example', 'owner@two.example']],
    [
      'an organization',
      () => ({ kind: 'organization', organizationId: one.organizationId as never }) as const,
      ['owner@one.example', 'reader@one.example'],
    ],
    [
      'the subscribers of a service',
      () => ({ kind: 'service', serviceId: serviceId as never }) as const,
      ['owner@two.example'],
    ],
  ] as const)(
    '%s is counted beforehand and reached, active people only',
    async (_name, audienceOf, expected) => {
      const audience = audienceOf();
      expect(await console.ok(announcements.countAudience, audience, asAdmin())).toEqual({
        people: expected.length,
      });
      const { id } = await draft(audience);
      expect(await get(id)).toMatchObject({ state: 'draft', people: expected.length, reached: 0 });
      await send(id);
      await sent(id);
      expect(await readers(id)).toEqual(expected);
      expect(await get(id)).toMatchObject({
        people: null,
        reached: expected.length,
        expected: expected.length,
        finishedAt: console.clock.now(),
      });
    },
  );

  it('the subscribers of a service is empty once the subscriptions ended; nothing is sent to nobody', async () => {
    await console.ok(
      subscriptions.cancel,
      { subscriptionId: subscriptionId as never, when: 'now' },
      { token: two.token },
    );
    const { id } = await draft({ kind: 'service', serviceId: serviceId as never });
    expect((await get(id)).people).toBe(0);
    expect(
      (await console.call(announcements.sendAnnouncement, { announcementId: id }, asAdmin())).envelope.code,
    ).toBe('announcements.nobody');
  });

  it('must exist', async () => {
    const refused = await console.call(
      announcements.createAnnouncement,
      {
        words,
        severity: 'info',
        link: null,
        audience: { kind: 'organization', organizationId: 'org_00000000000000000000000000' as never },
      },
      asAdmin(),
    );
    expect(refused.envelope.errors?.map((error) => [error.field, error.code])).toEqual([
      ['audience', 'announcements.audience_not_found'],
    ]);
    expect((await console.call(announcements.countAudience, { kind: 'role' }, asAdmin())).status).toBe(400);
  });
});

describe('the text of an announcement', () => {
  it('is shown in each reader’s language as typed, with its link, and readers are counted', async () => {
    const { id } = await draft({ kind: 'organization', organizationId: one.organizationId as never });
    await send(id);
    await sent(id);
    const newest = async (token: string, language: 'zhTW' | 'enUS') =>
      (await console.ok(notifications.listNotifications, { limit: 1 }, { token, language })).items[0]!;
    expect(await newest(one.token, 'zhTW')).toMatchObject({
      type: 'warning',
      category: 'system',
      message: '【系統維護】週六凌晨 {{name}} 暫停服務。',
      link: '/service/overview',
    });
    const inEnglish = await newest(reader, 'enUS');
    expect(inEnglish.message).toBe('Maintenance: Closed on Saturday night.');
    expect((await get(id)).read).toBe(0);
    await console.ok(
      notifications.markNotification,
      { notificationId: inEnglish.id, read: true },
      { token: reader },
    );
    expect((await get(id)).read).toBe(1);
    await console.ok(
      notifications.deleteNotification,
      { notificationId: (await newest(one.token, 'zhTW')).id },
      { token: one.token },
    );
    expect((await get(id)).read).toBe(2);
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'service/overview',
    '/a/../b',
  ])('cannot link to other sites: %s', async (link) => {
    const refused = await console.call(
      announcements.createAnnouncement,
      { words, severity: 'info', link, audience: { kind: 'all' } },
      asAdmin(),
    );
    expect(refused.envelope.errors?.map((error) => [error.field, error.code])).toEqual([
      ['link', 'announcements.link_outside'],
    ]);
  });

  it('is required in both languages', async () => {
    const refused = await fetch(`${console.address}/api/admin/announcements`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        words: { zhTW: words.zhTW, enUS: { title: 'T', text: ' ' } },
        severity: 'info',
        link: null,
        audience: { kind: 'all' },
      }),
    });
    expect(await refused.json()).toMatchObject({
      code: 'platform.invalid',
      errors: [{ field: 'words.enUS.text' }],
    });
  });
});

describe('a scheduled announcement', () => {
  it('is sent once, at its time in the console’s time zone, and can be changed until then', async () => {
    const { id } = await draft({ kind: 'role', role: 'ReadOnly' });
    expect(await send(id, { day: '2024-10-06' as LocalDay, time: '09:30' })).toMatchObject({
      state: 'scheduled',
      sendAt: new Date('2024-10-06T01:30:00Z'),
    });
    await console.ok(
      announcements.updateAnnouncement,
      {
        announcementId: id,
        words: { ...words, enUS: { title: 'Later', text: 'Changed.' } },
        severity: 'info',
        link: null,
        audience: { kind: 'role', role: 'ReadOnly' },
      },
      asAdmin(),
    );
    expect(await get(id)).toMatchObject({
      state: 'scheduled',
      sendAt: new Date('2024-10-06T01:30:00Z'),
      people: 1,
    });
    await moveTo('2024-10-06T01:29:59Z');
    await sendDue(console.app);
    expect((await get(id)).state).toBe('scheduled');
    await moveTo('2024-10-06T01:30:00Z');
    console.app.wakeOutbox();
    await sent(id);
    expect(await readers(id)).toEqual(['reader@one.example']);
    // No user gets it twice, however often the job runs.
    await Promise.all([sendDue(console.app), sendDue(console.app)]);
    expect((await get(id)).reached).toBe(1);
    for (const call of [announcements.cancelAnnouncement, announcements.sendAnnouncement])
      expect((await console.call(call, { announcementId: id }, asAdmin())).envelope.code).toBe(
        'announcements.already_sent',
      );
  });

  it('must be in the future, within a year', async () => {
    const { id } = await draft({ kind: 'all' });
    const tried = async (day: string) =>
      (
        await console.call(
          announcements.sendAnnouncement,
          { announcementId: id, at: { day: day as LocalDay, time: '09:30' } },
          asAdmin(),
        )
      ).envelope.errors?.[0]?.code;
    expect(await Promise.all(['2024-10-06', '2025-11-06'].map(tried))).toEqual([
      'announcements.time_past',
      'announcements.time_far',
    ]);
  });

  it('is not sent after it was canceled', async () => {
    const { id } = await draft({ kind: 'all' });
    await send(id, { day: '2024-10-07' as LocalDay, time: '00:00' });
    expect(
      await console.ok(announcements.cancelAnnouncement, { announcementId: id }, asAdmin()),
    ).toMatchObject({ state: 'cancelled', sendAt: null });
    await moveTo('2024-10-08T00:00:00Z');
    await sendDue(console.app);
    expect(await readers(id)).toEqual([]);
    expect(
      (await console.call(announcements.sendAnnouncement, { announcementId: id }, asAdmin())).envelope.code,
    ).toBe('announcements.is_cancelled');
    const audit = await sql<{
      action: string;
    }>`select action from audit_log where subject = ${id} order by id`.execute(db());
    expect(audit.rows.map((row) => row.action.split('.')[1])).toEqual([
      'createAnnouncement',
      'sendAnnouncement',
      'cancelAnnouncement',
    ]);
  });
});

describe('announcements to very many people', () => {
  it('are sent in chunks; after a crash sending continues behind the last recipient', async () => {
    await sql`insert into organization (id, name, time_zone, language, created_at) values ('org_01hzzzzzzzzzzzzzzzzzzzzzzz', 'Crowd', 'Asia/Taipei', 'zhTW', now())`.execute(
      db(),
    );
    await sql`insert into app_user (id, account, name, phone, role, organization_id, language, created_at) select 'usr_' || lpad(n::text, 26, '0'), 'crowd' || n || '@x.example', 'x', '', 'User', 'org_01hzzzzzzzzzzzzzzzzzzzzzzz', 'zhTW', now() from generate_series(1, 3500) n`.execute(
      db(),
    );
    const { id } = await draft({
      kind: 'organization',
      organizationId: 'org_01hzzzzzzzzzzzzzzzzzzzzzzz' as never,
    });
    // The state left by a console that was killed after a thousand.
    await sql`insert into notification (id, user_id, kind, type, category, subject, period, text_key, params, created_at) select 'ntf_' || lpad(n::text, 26, '0'), 'usr_' || lpad(n::text, 26, '0'), 'announcement', 'info', 'system', ${id}, '', 'announcements.notice', '{}', now() from generate_series(1, 1000) n`.execute(
      db(),
    );
    await sql`update announcement set state = 'sending', send_at = ${console.clock.now()}, sent_through = 'usr_' || lpad('1000', 26, '0'), reached = 1000, expected = 3500 where id = ${id}`.execute(
      db(),
    );
    await Promise.all([sendDue(console.app), sendDue(console.app)]);
    await sent(id);
    expect(await get(id)).toMatchObject({ reached: 3500, expected: 3500, read: 0 });
    expect((await readers(id)).length).toBe(3500);
  });

  it('are paged, filtered and searched on the server', async () => {
    const page = await console.ok(announcements.listAnnouncements, { limit: 2, state: 'sent' }, asAdmin());
    expect([page.items.length, page.total, page.nextCursor === null]).toEqual([2, 7, false]);
    expect(
      (await console.ok(announcements.listAnnouncements, { q: 'Later' }, asAdmin())).items.map(
        (each) => each.words.enUS.title,
      ),
    ).toEqual(['Later']);
  });
});
