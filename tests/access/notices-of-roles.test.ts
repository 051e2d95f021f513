// Notices and custom roles: nobody is told, by any channel, what they may not read on the page that a notice leads to.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import type { Permission } from '#kernel/permissions.ts';
import type { Role } from '#kernel/roles.ts';
import { id as shapeId } from '#kernel/shape.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { customRoles } from '#features/access/custom-roles/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { samples } from '#features/messaging/notifications/rules-samples.ts';
import { pageOf } from '#features/messaging/notifications/rules.ts';
import {
  postToAdmins,
  postToOrganizations,
  sendDigests,
  type Notice,
} from '#features/messaging/notifications/server/index.ts';
import { pageAreas } from '#app/page-areas.ts';
import { personWithRole } from '../support/custom-roles.ts';
import { openMailbox, type Mailbox } from '../support/mail.ts';
import { billNotice, usageNotice } from '../support/notices.ts';
import { createTestConsole, registerUser, setUp, signIn, type TestConsole } from '../support/console.ts';

let mailbox: Mailbox;
let console: TestConsole;
let admin: string;
let owner: Awaited<ReturnType<typeof registerUser>>;
const actor = { kind: 'system', name: 'test' } as const;
const organization = () => z.parse(shapeId('org'), owner.organizationId);

beforeAll(async () => {
  mailbox = await openMailbox();
  console = await createTestConsole(new Date('2026-10-05T04:00:00Z'), { SMTP_URL: mailbox.url });
  admin = await setUp(console);
  owner = await registerUser(console, 'owner@one.example', 'One');
});
afterAll(() => mailbox.close());

let counter = 0;
const personWith = (baseRole: Role, held: readonly Permission[]) =>
  personWithRole(console, admin, owner.organizationId, {
    account: `person${++counter}@one.example`,
    baseRole,
    held,
  });
const toOrganization = (...notices: Notice[]) =>
  unitOfWork(console.app, { actor }, (ctx) =>
    postToOrganizations(
      ctx,
      notices.map((notice) => ({ organizationId: organization(), notice })),
    ),
  );
const inboxOf = async (token: string) => {
  const { items, unread, total } = await console.ok(notifications.listNotifications, {}, { token });
  return { links: items.map(({ link }) => pageOf(link ?? '')).toSorted(), unread, total };
};
/** What the outbox holds for somebody's notices: channel by channel. */
const sentTo = async (userId: string): Promise<number> =>
  (
    await sql<{ total: number }>`
      select count(*)::int as total from outbox o join notification n on split_part(o.key, ' ', 1) = n.id where n.user_id = ${userId}`.execute(
      console.app.database.kysely,
    )
  ).rows[0]?.total ?? 0;
/** How many notices are stored for somebody: each also makes a live message. */
const storedFor = async (userId: string): Promise<number> =>
  (
    await sql<{
      total: number;
    }>`select count(*)::int as total from notification where user_id = ${userId}`.execute(
      console.app.database.kysely,
    )
  ).rows[0]?.total ?? 0;

describe('T-ROLES: notices to people with a custom role', () => {
  it('every kind leads to a page whose area is known, so that a role can include or exclude it', () => {
    const unknown = Object.entries(samples).filter(([, { link }]) => pageAreas[pageOf(link)] === undefined);
    // An announcement leads wherever its author wants, and reaches everybody for whom it was written.
    expect(unknown.map(([kind]) => kind)).toEqual(['announcement']);
  });

  it('follow the permission of the page that they lead to, in the console and by e-mail', async () => {
    const reader = await personWith('User', ['billing:read']);
    const engineer = await personWith('User', ['usage:read']);
    const clerk = await personWith('ReadOnly', ['usage:read']);
    await toOrganization(billNotice('B-1'), usageNotice('usage 1'));
    expect(await inboxOf(owner.token)).toMatchObject({
      links: ['/billing/management', '/usage/statistics'],
    });
    expect(await inboxOf(reader.token)).toEqual({ links: ['/billing/management'], unread: 1, total: 1 });
    expect(await inboxOf(engineer.token)).toEqual({ links: ['/usage/statistics'], unread: 1, total: 1 });
    expect(await inboxOf(clerk.token)).toEqual({ links: [], unread: 0, total: 0 });
    expect(await sentTo(reader.user.id)).toBe(1);
    expect(await sentTo(engineer.user.id)).toBe(1);
    // Nothing is stored, so nothing can be sent by any other channel, or reach an open page.
    expect(await sentTo(clerk.user.id)).toBe(0);
    expect(await storedFor(clerk.user.id)).toBe(0);
  });

  it('to all Admins reach only those who may read the page', async () => {
    const finance = await personWith('Admin', ['payments:read']);
    const catalogue = await personWith('Admin', ['catalogue:read', 'catalogue:write']);
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
    expect((await inboxOf(admin)).links).toContain('/admin/payments');
    expect(await inboxOf(finance.token)).toMatchObject({ links: ['/admin/payments'] });
    expect(await inboxOf(catalogue.token)).toEqual({ links: [], unread: 0, total: 0 });
  });

  it('that arrived before the role was narrowed can no longer be read, changed or restored, nor are they in the daily e-mail', async () => {
    const { role, account, token } = await personWith('User', ['billing:read', 'usage:read']);
    const { matrix } = await console.ok(notifications.preferences, {}, { token });
    await console.ok(
      notifications.savePreferences,
      {
        matrix,
        quietHours: null,
        isEmailOn: true,
        isSmsOn: false,
        digest: { hour: 9, categories: ['billing', 'usage'] },
      },
      { token },
    );
    await toOrganization(billNotice('B-2'), usageNotice('usage 2'), billNotice('B-3'));
    const before = await console.ok(notifications.listNotifications, { q: 'b-2' }, { token });
    const bill = required(before.items[0], 'the notice of the bill');
    const { items } = await console.ok(notifications.listNotifications, { q: 'b-3' }, { token });
    const later = required(items[0], 'the notice to delete');
    await console.ok(notifications.deleteNotification, { notificationId: later.id }, { token });
    await console.ok(
      customRoles.updateRole,
      { roleId: role.id, name: role.name, description: '', permissions: ['usage:read'] },
      { token: admin },
    );
    const after = await signIn(console, account);
    // The new login is a notice of its own.
    expect(await inboxOf(after)).toEqual({
      links: ['/usage/statistics', '/user/profile'],
      unread: 2,
      total: 2,
    });
    expect(await console.ok(notifications.listDeleted, {}, { token: after })).toMatchObject({
      items: [],
      total: 0,
    });
    for (const answer of [
      await console.call(
        notifications.markNotification,
        { notificationId: bill.id, read: true },
        { token: after },
      ),
      await console.call(notifications.restoreNotification, { notificationId: later.id }, { token: after }),
      await console.call(notifications.deleteNotification, { notificationId: bill.id }, { token: after }),
    ])
      expect(answer.envelope.code).toBe('notifications.not_found');
    console.clock.advance(86_400_000);
    await sendDigests(console.app);
    const daily = () =>
      mailbox.letters.filter(({ to, text }) => to === account && text.includes('/usage/statistics'));
    // The e-mail that leaves out the notice about the bill is delivered, not withdrawn because of it.
    await expect.poll(() => daily().length).toBe(1);
    expect(daily()[0]?.text).not.toContain('B-2');
  });
});
