// Rights under concurrency: eight people who act on each other at once never leave a console without an Admin or an
// organization without a User, and nobody does anything with a session or a key that has been revoked.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { id as shapeId } from '#kernel/shape.ts';
import { customRoles } from '#features/access/custom-roles/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { users } from '#features/access/users/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';
import { eightAtOnce } from '../support/eight.ts';

let console: TestConsole;
let admin: string;
let owner: Awaited<ReturnType<typeof registerUser>>;
const organizationOf = (one: { organizationId: string }) => z.parse(shapeId('org'), one.organizationId);
const organizationId = () => organizationOf(owner);
const rows = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await query.execute(console.app.database.kysely)).rows;

type Person = { readonly userId: Id<'usr'>; readonly token: string };
/** Eight signed-in people of a role. */
async function eightPeople(role: 'Admin' | 'User', name: string, one = owner): Promise<Person[]> {
  const people: Person[] = [];
  for (let index = 0; index < 8; index++) {
    const account = `${name}${index}@one.example`;
    const { user } = await console.ok(
      identity.createUser,
      {
        account,
        name: account,
        role,
        password: userPassword,
        ...(role === 'User' && { organizationId: organizationOf(one) }),
      },
      { token: admin },
    );
    people.push({ userId: user.id, token: await signIn(console, account) });
  }
  return people;
}
const eightOf = (people: readonly Person[], index: number): Person =>
  required(people[index % people.length], 'a person');
/** How many whole Admins are left. */
const adminsLeft = () =>
  rows(
    sql<{
      id: string;
    }>`select id from app_user where role = 'Admin' and custom_role_id is null and status = 'active'`,
  );

beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
  owner = await registerUser(console, 'owner@one.example', 'One');
});

describe('T-RACES T-ROLES: eight at once leave somebody who is in charge', () => {
  it('eight Admins who demote, narrow, disable and delete each other leave one whole Admin', async () => {
    const role = await console.ok(
      customRoles.createRole,
      { name: 'Narrow', description: '', baseRole: 'Admin', permissions: ['reports:read'] },
      { token: admin },
    );
    const people = await eightPeople('Admin', 'admin');
    // Only the eight are Admins from here on.
    await console.ok(
      identity.updateUser,
      {
        userId: required(
          (await adminsLeft()).find(({ id }) => people.every(({ userId }) => userId !== id)),
          '',
        ).id as never,
        status: 'inactive',
      },
      { token: eightOf(people, 0).token },
    );
    const changes: readonly object[] = [
      { role: 'User', organizationId: organizationId() },
      { status: 'inactive' },
      { customRoleId: role.id },
    ];
    // Everybody removes the next one, each in another way.
    const answers = await Promise.all(
      people.map(({ token }, index) => {
        const { userId } = eightOf(people, index + 1);
        const change = changes[index % 4];
        return change
          ? console.call(identity.updateUser, { userId, ...change }, { token })
          : console.call(users.deleteUser, { userId }, { token });
      }),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const left = await adminsLeft();
    expect(left.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(8 - left.length);
    // Those who are left go on until one is, by every way at once, and that one stays.
    for (let round = 0; round < 3; round++) {
      const [keeper] = await adminsLeft();
      const account = required(
        (
          await rows(
            sql<{
              account: string;
            }>`select account from app_user where id = ${required(keeper, 'an Admin').id}`,
          )
        )[0],
        'an account',
      ).account;
      const token = await signIn(console, account);
      for (const { id } of await adminsLeft())
        await console.call(identity.updateUser, { userId: id as never, status: 'inactive' }, { token });
    }
    expect(await adminsLeft()).toHaveLength(1);
  });

  it('two Admins who remove each other, eight times at once, leave one', async () => {
    const [last] = await adminsLeft();
    const account = required(
      (
        await rows(
          sql<{ account: string }>`select account from app_user where id = ${required(last, 'an Admin').id}`,
        )
      )[0],
      'an account',
    ).account;
    admin = await signIn(console, account);
    const { user: other } = await console.ok(
      identity.createUser,
      { account: 'second@one.example', name: 'Second', role: 'Admin', password: userPassword },
      { token: admin },
    );
    const second = await signIn(console, 'second@one.example');
    const tokens = [admin, second] as const;
    const victims = [other.id, required(last, 'an Admin').id as never] as const;
    await eightAtOnce(
      console,
      identity.updateUser,
      (index) => ({
        userId: victims[index % 2 === 0 ? 0 : 1],
        ...(index < 4
          ? { status: 'inactive' as const }
          : { role: 'User' as const, organizationId: organizationId() }),
      }),
      (index) => ({ token: tokens[index % 2 === 0 ? 0 : 1] }),
    );
    const [left, ...others] = await adminsLeft();
    expect(others).toEqual([]);
    admin = await signIn(console, left?.id === other.id ? 'second@one.example' : account);
  });

  it('a role that eight people are given while it is deleted eight times stays, or nobody gets it', async () => {
    for (let round = 0; round < 3; round++) {
      const role = await console.ok(
        customRoles.createRole,
        { name: `Passing ${round}`, description: '', baseRole: 'User', permissions: ['usage:read'] },
        { token: admin },
      );
      const [given, deleted] = await Promise.all([
        eightAtOnce(
          console,
          identity.createUser,
          (index) => ({
            account: `passing${round}-${index}@one.example`,
            name: 'Passing',
            role: 'User' as const,
            password: userPassword,
            customRoleId: role.id,
            organizationId: organizationId(),
          }),
          () => ({ token: admin }),
        ),
        eightAtOnce(
          console,
          customRoles.deleteRole,
          () => ({ roleId: role.id }),
          () => ({ token: admin }),
        ),
      ]);
      const holders = await rows(sql`select 1 from app_user where custom_role_id = ${role.id}`);
      expect(holders).toHaveLength(given.done);
      expect(deleted.done).toBe(given.done === 0 ? 1 : 0);
    }
  });

  it('eight Users of an organization who disable and demote each other leave one who can manage it', async () => {
    const founder = await registerUser(console, 'founder@crew.example', 'Crew');
    const people = await eightPeople('User', 'user', founder);
    await console.ok(
      identity.updateUser,
      { userId: founder.userId as never, status: 'inactive' },
      { token: admin },
    );
    const answers = await Promise.all(
      people.map(({ token }, index) =>
        console.call(
          identity.updateMember,
          {
            userId: eightOf(people, index + 1).userId,
            ...(index % 2 === 0 ? { status: 'inactive' as const } : { role: 'ReadOnly' as const }),
          },
          { token },
        ),
      ),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const usersLeft = () =>
      rows(
        sql<{
          id: string;
          account: string;
        }>`select id, account from app_user where organization_id = ${organizationOf(founder)} and role = 'User' and status = 'active'`,
      );
    const left = await usersLeft();
    expect(left.length).toBeGreaterThan(0);
    // Nobody acted after they had been removed: so many are gone as calls succeeded.
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(8 - left.length);
    const keeper = required(left[0], 'a User');
    const token = await signIn(console, keeper.account);
    for (const { id } of left.slice(1))
      await console.ok(identity.updateMember, { userId: id as never, status: 'inactive' }, { token });
    const itself = await eightAtOnce(
      console,
      identity.updateMember,
      (index) => ({
        userId: keeper.id as never,
        ...(index % 2 === 0 ? { status: 'inactive' as const } : { role: 'ReadOnly' as const }),
      }),
      () => ({ token }),
    );
    expect(itself).toEqual({ done: 0, codes: ['identity.last_user'] });
    expect(await usersLeft()).toEqual([keeper]);
  });
});

describe('T-RACES: purchases with what is being revoked', () => {
  /** Eight services that nobody has. */
  async function eightServices(name: string): Promise<Id<'svc'>[]> {
    const ids: Id<'svc'>[] = [];
    for (let index = 0; index < 8; index++)
      ids.push(
        (
          await console.ok(
            catalogue.createService,
            {
              name: `${name} ${index}`,
              type: 'Hosting',
              category: 'Platform',
              pricing: { model: 'flat', currency: 'TWD', baseFee: '10' },
              meter: { eventType: 'y', aggregation: 'sum', unit: 'y' },
            },
            { token: admin },
          )
        ).id,
      );
    return ids;
  }
  const subscribedTo = async (services: readonly string[]): Promise<number> =>
    (await rows(sql`select 1 from subscription where service_id = any(${[...services]}::text[])`)).length;
  /** Buys eight services at once with a token that is revoked meanwhile. */
  async function buyWhile(token: string, name: string, revoke: () => Promise<unknown>) {
    const services = await eightServices(name);
    const [bought] = await Promise.all([
      eightAtOnce(
        console,
        subscriptions.subscribe,
        (index) => ({ serviceId: required(services[index], 'a service') }),
        () => ({ token }),
      ),
      revoke(),
    ]);
    const made = await subscribedTo(services);
    const after = await eightAtOnce(
      console,
      subscriptions.subscribe,
      (index) => ({ serviceId: required(services[index], 'a service') }),
      () => ({ token }),
    );
    return { bought, made, after, madeAfter: await subscribedTo(services) };
  }
  /** What was answered happened, and nothing else; whatever came too late was told so. */
  const told = ({ bought: { done } }: Awaited<ReturnType<typeof buyWhile>>) => ({
    bought: { done, codes: done < 8 ? ['platform.sign_in_required'] : [] },
    made: done,
    after: { done: 0, codes: ['platform.sign_in_required'] },
    madeAfter: done,
  });

  it('with a session: those of its calls that succeeded are the subscriptions, and none follows', async () => {
    const token = await signIn(console, 'owner@one.example');
    const { items } = await console.ok(identity.sessions, {}, { token });
    const own = required(
      items.find(({ current }) => current),
      'the current session',
    );
    const outcome = await buyWhile(token, 'Session', () =>
      console.ok(identity.endSession, { sessionId: own.id }, { token: owner.token }),
    );
    expect(outcome).toEqual(told(outcome));
  });

  it('with a key that acts for a person, which is revoked, and one whose person is disabled', async () => {
    const key = (name: string, token: string) =>
      console.ok(
        identity.createOrganizationKey,
        {
          name,
          scope: 'permissions',
          permissions: ['subscriptions:read', 'subscriptions:write', 'catalogue:read'],
        },
        { token },
      );
    const revoked = await key('revoked', owner.token);
    const first = await buyWhile(revoked.secret, 'Key', () =>
      console.ok(identity.revokeOrganizationKey, { keyId: revoked.key.id }, { token: owner.token }),
    );
    expect(first).toEqual(told(first));
    const orphaned = await key('orphaned', owner.token);
    const second = await buyWhile(orphaned.secret, 'Person', () =>
      console.ok(
        identity.updateUser,
        { userId: owner.userId as never, status: 'inactive' },
        { token: admin },
      ),
    );
    expect(second).toEqual(told(second));
  });
});
