// Messages about notices that wait: for the end of quiet hours, for the daily e-mail, or for a receiver that did not
// answer. Who may not read a notice any more by the time it is sent does not get it.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import type { Permission } from '#kernel/permissions.ts';
import { id as shapeId } from '#kernel/shape.ts';
import { WithdrawDelivery } from '#platform/server/live/outbox.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { customRoles } from '#features/access/custom-roles/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { users } from '#features/access/users/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { samples } from '#features/messaging/notifications/rules-samples.ts';
import {
  postToAdmins,
  postToOrganizations,
  senderForReaders,
  sendDigests,
  type Notice,
} from '#features/messaging/notifications/server/index.ts';
import { push } from '#features/messaging/push/contract.ts';
import { openMailbox, type Mailbox } from '../support/mail.ts';
import { FakePushService } from '../support/push.ts';
import { FakeSmsGateway } from '../support/sms.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';

let mailbox: Mailbox;
let gateway: FakeSmsGateway;
let service: FakePushService;
let console: TestConsole;
let admin: string;
let owner: Awaited<ReturnType<typeof registerUser>>;
let other: Awaited<ReturnType<typeof registerUser>>;
const actor = { kind: 'system', name: 'test' } as const;
const organizationOf = (someone: { organizationId: string }) =>
  z.parse(shapeId('org'), someone.organizationId);

beforeAll(async () => {
  mailbox = await openMailbox();
  gateway = await new FakeSmsGateway().start();
  service = await new FakePushService().start();
  // 23:00 in Taipei.
  console = await createTestConsole(new Date('2026-10-05T15:00:00Z'), {
    SMTP_URL: mailbox.url,
    SMS_GATEWAY_URL: `${gateway.address}/send`,
    PRIVATE_HOSTS: '127.0.0.1',
  });
  admin = await setUp(console);
  owner = await registerUser(console, 'owner@one.example', 'One');
  other = await registerUser(console, 'owner@two.example', 'Two');
});
afterAll(async () => {
  await Promise.all([mailbox.close(), gateway.stop(), service.stop()]);
});

const signInAdmin = () => signIn(console, adminAccount.account, adminAccount.password);

type Someone = Awaited<ReturnType<typeof person>>;
let counter = 0;
/** Somebody whom every channel reaches, with quiet hours from 22:00 to 07:00. */
async function person(
  name: string,
  role: 'Admin' | 'User',
  held?: readonly Permission[],
  digest: { hour: number; categories: ['usage'] } | null = null,
) {
  counter += 1;
  const customRole =
    held &&
    (await console.ok(
      customRoles.createRole,
      { name: `role of ${name}`, description: '', baseRole: role, permissions: [...held] },
      { token: admin },
    ));
  const account = `${name}@one.example`;
  const { user } = await console.ok(
    identity.createUser,
    {
      account,
      name,
      role,
      password: userPassword,
      ...(customRole && { customRoleId: customRole.id }),
      ...(role === 'User' && { organizationId: organizationOf(owner) }),
    },
    { token: admin },
  );
  const token = await signIn(console, account);
  const phone = `09123456${String(counter).padStart(2, '0')}`;
  await console.ok(identity.updateProfile, { phone, smsNotifications: true }, { token });
  await console.ok(push.addPushSubscription, service.subscribe(name), {
    token,
    headers: { 'user-agent': `Browser of ${name}` },
  });
  const { matrix } = await console.ok(notifications.preferences, {}, { token });
  await console.ok(
    notifications.savePreferences,
    { matrix, quietHours: { from: '22:00', to: '07:00' }, isEmailOn: true, isSmsOn: true, digest },
    { token },
  );
  return { userId: user.id, account, phone, customRole, name, token };
}
/** By which the messages about the quota are recognized. */
const figure = '7743';
const quota = (subject: string): Notice => ({
  ...samples['quota.Critical'],
  params: { service: 'Storage', percent: figure, used: '960', limit: '1000', unit: 'GB' },
  kind: 'quota.Critical',
  type: 'warning',
  category: 'usage',
  subject,
  period: subject,
});
const postQuota = (subject: string) =>
  unitOfWork(console.app, { actor }, (ctx) =>
    postToOrganizations(ctx, [{ organizationId: organizationOf(owner), notice: quota(subject) }]),
  );
const narrow = ({ customRole }: Someone, permissions: Permission[]) =>
  console.ok(
    customRoles.updateRole,
    {
      roleId: required(customRole, 'a custom role').id,
      name: required(customRole, 'a custom role').name,
      description: '',
      permissions,
    },
    { token: admin },
  );
const update = (who: Someone, change: object) =>
  console.ok(identity.updateUser, { userId: who.userId, ...change }, { token: admin });
/** How many messages wait for somebody's notices, on all channels. */
const waitingFor = async (who: Someone): Promise<number> =>
  (
    await sql<{ total: number }>`
      select count(*)::int as total from outbox o join notification n on split_part(o.key, ' ', 1) = n.id where n.user_id = ${who.userId} and o.sent_at is null`.execute(
      console.app.database.kysely,
    )
  ).rows[0]?.total ?? -1;
/** What reached somebody since the mailbox, the gateway and the push service were emptied, apart from news of sign-ins. */
const reached = (who: Someone) => ({
  mail: mailbox.letters.filter(({ to, text }) => to === who.account && text.includes(figure)).length,
  sms: gateway.calls.filter(({ body }) => body.includes(who.phone.slice(1))).length,
  push: service.pushed.filter(({ message }) => message.body.includes(figure)).length,
});

describe('T-ROLES R-NOTE-02: what waits for the end of quiet hours', () => {
  it('is not sent to those who may not read it any more: narrowed, read-only, moved, disabled, deleted', async () => {
    const stays = await person('stays', 'User', ['usage:read', 'reports:read']);
    const gone = {
      narrowed: await person('narrowed', 'User', ['usage:read', 'reports:read']),
      readOnly: await person('readonly', 'User'),
      moved: await person('moved', 'User'),
      disabled: await person('disabled', 'User'),
      deleted: await person('deleted', 'User'),
    };
    gateway.calls.length = 0;
    service.pushed.length = 0;
    await postQuota('night');
    for (const who of [stays, ...Object.values(gone)]) expect(await waitingFor(who)).toBe(3);
    await narrow(gone.narrowed, ['billing:read']);
    await update(gone.readOnly, { role: 'ReadOnly' });
    await update(gone.moved, { organizationId: organizationOf(other) });
    await update(gone.disabled, { status: 'inactive' });
    await console.ok(users.deleteUser, { userId: gone.deleted.userId }, { token: admin });
    console.clock.set(new Date('2026-10-05T23:00:00Z'));
    console.app.wakeOutbox();
    for (const who of [stays, ...Object.values(gone)]) await expect.poll(() => waitingFor(who)).toBe(0);
    expect(reached(stays)).toEqual({ mail: 1, sms: 1, push: 1 });
    for (const [what, who] of Object.entries(gone))
      expect([what, reached(who).mail, reached(who).sms]).toEqual([what, 0, 0]);
    // The one push is that of the reader who stayed.
    expect(service.pushed).toHaveLength(1);
  });

  it('a warning about the own account follows somebody who moved', async () => {
    console.clock.set(new Date('2026-10-06T15:00:00Z'));
    admin = await signInAdmin();
    const moved = await person('warned', 'User');
    gateway.calls.length = 0;
    await unitOfWork(console.app, { actor }, (ctx) =>
      postToOrganizations(ctx, [
        {
          organizationId: organizationOf(owner),
          notice: {
            ...samples['security.new_device'],
            kind: 'security.new_device',
            type: 'security',
            category: 'security',
            subject: 'device',
            period: 'night',
          },
        },
      ]),
    );
    expect(await waitingFor(moved)).toBeGreaterThan(0);
    await update(moved, { organizationId: organizationOf(other) });
    console.clock.set(new Date('2026-10-06T23:00:00Z'));
    console.app.wakeOutbox();
    await expect.poll(() => waitingFor(moved)).toBe(0);
    expect(reached(moved).sms).toBe(1);
  });

  it('a notice to the Admins is not sent to one who became a customer’s User', async () => {
    console.clock.set(new Date('2026-10-07T15:00:00Z'));
    admin = await signInAdmin();
    const former = await person('former', 'Admin');
    await unitOfWork(console.app, { actor }, (ctx) =>
      postToAdmins(ctx, {
        ...samples['payment.mismatch'],
        kind: 'payment.mismatch',
        type: 'payment',
        category: 'billing',
        subject: 'mismatch',
        period: '',
      }),
    );
    expect(await waitingFor(former)).toBe(2);
    await update(former, { role: 'User', organizationId: organizationOf(owner) });
    const before = mailbox.letters.filter(({ to }) => to === former.account).length;
    console.clock.set(new Date('2026-10-07T23:00:00Z'));
    console.app.wakeOutbox();
    await expect.poll(() => waitingFor(former)).toBe(0);
    expect(mailbox.letters.filter(({ to }) => to === former.account)).toHaveLength(before);
  });
});

describe('T-ROLES R-NOTE-02: what waits for another reason', () => {
  it('a message whose receiver did not answer is not tried again for somebody whose role was narrowed', async () => {
    console.clock.set(new Date('2026-10-08T04:00:00Z'));
    admin = await signInAdmin();
    const narrowed = await person('busy', 'User', ['usage:read', 'reports:read']);
    gateway.calls.length = 0;
    // Every text message fails once: to the owners of the organization, too.
    gateway.answers.push(...Array.from({ length: 20 }, () => ({ status: 503, body: 'busy' })));
    await postQuota('busy');
    await expect.poll(() => reached(narrowed).sms).toBe(1);
    await narrow(narrowed, ['billing:read']);
    gateway.answers.length = 0;
    await expect
      .poll(async () => {
        console.clock.advance(60_000);
        console.app.wakeOutbox();
        return waitingFor(narrowed);
      })
      .toBe(0);
    expect(reached(narrowed).sms).toBe(1);
  });

  it('the daily e-mail leaves out what its reader may not read any more, and is not tried again after that', async () => {
    console.clock.set(new Date('2026-10-09T04:00:00Z'));
    admin = await signInAdmin();
    const digest = { hour: 18, categories: ['usage'] as ['usage'] };
    const moved = await person('mover', 'User', undefined, digest);
    const stays = await person('stayer', 'User', ['usage:read', 'reports:read'], digest);
    await postQuota('daily');
    await update(moved, { organizationId: organizationOf(other) });
    console.clock.set(new Date('2026-10-09T10:01:00Z'));
    await sendDigests(console.app);
    const keysFor = async (who: Someone) =>
      (
        await sql<{
          key: string;
        }>`select key from outbox where kind = 'mail' and key like ${`digest ${who.userId} %`}`.execute(
          console.app.database.kysely,
        )
      ).rows.map(({ key }) => key);
    expect(await keysFor(moved)).toEqual([]);
    const [key] = await keysFor(stays);
    await expect.poll(() => reached(stays).mail).toBe(1);
    // Its mail server did not take it, say; it is offered to the sender again.
    const sent: (string | null)[] = [];
    const sender = senderForReaders(console.app, {
      atOnce: 1,
      send: async (message) => void sent.push(message.key),
    });
    const again = { id: 1n, kind: 'mail', key: required(key, 'the key'), payload: {}, attempts: 2 };
    await sender.send(again);
    admin = await signInAdmin();
    await narrow(stays, ['billing:read']);
    await expect(sender.send(again)).rejects.toBeInstanceOf(WithdrawDelivery);
    expect(sent).toEqual([key]);
  });
});
