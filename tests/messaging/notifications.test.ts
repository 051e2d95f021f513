// Which notifications users get, through which channels, and what they can do with them (R-NOTE-01,
// R-NOTE-02, R-NOTE-04).
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { In } from '#kernel/contract.ts';
import { allLanguages } from '#kernel/language.ts';
import { identity } from '#features/access/identity/contract.ts';
import {
  notificationCategories,
  notifications,
  type Preferences,
} from '#features/messaging/notifications/contract.ts';
import {
  postToOrganizations,
  sendDigests,
  type Notice,
} from '#features/messaging/notifications/server/index.ts';
import { allKinds, isSampleText, readable, samples } from '#features/messaging/notifications/rules.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { openMailbox, type Letter, type Mailbox } from '../support/mail.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';

let mailbox: Mailbox;
let console: TestConsole;
let admin: string;
type Member = { token: string; userId: string; organizationId: string };
let one: Member;
const actor = { kind: 'system', name: 'test' } as const;
// Noon in Taipei.
const noon = new Date('2024-10-05T04:00:00Z');

beforeAll(async () => {
  mailbox = await openMailbox();
  console = await createTestConsole(noon, {
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Skytally <no-reply@cloud.example>',
  });
  admin = await setUp(console);
  one = await registerUser(console, 'one@notes.example', 'Notes');
});
afterAll(() => mailbox.close());

const db = () => console.app.database.kysely;
const issued = (subject: string, more: Partial<Notice> = {}): Notice =>
  ({
    kind: 'bill.issued',
    type: 'payment',
    category: 'billing',
    subject,
    period: '2024-09',
    textKey: 'payments.notice_bill_issued',
    params: { number: subject, month: '2024-09', amount: '5273', currency: 'TWD' },
    link: '/billing/management?month=2024-09',
    ...more,
  }) as Notice;
const postNotices = (member: Member, ...notices: Notice[]) =>
  unitOfWork(console.app, { actor }, (ctx) =>
    postToOrganizations(
      ctx,
      notices.map((notice) => ({ organizationId: member.organizationId as never, notice })),
    ),
  );
const list = async (
  member: Member,
  input: In<typeof notifications.listNotifications> = {},
  language: 'enUS' | 'zhTW' = 'enUS',
) => console.ok(notifications.listNotifications, input, { token: member.token, language });
const newest = async (member: Member) => (await list(member)).items[0]!;
const preference = async (
  member: Member,
  more: Partial<In<typeof notifications.savePreferences>>,
): Promise<Preferences> => {
  const {
    channels,
    timeZone: _zone,
    ...preferences
  } = await console.ok(notifications.preferences, {}, { token: member.token });
  return console.ok(
    notifications.savePreferences,
    { ...preferences, isEmailOn: channels.email.isOn, isSmsOn: channels.sms.isOn, ...more },
    { token: member.token },
  );
};
const lettersTo = (account: string): Letter[] => mailbox.letters.filter((letter) => letter.to === account);
const letterAbout = (account: string, about: string) =>
  expect.poll(() => lettersTo(account).filter((letter) => letter.text.includes(about)));
const moveTo = (moment: string) => console.clock.set(new Date(moment));

describe('an e-mail (R-NOTE-02)', () => {
  it('has the notification’s text in the reader’s language and the common layout, and its status is shown', async () => {
    await console.ok(identity.updateProfile, { language: 'enUS' }, { token: one.token });
    await postNotices(one, issued('B-<b>1</b>'));
    await letterAbout('one@notes.example', 'B-<b>1</b>').toHaveLength(1);
    const letter = lettersTo('one@notes.example').find((each) => each.text.includes('B-<b>1</b>'))!;
    expect(letter.text).toMatch(
      /NT\$5,273[\s\S]+See it in the console\nhttp.+\/billing\/management\?month=2024-09[\s\S]+Change what you get: http/,
    );
    expect(letter.head).toMatch(/^List-Unsubscribe:\s+<http[^>]+\/user\/notifications\?tab=preferences>/m);
    expect(letter.head).toMatch(/^Auto-Submitted: auto-generated/m);
    // Names are escaped, and nothing is loaded from other servers.
    expect(letter.html).toContain('B-&lt;b&gt;1&lt;/b&gt;');
    expect(letter.html).not.toMatch(/<img|<script|src=|@import|url\(/i);
    expect(letter.html).toContain('prefers-color-scheme:dark');
    const { deliveries } = await newest(one);
    await expect.poll(async () => (await newest(one)).deliveries.map((each) => each.state)).toEqual(['sent']);
    expect(deliveries[0]).toMatchObject({ channel: 'email', isDigest: false });
  });

  it('is sent once, however often the notification is repeated, and not at all when the transaction is rolled back', async () => {
    const twice = issued('B-TWICE');
    await postNotices(one, twice);
    await postNotices(one, twice);
    await expect(
      unitOfWork(console.app, { actor }, async (ctx) => {
        await postToOrganizations(ctx, [
          { organizationId: one.organizationId as never, notice: issued('B-NEVER') },
        ]);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    await postNotices(one, issued('B-AFTER'));
    await letterAbout('one@notes.example', 'B-AFTER').toHaveLength(1);
    expect(lettersTo('one@notes.example').filter((letter) => letter.text.includes('B-TWICE'))).toHaveLength(
      1,
    );
    expect(lettersTo('one@notes.example').filter((letter) => letter.text.includes('B-NEVER'))).toEqual([]);
  });

  it('needs as many statements for a thousand readers as for one', async () => {
    await sql`insert into app_user (id, account, name, role, organization_id, language, created_at) select 'usr_' || lpad(n::text, 26, '0'), 'many' || n || '@notes.example', 'Many', 'ReadOnly', ${one.organizationId}, 'zhTW', now() from generate_series(1, 1000) n`.execute(
      db(),
    );
    const executed: string[] = [];
    const kysely = db();
    const spy = kysely.withPlugin({
      transformQuery: ({ node }) => {
        executed.push(node.kind);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const app = { ...console.app, database: { ...console.app.database, kysely: spy } };
    const once = (subject: string, organizationId: string) =>
      unitOfWork(app, { actor }, (ctx) =>
        postToOrganizations(ctx, [{ organizationId: organizationId as never, notice: issued(subject) }]),
      );
    const lone = await registerUser(console, 'lone@notes.example', 'Lone');
    await once('B-LONE', lone.organizationId);
    const forOne = executed.splice(0).length;
    await once('B-MANY', one.organizationId);
    expect([forOne > 3, executed.length]).toEqual([true, forOne]);
    const { rows } = await sql<{
      mails: number;
    }>`select count(*)::int as mails from outbox o join notification n on o.key = n.id || ' email' where n.subject = 'B-MANY'`.execute(
      db(),
    );
    expect(rows[0]?.mails).toBe(1001);
    await sql`delete from outbox where sent_at is null`.execute(db());
    await sql`delete from app_user where account like 'many%'`.execute(db());
  });

  it('of a changed password is sent although e-mails are switched off; others are not (the same setting as in the profile)', async () => {
    await console.ok(identity.updateProfile, { emailNotifications: false }, { token: one.token });
    expect((await console.ok(notifications.preferences, {}, { token: one.token })).channels.email).toEqual({
      isOn: false,
      to: 'one@notes.example',
      problem: null,
    });
    await postNotices(one, issued('B-OFF'));
    await postNotices(one, {
      kind: 'security.password_changed',
      type: 'security',
      category: 'security',
      subject: 'x',
      period: '1',
      textKey: 'notifications.security_password_changed',
      params: {},
      link: null,
    });
    await letterAbout('one@notes.example', 'password has been changed').toHaveLength(1);
    const letter = lettersTo('one@notes.example').findLast((each) =>
      each.text.includes('password has been changed'),
    )!;
    expect(letter.subject).toBe('Your password has been changed and other devices are signed out');
    expect(letter.text).toContain('If this wasn’t you, reset your password now');
    expect(letter.head).not.toMatch(/^List-Unsubscribe/m);
    expect(lettersTo('one@notes.example').some((each) => each.text.includes('B-OFF'))).toBe(false);
    await preference(one, { isEmailOn: true });
    expect((await console.ok(identity.profile, {}, { token: one.token })).emailNotifications).toBe(true);
  });
});

describe('quiet hours and the digest (R-NOTE-02)', () => {
  it('delay e-mails until their end, in the organization’s time zone; a notification read before is not sent', async () => {
    const two = await registerUser(console, 'two@notes.example', 'Two');
    await preference(two, { quietHours: { from: '22:00', to: '07:00' } });
    moveTo('2024-10-05T15:30:00Z');
    two.token = await signIn(console, 'two@notes.example');
    await postNotices(two, issued('B-QUIET'), issued('B-READ'));
    const waiting = (await list(two)).items.filter((each) => each.message.includes('B-'));
    expect(waiting.map((each) => each.deliveries)).toEqual(
      Array(2).fill([
        {
          channel: 'email',
          state: 'waiting',
          at: new Date('2024-10-05T23:00:00Z'),
          attempts: 0,
          reason: null,
          isDigest: false,
        },
      ]),
    );
    const read = waiting.find((each) => each.message.includes('B-READ'))!;
    expect(
      (
        await console.ok(
          notifications.markNotification,
          { notificationId: read.id, read: true },
          { token: two.token },
        )
      ).deliveries,
    ).toMatchObject([{ state: 'withdrawn' }]);
    // Half a minute before its time is too late to undo it.
    moveTo('2024-10-05T22:59:31Z');
    const token = await signIn(console, 'two@notes.example');
    const late = waiting.find((each) => each.message.includes('B-QUIET'))!;
    expect(
      (await console.ok(notifications.markNotification, { notificationId: late.id, read: true }, { token }))
        .deliveries,
    ).toMatchObject([{ state: 'waiting' }]);
    moveTo('2024-10-05T23:00:00Z');
    console.app.wakeOutbox();
    await letterAbout('two@notes.example', 'B-QUIET').toHaveLength(1);
    expect(lettersTo('two@notes.example').some((letter) => letter.text.includes('B-READ'))).toBe(false);
  });

  it('collect a day’s e-mails of some categories into one; others are sent immediately, and read ones are left out', async () => {
    moveTo('2024-10-06T04:00:00Z');
    const three = await registerUser(console, 'three@notes.example', 'Three');
    await preference(three, { digest: { hour: 9, categories: ['billing'] } });
    await postNotices(three, issued('B-D1'), issued('B-D2'), issued('B-D3'));
    await postNotices(three, {
      kind: 'quota.Warning',
      type: 'warning',
      category: 'usage',
      subject: 'sub',
      period: '2024-10',
      textKey: 'quotas.notice_warning',
      params: { service: 'Storage', percent: 85, used: '85', limit: '100', unit: 'GB' },
      link: null,
    });
    await letterAbout('three@notes.example', '85%').toHaveLength(1);
    const listed = (await list(three)).items.find((each) => each.message.includes('B-D2'))!;
    expect(listed.deliveries).toEqual([
      {
        channel: 'email',
        state: 'waiting',
        at: new Date('2024-10-07T01:00:00Z'),
        attempts: 0,
        reason: null,
        isDigest: true,
      },
    ]);
    await console.ok(
      notifications.markNotification,
      { notificationId: listed.id, read: true },
      { token: three.token },
    );
    moveTo('2024-10-07T00:55:00Z');
    await sendDigests(console.app);
    expect(lettersTo('three@notes.example').some((letter) => letter.text.includes('B-D'))).toBe(false);
    moveTo('2024-10-07T01:00:00Z');
    await Promise.all([sendDigests(console.app), sendDigests(console.app)]);
    await sendDigests(console.app);
    await letterAbout('three@notes.example', 'B-D1').toHaveLength(1);
    const [digest] = lettersTo('three@notes.example').filter((letter) => letter.text.includes('B-D1'));
    expect(digest?.subject).toBe('Daily digest: 2 notifications');
    expect(digest?.text).toContain('B-D3');
    expect(digest?.text).not.toContain('B-D2');
    three.token = await signIn(console, 'three@notes.example');
    await expect
      .poll(async () =>
        (await list(three)).items
          .filter((each) => each.message.includes('B-D'))
          .map((each) => each.deliveries[0]?.state),
      )
      .toEqual(['sent', 'withdrawn', 'sent']);
  });

  it('with equal begin and end are rejected at the field', async () => {
    const token = await signIn(console, 'one@notes.example');
    one.token = token;
    const {
      channels: _channels,
      timeZone: _zone,
      ...preferences
    } = await console.ok(notifications.preferences, {}, { token });
    const refused = await console.call(
      notifications.savePreferences,
      { ...preferences, isEmailOn: true, isSmsOn: false, quietHours: { from: '08:00', to: '08:00' } },
      { token },
    );
    expect([refused.status, refused.envelope.code, refused.envelope.errors?.[0]?.field]).toEqual([
      422,
      'notifications.quiet_empty',
      'quietHours',
    ]);
  });
});

describe('notification history (R-NOTE-02)', () => {
  let four: Member;
  beforeAll(async () => {
    moveTo('2024-10-08T04:00:00Z');
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    four = await registerUser(console, 'four@notes.example', 'Four');
    await postNotices(four, issued('B-202409-000001'), issued('B-202409-000002'));
    console.clock.advance(1000);
    await postNotices(four, {
      kind: 'quota.Warning',
      type: 'warning',
      category: 'usage',
      subject: 'sub',
      period: '2024-10',
      textKey: 'quotas.notice_warning',
      params: { service: '物件儲存', percent: 85, used: '8500', limit: '10000', unit: 'GB' },
      link: null,
    });
  });

  it.each([
    ['5,273', 2],
    ['000002', 1],
    ['物件儲存', 1],
    ['used', 1],
    ['帳單', 2],
    ['Ｂ－２０２４０９', 2],
    ['8,500', 1],
    ['100%', 0],
    ['_', 0],
  ])('is searched in both languages as displayed: %s', async (q, count) => {
    const found = await list(four, { q });
    expect([found.items.length, found.total]).toEqual([count, count]);
  });

  it('keeps a deleted notification for a day, in which its owner can restore it', async () => {
    const { id } = (await list(four, { q: '000002' })).items[0]!;
    await console.ok(notifications.deleteNotification, { notificationId: id }, { token: four.token });
    expect((await list(four)).total).toBe(2);
    expect(
      (await console.ok(notifications.listDeleted, {}, { token: four.token })).items.map((each) => each.id),
    ).toEqual([id]);
    expect(
      (await console.call(notifications.restoreNotification, { notificationId: id }, { token: admin }))
        .status,
    ).toBe(404);
    expect(
      (await console.ok(notifications.restoreNotification, { notificationId: id }, { token: four.token })).id,
    ).toBe(id);
    expect(
      (await console.call(notifications.restoreNotification, { notificationId: id }, { token: four.token }))
        .status,
    ).toBe(404);
    expect([(await list(four)).total, (await list(four)).unread]).toEqual([3, 3]);
  });

  it('can be marked read or deleted by filter, and one undo restores exactly these', async () => {
    expect(await console.ok(notifications.readAll, { category: 'usage' }, { token: four.token })).toEqual({
      changed: 1,
    });
    expect((await list(four)).unread).toBe(2);
    const { deleted, deletionId } = await console.ok(
      notifications.deleteAll,
      { q: '帳單' },
      { token: four.token },
    );
    expect([deleted, (await list(four)).total, (await list(four)).unread]).toEqual([2, 1, 0]);
    expect((await console.ok(notifications.restoreDeletion, { deletionId }, { token: admin })).restored).toBe(
      0,
    );
    expect(await console.ok(notifications.restoreDeletion, { deletionId }, { token: four.token })).toEqual({
      restored: 2,
    });
    expect([
      (await list(four)).total,
      (await list(four)).unread,
      (await list(four, { unread: true })).total,
    ]).toEqual([3, 2, 2]);
  });

  it('is not duplicated by restoring a notification that was sent again after its deletion', async () => {
    const { id } = (await list(four, { q: '000001' })).items[0]!;
    await console.ok(notifications.deleteNotification, { notificationId: id }, { token: four.token });
    await postNotices(four, issued('B-202409-000001'));
    expect(
      (await console.call(notifications.restoreNotification, { notificationId: id }, { token: four.token }))
        .status,
    ).toBe(404);
    expect((await list(four, { q: '000001' })).total).toBe(1);
  });
});

describe('a test notification (R-NOTE-02)', () => {
  it('is sent like every other e-mail, previewed as sent, and shows when it arrived', async () => {
    const five = await registerUser(console, 'five@notes.example', 'Five');
    const sent = await console.ok(notifications.sendTest, { channel: 'email' }, { token: five.token });
    const result = () => console.ok(notifications.getTest, { testId: sent.testId }, { token: five.token });
    await expect.poll(async () => (await result()).state).toBe('sent');
    const letter = lettersTo('five@notes.example').findLast((each) =>
      each.text.includes('test notification'),
    );
    expect(letter?.html).toBe(sent.letter?.html);
    expect([sent.to, letter?.subject]).toEqual(['five@notes.example', sent.letter?.subject]);
    expect(
      (await console.call(notifications.getTest, { testId: sent.testId }, { token: admin })).status,
    ).toBe(404);
    const shown = await console.ok(notifications.sendTest, { channel: 'inApp' }, { token: five.token });
    expect(
      (await console.ok(notifications.getTest, { testId: shown.testId }, { token: five.token })).state,
    ).toBe('sent');
    expect((await newest(five)).message).toContain('test notification');
  });

  it('is rejected with the exact reason when a channel cannot be used', async () => {
    const six = await registerUser(console, 'six@notes.example', 'Six');
    await sql`update account_email set verified_at = null where user_id = ${six.userId}`.execute(db());
    const refused = await console.call(notifications.sendTest, { channel: 'email' }, { token: six.token });
    expect([refused.status, refused.envelope.code, refused.envelope.message]).toEqual([
      422,
      'notifications.unverified',
      expect.stringContaining('Open the link in the e-mail'),
    ]);
    for (const channel of ['sms', 'push'] as const)
      expect(
        (await console.call(notifications.sendTest, { channel }, { token: six.token })).status,
        channel,
      ).toBe(422);
  });
});

describe('notification templates', () => {
  it('have a sample with all placeholders filled, for every kind in both languages', async () => {
    const { items } = await console.ok(notifications.listTemplates, {}, { token: admin });
    expect(items.map((each) => each.kind)).toEqual(allKinds);
    for (const kind of allKinds) {
      for (const language of ['zhTW', 'enUS'] as const) {
        const { textKey } = samples[kind];
        expect(console.app.translate(language, textKey), `${kind} ${language}`).not.toBe(textKey);
        const letter = await console.ok(notifications.previewTemplate, { kind, language }, { token: admin });
        expect(`${letter.subject} ${letter.text}`, kind).not.toMatch(/\{\{|notifications\.|undefined/);
      }
    }
  });

  it('are whole sentences in every language, with days, amounts and names as people write them', () => {
    expect(allLanguages()).toContain('jaJP');
    for (const language of allLanguages()) {
      for (const kind of allKinds) {
        const { textKey } = samples[kind];
        const params = Object.fromEntries(
          Object.entries(samples[kind].params).map(([name, value]) => [
            name,
            isSampleText(value) ? console.app.translate(language, value) : value,
          ]),
        );
        const sentence = console.app.translate(language, textKey, readable(params, language));
        const withoutNumbers = sentence.replaceAll(/\b(?:B|C|CB|Q)-\d{6}-\d+\b/g, '');
        expect(withoutNumbers, kind).not.toMatch(/\d{4}-\d{2}|\b[A-Z]{3} (?:[A-Z]{2})?\$/);
        // What somebody wrote stands at the end as it was written.
        const written = params['reason'] ?? params['answer'];
        if (!sentence.endsWith(String(written))) expect(sentence.trimEnd(), kind).toMatch(/[.。）)]$/);
      }
    }
  });

  it('have one of the four categories for every kind', async () => {
    const { items } = await console.ok(notifications.listTemplates, {}, { token: admin });
    expect(new Set(items.map((each) => each.category))).toEqual(new Set(notificationCategories));
  });
});
