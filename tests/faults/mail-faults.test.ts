// F15: a mail server that is down, slow, rejects temporarily or permanently, or disconnects after accepting:
// each message arrives at least once with the same id, none of a rolled-back transaction is sent, and no
// request waits for mail.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notifications, type Delivery } from '#features/messaging/notifications/contract.ts';
import { listNotifications, postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { createTestConsole, registerUser, setUp, signIn, type TestConsole } from '../support/console.ts';
import { roundsOr } from '../support/fault-rounds.ts';
import { FaultySmtp, type SmtpMode } from '../support/smtp.ts';

const rounds = roundsOr(2);
let smtp: FaultySmtp;
let console: TestConsole;
let member: { token: string; userId: string; organizationId: string };
const actor = { kind: 'system', name: 'test' } as const;
beforeAll(async () => {
  smtp = await new FaultySmtp().start();
  console = await createTestConsole(new Date('2024-10-05T03:00:00Z'), {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'no-reply@cloud.example',
  });
  await setUp(console);
  member = await registerUser(console, 'owner@faults.example', 'Faults');
});
afterAll(() => smtp.stop());

const db = () => console.app.database.kysely;
const postNotice = (subject: string, after?: () => void) =>
  unitOfWork(console.app, { actor }, async (ctx) => {
    await postToOrganizations(ctx, [
      {
        organizationId: member.organizationId as never,
        notice: {
          kind: 'bill.issued',
          type: 'payment',
          category: 'billing',
          subject,
          period: '',
          textKey: 'payments.notice_bill_issued',
          params: { number: subject, month: '2024-09', amount: '1', currency: 'TWD' },
          link: null,
        },
      },
    ]);
    after?.();
  });
const lettersAbout = (subject: string) => smtp.letters.filter((letter) => letter.text.includes(subject));
// Checked without a session: these rounds span hours, and a session’s token lasts minutes.
const reader = () =>
  ({
    kind: 'user',
    userId: member.userId,
    sessionId: 'ses_0',
    role: 'User',
    organizationId: member.organizationId,
    name: '',
    provedAt: console.clock.now(),
    mustEnrol: false,
  }) as never;
const delivery = async (subject: string): Promise<Delivery | undefined> =>
  (
    await unitOfWork(console.app, { actor: reader(), mode: 'read' }, (ctx) =>
      listNotifications(ctx, { q: subject }),
    )
  ).items[0]?.deliveries[0];
/** Advances the clock until all retries have run. */
async function until(isThere: () => Promise<boolean>): Promise<void> {
  await expect
    .poll(
      async () => {
        console.clock.advance(5000);
        console.app.wakeOutbox();
        return isThere();
      },
      { timeout: 20_000, interval: 60 },
    )
    .toBe(true);
}

const bad: readonly Exclude<SmtpMode, 'good' | 'never'>[] = ['down', 'slow', 'later', 'drops'];

describe.each(Array.from({ length: rounds }, (_, round) => round + 1))('F15 round %i', (round) => {
  it.each(bad)('a mail server with this fault: %s', async (mode) => {
    const subject = `B-${mode}-${round}-`;
    smtp.mode = mode;
    await Promise.all([1, 2, 3].map((n) => postNotice(`${subject}${n}`)));
    await expect(
      postNotice(`${subject}undone`, () => {
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    // Each message has met the fault or is being sent.
    if (mode === 'down' || mode === 'later')
      await until(async () => (await delivery(`${subject}1`))?.state === 'retrying');
    if (mode === 'later')
      expect(await delivery(`${subject}1`)).toMatchObject({
        state: 'retrying',
        reason: expect.stringContaining('451 4.3.0 come back later'),
      });
    if (mode === 'drops') await until(async () => lettersAbout(`${subject}1`).length > 0);
    // Nothing waits for mail: a request is answered while no message can be sent.
    const token = await signIn(console, 'owner@faults.example');
    expect((await console.call(notifications.readAll, { q: 'nothing' }, { token })).status).toBe(200);
    if (mode !== 'slow') smtp.mode = 'good';
    await until(
      async () =>
        [1, 2, 3].every((n) => lettersAbout(`${subject}${n}`).length > 0) &&
        (await delivery(`${subject}3`))?.state === 'sent' &&
        (await delivery(`${subject}1`))?.state === 'sent',
    );
    for (const n of [1, 2, 3])
      expect(
        new Set(lettersAbout(`${subject}${n}`).map((letter) => letter.messageId)).size,
        `${subject}${n}`,
      ).toBe(1);
    // Three messages are three, however often each arrived.
    expect(
      new Set(
        smtp.letters.filter((letter) => letter.text.includes(subject)).map((letter) => letter.messageId),
      ).size,
    ).toBe(3);
    expect(lettersAbout(`${subject}undone`)).toEqual([]);
    smtp.mode = 'good';
  });

  it('a permanent rejection is not retried, and its text is stored with the notification', async () => {
    const subject = `B-never-${round}`;
    smtp.mode = 'never';
    await postNotice(subject);
    await until(async () => (await delivery(subject))?.state === 'failed');
    expect(await delivery(subject)).toMatchObject({
      state: 'failed',
      attempts: 1,
      reason: '550 5.1.1 no such mailbox here',
    });
    smtp.mode = 'good';
    const { rows } = await sql<{
      waiting: number;
    }>`select count(*)::int as waiting from outbox where kind = 'mail' and sent_at is null and parked_at is null`.execute(
      db(),
    );
    expect(rows[0]?.waiting).toBe(0);
    expect(lettersAbout(subject)).toEqual([]);
  });
});
