// Organizations as Admins see them: figures, and exactly what suspending and closing one blocks.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { releaseSubscriptions, holdSubscriptions } from '#features/selling/subscriptions/server/index.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { users } from '#features/access/users/contract.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
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

let console: TestConsole;
let admin: string;
let one: Awaited<ReturnType<typeof registerUser>>;
let organizationId: Id<'org'>;
let serviceId: Id<'svc'>;
let key: string;
const db = () => console.app.database.kysely;
const stateOf = async () =>
  (await console.ok(consoleContract.getOrganizationAccount, { organizationId }, { token: admin })).state;
const suspend = () =>
  console.call(
    consoleContract.suspendOrganization,
    { organizationId, reason: 'abuse report 7' },
    { token: admin },
  );
const resume = () => console.call(consoleContract.resumeOrganization, { organizationId }, { token: admin });
const subscribe = () =>
  console.call(
    subscriptions.subscribe,
    { serviceId },
    { token: one.token, headers: { 'idempotency-key': crypto.randomUUID() } },
  );
const standing = async () =>
  (await console.ok(subscriptions.listSubscriptions, {}, { token: one.token })).items.map(
    (each) => each.state,
  );

beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
  one = await registerUser(console, 'owner@one.example', 'One Ltd');
  await registerUser(console, 'owner@two.example', 'Two');
  organizationId = one.organizationId as Id<'org'>;
  serviceId = (
    await console.ok(
      catalogue.createService,
      {
        name: 'Storage',
        type: 'Storage',
        category: 'Own',
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
        meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
      },
      { token: admin },
    )
  ).id;
  await subscribe();
  key = (
    await console.ok(identity.createOrganizationKey, { name: 'own', scope: 'read' }, { token: one.token })
  ).secret;
});

describe('R-ADM-02 organizations', () => {
  it('are listed with members, subscriptions, balance, amount due and status', async () => {
    await sql`insert into ledger_account (id, kind, organization_id, currency, balance_minor) values ('test', 'balance', ${organizationId}, 'TWD', -12345)`.execute(
      db(),
    );
    const { items, total } = await console.ok(
      consoleContract.listOrganizationAccounts,
      { q: 'one' },
      { token: admin },
    );
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({
      name: 'One Ltd',
      state: 'active',
      stateSince: null,
      members: 1,
      subscriptions: 1,
      openBills: 0,
      keys: 1,
      balances: [money(12_345n, 'TWD')],
      owed: [],
      isDunned: false,
    });
    expect(
      (await console.ok(consoleContract.listOrganizationAccounts, { limit: 1 }, { token: admin })).total,
    ).toBe(2);
    await sql`delete from ledger_account where id = 'test'`.execute(db());
  });

  it('a suspension by an Admin blocks usage and new subscriptions but not sign-in, and paying bills does not end it', async () => {
    expect((await suspend()).data).toMatchObject({
      state: 'suspended',
      reason: 'abuse report 7',
      isDunned: false,
    });
    expect([await standing(), (await subscribe()).status]).toEqual([['suspended'], 409]);
    await signIn(console, 'owner@one.example');
    // This is what dunning does when the last overdue bill is paid.
    await unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, (ctx) =>
      releaseSubscriptions(ctx, [organizationId]),
    );
    expect([await stateOf(), await standing()]).toEqual(['suspended', ['suspended']]);
    expect(
      (
        await console.ok(consoleContract.listOrganizationAccounts, { state: 'suspended' }, { token: admin })
      ).items.map((each) => each.id),
    ).toEqual([organizationId]);
    expect((await resume()).data.state).toBe('active');
    expect([await standing(), (await resume()).envelope.code]).toEqual([
      ['active'],
      'console.organization_not_suspended',
    ]);
    expect(
      (await sql`select from subscription_suspension where until_at is null`.execute(db())).rows,
    ).toHaveLength(0);
  });

  it('a suspension for unpaid bills outlasts the Admin’s suspension, and an Admin cannot end it', async () => {
    await unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, (ctx) =>
      holdSubscriptions(ctx, [organizationId], 'past_due'),
    );
    expect([await stateOf(), (await resume()).envelope.code]).toEqual([
      'past_due',
      'console.organization_not_suspended',
    ]);
    await suspend();
    await sql`insert into bill (id, organization_id, month, currency, series, sequence, number, state, period_start, period_end, issued_at, due_at, net_minor, tax_rate, tax_minor, total_minor, buyer, content_hash)
      values ('bil_test', ${organizationId}, '2024-09', 'TWD', 'X', 1, 'X-1', 'open', now(), now(), now(), now(), 100, 0, 0, 100, '{}', 'x')`.execute(
      db(),
    );
    await sql`insert into dunning_hold (organization_id, level, since, bill_id) values (${organizationId}, 'past_due', now(), 'bil_test')`.execute(
      db(),
    );
    expect((await resume()).data).toMatchObject({ state: 'past_due', reason: '', isDunned: true });
    expect(await standing()).toEqual(['past_due']);
    await sql`delete from dunning_hold`.execute(db());
    await unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, (ctx) =>
      releaseSubscriptions(ctx, [organizationId]),
    );
    expect(await stateOf()).toBe('active');
  });

  it('are closed only when everything is settled; then nobody can sign in, join or call the API', async () => {
    const close = () =>
      console.call(
        consoleContract.closeOrganization,
        { organizationId, reason: 'contract ended' },
        { token: admin },
      );
    expect((await close()).envelope.code).toBe('console.organization_unsettled');
    const [own] = (await console.ok(subscriptions.listSubscriptions, {}, { token: one.token })).items;
    await sql`update subscription set state = 'canceled' where id = ${own?.id ?? ''}`.execute(db());
    expect((await close()).envelope.code, 'an open bill').toBe('console.organization_unsettled');
    await sql`update bill set state = 'void' where id = 'bil_test'`
      .execute(db())
      .catch(() =>
        sql`alter table bill disable trigger user`
          .execute(db())
          .then(() => sql`update bill set state = 'void' where id = 'bil_test'`.execute(db())),
      );
    const invitation = await console.ok(
      identity.inviteFor,
      { organizationId, email: 'late@one.example', role: 'User' },
      { token: admin },
    );
    const closed = await close();
    expect(closed.data).toMatchObject({ state: 'closed', reason: 'contract ended', keys: 0, members: 1 });
    expect([
      (await console.call(identity.profile, {}, { token: one.token })).status,
      (await console.call(signin.login, { account: 'owner@one.example', password: userPassword })).status,
      (await console.call(usage.usageMonths, {}, { token: key })).status,
    ]).toEqual([401, 401, 401]);
    expect(
      (
        await console.call(identity.checkInvitation, {
          token: new URLSearchParams(new URL(invitation.link).hash.slice(1)).get('token') ?? '',
        })
      ).status,
    ).toBe(404);
    const refused = [
      await console.call(
        identity.createUser,
        { account: 'x@one.example', name: 'x', role: 'User', organizationId, password: userPassword },
        { token: admin },
      ),
      await console.call(
        identity.updateUser,
        { userId: one.userId as Id<'usr'>, status: 'active' },
        { token: admin },
      ),
      await console.call(
        identity.inviteFor,
        { organizationId, email: 'y@one.example', role: 'User' },
        { token: admin },
      ),
    ];
    expect(refused.map((answer) => answer.envelope.code)).toEqual([
      'identity.organization_closed',
      'identity.organization_closed',
      'identity.organization_closed',
    ]);
    const { batch } = await console.ok(
      users.startBatch,
      { action: 'activate', ids: [one.userId as Id<'usr'>] },
      { token: admin },
    );
    expect(
      (await console.ok(users.listBatchRows, { batchId: batch.id }, { token: admin })).items[0]?.code,
    ).toBe('users.organization_closed');
    expect((await suspend()).envelope.code).toBe('console.organization_closed');
    expect(
      (await console.ok(consoleContract.reopenOrganization, { organizationId }, { token: admin })).state,
    ).toBe('active');
    await console.ok(
      users.startBatch,
      { action: 'activate', ids: [one.userId as Id<'usr'>] },
      { token: admin },
    );
    await signIn(console, 'owner@one.example');
    expect(
      await sql<{
        action: string;
      }>`select action from audit_log where action like 'console.%Organization' order by seq`
        .execute(db())
        .then(({ rows }) => rows.map((row) => row.action)),
    ).toEqual([
      'console.suspendOrganization',
      'console.resumeOrganization',
      'console.suspendOrganization',
      'console.resumeOrganization',
      'console.closeOrganization',
      'console.reopenOrganization',
    ]);
    await signIn(console, adminAccount.account, adminAccount.password);
  });
});
