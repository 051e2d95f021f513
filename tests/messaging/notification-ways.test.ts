// One notification through every channel: what the outbox gets for e-mail, SMS and push, and the status of
// each (R-NOTE-02).
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identity } from '#features/access/identity/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { postToOrganizations, type Notice } from '#features/messaging/notifications/server/index.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { openMailbox, type Mailbox } from '../support/mail.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';

let mailbox: Mailbox;
let console: TestConsole;
let member: { token: string; userId: string; organizationId: string };
const actor = { kind: 'system', name: 'test' } as const;

beforeAll(async () => {
  mailbox = await openMailbox();
  // The gateway cannot be reached, so that its messages stay in the outbox.
  console = await createTestConsole(new Date('2024-10-05T04:00:00Z'), {
    SMTP_URL: mailbox.url,
    SMS_GATEWAY_URL: 'http://127.0.0.1:1/sms',
  });
  await setUp(console);
  member = await registerUser(console, 'ways@notes.example', 'Ways');
});
afterAll(() => mailbox.close());

const db = () => console.app.database.kysely;
const postNotice = (kind: 'bill.overdue' | 'bill.paid', subject: string) =>
  unitOfWork(console.app, { actor }, (ctx) =>
    postToOrganizations(ctx, [
      {
        organizationId: member.organizationId as never,
        notice: {
          kind,
          type: 'payment',
          category: 'billing',
          subject,
          period: '',
          textKey: 'payments.notice_bill_paid',
          params: { number: subject, amount: '1', currency: 'TWD' },
          link: null,
        } satisfies Notice,
      },
    ]),
  );
const left = async (subject: string): Promise<string[]> =>
  (
    await sql<{
      line: string;
    }>`select o.kind || replace(o.key, n.id, '') as line from outbox o join notification n on split_part(o.key, ' ', 1) = n.id where n.subject = ${subject} order by 1`.execute(
      db(),
    )
  ).rows.map((row) => row.line);
const preferences = () => console.ok(notifications.preferences, {}, { token: member.token });

describe('the channels of a notification', () => {
  it('report what they lack: a number, a browser', async () => {
    expect((await preferences()).channels).toEqual({
      email: { isOn: true, to: 'ways@notes.example', problem: null },
      sms: { isOn: false, to: null, problem: 'no_phone' },
      push: { isOn: true, to: null, problem: 'no_device' },
    });
    await console.ok(identity.updateProfile, { phone: '12' }, { token: member.token });
    expect((await preferences()).channels.sms).toEqual({ isOn: false, to: '12', problem: 'phone_wrong' });
    expect(
      (await console.call(notifications.sendTest, { channel: 'sms' }, { token: member.token })).envelope.code,
    ).toBe('notifications.phone_wrong');
  });

  it('are used together, SMS only for urgent ones, push for each browser, each with its status', async () => {
    await console.ok(
      identity.updateProfile,
      { phone: '0912 345 678', smsNotifications: true },
      { token: member.token },
    );
    for (const n of [1, 2])
      await sql`insert into push_subscription (id, user_id, endpoint, p256dh, auth, device, created_at) values (${`psu_0000000000000000000000000${n}`}, ${member.userId}, ${`https://127.0.0.1:1/${n}`}, 'x', 'x', 'Test', now())`.execute(
        db(),
      );
    expect((await preferences()).channels.push).toEqual({ isOn: true, to: '2', problem: null });
    await postNotice('bill.overdue', 'B-URGENT');
    await postNotice('bill.paid', 'B-PAID');
    expect(await left('B-URGENT')).toEqual([
      'mail email',
      'push push psu_00000000000000000000000001',
      'push push psu_00000000000000000000000002',
      'sms sms',
    ]);
    expect(await left('B-PAID')).toEqual([
      'mail email',
      'push push psu_00000000000000000000000001',
      'push push psu_00000000000000000000000002',
    ]);
    const states = async () =>
      (
        await console.ok(notifications.listNotifications, { q: 'b-urgent' }, { token: member.token })
      ).items[0]?.deliveries
        .map(({ channel, state }) => `${channel} ${state}`)
        .toSorted();
    await expect
      .poll(
        async () =>
          (await states())?.includes('email sent') &&
          !(await states())?.some((each) => each.endsWith('waiting')),
      )
      .toBe(true);
    // The gateway is retried; push is one entry, however many browsers the user has.
    expect((await states())?.map((each) => each.split(' ')[0])).toEqual(['email', 'push', 'sms']);
    const { deliveries } = (
      await console.ok(notifications.listNotifications, { q: 'b-urgent' }, { token: member.token })
    ).items[0]!;
    expect(deliveries.find((each) => each.channel === 'sms')).toMatchObject({
      state: 'retrying',
      reason: expect.stringMatching(/.+/),
    });
  });
});
