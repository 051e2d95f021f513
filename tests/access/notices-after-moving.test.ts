// Somebody who moves to another organization, or becomes another role, reads no notices any more that are not for
// them: in lists, counts, searches, and whatever changes or restores notices (R-NOTE-02).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { id as shapeId } from '#kernel/shape.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { identity } from '#features/access/identity/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { samples } from '#features/messaging/notifications/rules-samples.ts';
import { postToUsers, type Notice } from '#features/messaging/notifications/server/index.ts';
import { consoleContract } from '#app/console/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';
import { billNotice, usageNotice } from '../support/notices.ts';

let console: TestConsole;
let admin: string;
let one: Awaited<ReturnType<typeof registerUser>>;
let two: Awaited<ReturnType<typeof registerUser>>;
const organizationOf = (owner: { organizationId: string }) => z.parse(shapeId('org'), owner.organizationId);

beforeAll(async () => {
  console = await createTestConsole(new Date('2026-10-05T04:00:00Z'));
  admin = await setUp(console);
  one = await registerUser(console, 'owner@one.example', 'One');
  two = await registerUser(console, 'owner@two.example', 'Two');
});
afterAll(() => console.end());

const ofAccount = (subject: string): Notice => ({
  ...samples['security.password_changed'],
  kind: 'security.password_changed',
  type: 'security',
  category: 'security',
  subject,
  period: '',
});

let people = 0;
async function person(role: 'Admin' | 'User', owner = one) {
  const account = `person${++people}@one.example`;
  const { user } = await console.ok(
    identity.createUser,
    {
      account,
      name: account,
      role,
      password: userPassword,
      ...(role === 'User' && { organizationId: organizationOf(owner) }),
    },
    { token: admin },
  );
  const token = await signIn(console, account);
  // The notice of the first sign-in, which is about the account, is not of interest here.
  await console.ok(notifications.deleteAll, {}, { token });
  return { userId: user.id, account };
}
type Someone = Awaited<ReturnType<typeof person>>;
const post = ({ userId }: Someone, ...notices: Notice[]) =>
  unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, async (ctx) => {
    for (const notice of notices) await postToUsers(ctx, [userId], notice);
  });
async function become(who: Someone, change: object): Promise<string> {
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  await console.ok(identity.updateUser, { userId: who.userId, ...change }, { token: admin });
  return signIn(console, who.account);
}
/** The texts of the inbox, and that its counts are theirs. */
async function inbox(token: string): Promise<string[]> {
  const list = (filter: object) =>
    console.ok(notifications.listNotifications, { limit: 100, ...filter }, { token });
  const all = await list({});
  const unread = await list({ unread: true });
  const read = await list({ unread: false });
  expect(all.total).toBe(all.items.length);
  expect([unread.total, read.total]).toEqual([unread.items.length, read.items.length]);
  expect([all.unread, unread.unread, read.unread]).toEqual(
    Array.from({ length: 3 }, () => unread.items.length),
  );
  expect(all.items.length).toBe(unread.items.length + read.items.length);
  return all.items.map(({ message }) => message).toSorted();
}
const isAbout = (texts: readonly string[], subject: string): boolean =>
  texts.some((text) => text.includes(subject));

describe('R-NOTE-02: notices to somebody who moved to another organization', () => {
  it('are not listed, counted, found, changed or restored; those about the own account are', async () => {
    const who = await person('User');
    const before = await signIn(console, who.account);
    await post(
      who,
      billNotice('B-1'),
      billNotice('B-2'),
      billNotice('B-3'),
      usageNotice('u1'),
      ofAccount('password'),
    );
    const listed = await console.ok(notifications.listNotifications, { q: 'b-1' }, { token: before });
    const seen = required(listed.items[0], 'the notice of a bill');
    const [gone] = (await console.ok(notifications.listNotifications, { q: 'b-2' }, { token: before })).items;
    const deleted = required(gone, 'the notice to delete').id;
    await console.ok(notifications.deleteNotification, { notificationId: deleted }, { token: before });
    const { deletionId } = await console.ok(
      notifications.deleteAll,
      { q: 'b-3' },
      {
        token: before,
      },
    );

    const token = await become(who, { organizationId: organizationOf(two) });
    const texts = await inbox(token);
    expect(isAbout(texts, 'B-1')).toBe(false);
    // The changed password, and the sign-ins.
    const all = await console.ok(notifications.listNotifications, { limit: 100 }, { token });
    expect(new Set(all.items.map(({ category }) => category))).toEqual(new Set(['security']));
    const found = await console.ok(notifications.listNotifications, { q: 'b-1' }, { token });
    expect([found.items, found.total]).toEqual([[], 0]);
    const ofCategory = await console.ok(notifications.listNotifications, { category: 'billing' }, { token });
    expect([ofCategory.items, ofCategory.total]).toEqual([[], 0]);
    const bin = await console.ok(notifications.listDeleted, { limit: 100 }, { token });
    expect(
      isAbout(
        bin.items.map(({ message }) => message),
        'B-',
      ),
    ).toBe(false);
    expect(bin.total).toBe(bin.items.length);
    for (const answer of [
      await console.call(notifications.markNotification, { notificationId: seen.id, read: true }, { token }),
      await console.call(notifications.deleteNotification, { notificationId: seen.id }, { token }),
      await console.call(notifications.restoreNotification, { notificationId: deleted }, { token }),
    ])
      expect(answer.envelope.code).toBe('notifications.not_found');
    expect(await console.ok(notifications.restoreDeletion, { deletionId }, { token })).toEqual({
      restored: 0,
    });
    const dashboard = await console.ok(consoleContract.userDashboard, {}, { token });
    expect(JSON.stringify(dashboard.notifications)).not.toContain('B-1');

    await post(who, billNotice('C-1'));
    expect(isAbout(await inbox(token), 'C-1')).toBe(true);
    // Everything that they may read, and nothing else.
    const { unread } = await console.ok(notifications.listNotifications, {}, { token });
    expect((await console.ok(notifications.readAll, {}, { token })).changed).toBe(unread);
    await console.ok(notifications.deleteAll, {}, { token });
    expect(await inbox(token)).toEqual([]);

    const back = await become(who, { organizationId: organizationOf(one) });
    const again = await inbox(back);
    expect([isAbout(again, 'B-1'), isAbout(again, 'C-1')]).toEqual([true, false]);
    const { items } = await console.ok(notifications.listNotifications, { q: 'b-1' }, { token: back });
    // Neither read nor deleted by what was done elsewhere.
    expect(items).toMatchObject([{ id: seen.id, read: false }]);
  });

  it('an Admin who becomes a customer’s User loses those to Admins, and has them again as an Admin', async () => {
    const who = await person('Admin');
    await post(who, billNotice('A-1'));
    const asUser = await become(who, { role: 'User', organizationId: organizationOf(one) });
    expect(isAbout(await inbox(asUser), 'A-1')).toBe(false);
    const asAdmin = await become(who, { role: 'Admin' });
    expect(isAbout(await inbox(asAdmin), 'A-1')).toBe(true);
  });

  it('who may only read from now on has those about bills and their own account', async () => {
    const who = await person('User');
    await post(who, billNotice('R-1'), usageNotice('r1'));
    const token = await become(who, { role: 'ReadOnly' });
    const { items } = await console.ok(notifications.listNotifications, { limit: 100 }, { token });
    expect(items.map(({ category }) => category)).not.toContain('usage');
    expect(isAbout(await inbox(token), 'R-1')).toBe(true);
  });
});
