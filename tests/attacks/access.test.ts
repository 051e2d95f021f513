// Access to other organizations' data (reliability.md, section 2.C): generated calls, expectations written by
// hand.
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { beforeAll, describe, expect, it } from 'vitest';
import { contract, noInput, nothing, pathNames, route, type Route } from '#kernel/contract.ts';
import { money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { administration } from '#features/operations/administration/contract.ts';
import { budgets } from '#features/metering/budgets/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { consolidateBills } from '#features/invoicing/billing/server/index.ts';
import { payers } from '#features/invoicing/payers/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { customRoles } from '#features/access/custom-roles/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { packs } from '#features/reporting/packs/contract.ts';
import { personalData } from '#features/operations/personal-data/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { quotas } from '#features/metering/quotas/contract.ts';
import { rejections } from '#features/metering/rejections/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { webhooks } from '#features/messaging/webhooks/contract.ts';
import { makeHttp } from '#platform/server/http/http.ts';
import { features } from '#app/features.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';

type Person = { token: string; userId: string; organizationId: string };
let console: TestConsole;
let admin: string;
let one: Person;
let two: Person;
let gateway: string;
/** The ids that belong to `one`, by the names of path parameters. */
let own: Record<string, string>;

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-05T00:00:00Z'));
  admin = await setUp(console);
  one = await registerUser(console, 'owner@one.example', 'One');
  two = await registerUser(console, 'owner@two.example', 'Two');
  gateway = (
    await console.ok(
      identity.createApiKey,
      { name: 'one', organizationId: one.organizationId as never },
      { token: admin },
    )
  ).secret;
  const service = await console.ok(
    catalogue.createService,
    {
      name: 'Storage',
      type: 'Storage',
      category: 'Platform',
      pricing: { model: 'per_unit', currency: 'TWD', baseFee: '100', unitPrice: '1.2' },
      meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
      quota: { type: 'soft', limit: '100' },
    },
    { token: admin },
  );
  const subscription = await console.ok(
    subscriptions.subscribe,
    { serviceId: service.id },
    { token: one.token },
  );
  await console.ok(
    usage.ingest,
    {},
    {
      token: gateway,
      headers: { 'content-type': 'application/cloudevents-batch+json' },
      body: JSON.stringify([
        {
          specversion: '1.0',
          id: '1',
          source: '/s',
          type: 'gb',
          subject: subscription.id,
          time: console.clock.now().toISOString(),
          data: { value: '90' },
        },
        { specversion: '1.0', id: '2', source: '/s', type: 'unknown', subject: subscription.id },
      ]),
    },
  );
  console.clock.set(new Date('2024-10-04T00:00:00Z'));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  one.token = await signIn(console, 'owner@one.example');
  two.token = await signIn(console, 'owner@two.example');
  await console.ok(
    payers.setPayerBilling,
    { organizationId: one.organizationId as never, isConsolidated: true, from: '2024-09' as BillingMonth },
    { token: admin },
  );
  await console.ok(billing.closeMonth, { month: '2024-09' as BillingMonth }, { token: admin });
  await consolidateBills(console.app);
  const payment = await console.ok(payments.topUp, { amount: money(50n, 'TWD') }, { token: one.token });
  const spare = await signIn(console, 'owner@one.example');
  const passkeyId = 'psk_01hzzzzzzzzzzzzzzzzzzzzzzz';
  await sql`insert into passkey (id, user_id, credential_id, public_key, counter, transports, name, created_at) values (${passkeyId}, ${one.userId}, 'c', '\\x00', 0, '{}', 'Laptop', now())`.execute(
    console.app.database.kysely,
  );
  const avatarId = 'avt_01hzzzzzzzzzzzzzzzzzzzzzzz';
  await sql`insert into avatar (user_id, id, picture, created_at) values (${one.userId}, ${avatarId}, '\\x00', now())`.execute(
    console.app.database.kysely,
  );
  const identityId = 'ext_01hzzzzzzzzzzzzzzzzzzzzzzz';
  await sql`insert into external_identity (id, source, issuer, subject, user_id, email, is_managed, linked_at) values (${identityId}, 'oidc', 'https://issuer.example', 's', ${one.userId}, 'x@one.example', false, now())`.execute(
    console.app.database.kysely,
  );
  const billId = (await console.ok(billing.listBills, {}, { token: one.token })).items[0]?.id ?? '';
  const creditNoteId = (
    await console.ok(
      credits.issueCredit,
      { billId: billId as never, reason: 'goodwill', what: { kind: 'amount', net: money(1n, 'TWD') } },
      { token: admin },
    )
  ).id;
  const einvoiceId = 'ein_01hzzzzzzzzzzzzzzzzzzzzzzz';
  await sql`insert into einvoice (id, bill_id, organization_id, state, kind, tax_kind, document, lines, net_minor, tax_minor, total_minor, created_at) select ${einvoiceId}, id, organization_id, 'pending', 'consumer', 'taxable', '{}', '[]', 1, 0, 1, now() from bill where id = ${billId}`.execute(
    console.app.database.kysely,
  );
  const retailBillId = 'rtb_01hzzzzzzzzzzzzzzzzzzzzzzz';
  await sql`with seller as (insert into reseller (organization_id, name, number_prefix, tax_rate, due_days, made_by, made_at) values (${one.organizationId}, 'Shop', 'S', 5, 30, ${one.userId}, now()) returning organization_id)
    insert into retail_bill (id, reseller_id, organization_id, month, currency, sequence, number, issued_at, due_at, net_minor, tax_rate, tax_minor, total_minor, seller, buyer) select ${retailBillId}, organization_id, organization_id, '2024-08', 'TWD', 1, 'S-1', now(), now(), 1, 0, 0, 1, '{"name":"Shop","instructions":""}', '{"name":"One"}' from seller`.execute(
    console.app.database.kysely,
  );
  const creditId = 'rcn_01hzzzzzzzzzzzzzzzzzzzzzzz';
  await sql`insert into retail_credit_note (id, retail_bill_id, reseller_id, sequence, number, reason, net_minor, tax_minor, total_minor, issued_by, issued_at) values (${creditId}, ${retailBillId}, ${one.organizationId}, 1, 'S-CN-1', 'down', 1, 0, 1, ${one.userId}, now())`.execute(
    console.app.database.kysely,
  );
  const endpointId = (
    await console.ok(webhooks.createEndpoint, { url: 'https://hooks.example.com/' }, { token: one.token })
  ).endpoint.id;
  const deliveryId = 'whd_01hzzzzzzzzzzzzzzzzzzzzzzz';
  await sql`insert into webhook_delivery (id, endpoint_id, event_key, event_type, body, state, created_at, began_at) values (${deliveryId}, ${endpointId}, 'k', 'bill.paid', '{}', 'parked', now(), now())`.execute(
    console.app.database.kysely,
  );
  const cardId = 'crd_01hzzzzzzzzzzzzzzzzzzzzzzz';
  await sql`with entry as (insert into card_setup (id, organization_id, provider, state, consent, language, created_at, created_by) values ('cst_01hzzzzzzzzzzzzzzzzzzzzzzz', ${one.organizationId}, 'stripe', 'saved', 'yes', 'enUS', now(), ${one.userId}))
    insert into saved_card (id, organization_id, provider, setup_id, reference, brand, last4, exp_month, exp_year, said_at, is_default, created_at) values (${cardId}, ${one.organizationId}, 'stripe', 'cst_01hzzzzzzzzzzzzzzzzzzzzzzz', 'pm_1', 'visa', '4242', 12, 2030, now(), true, now())`.execute(
    console.app.database.kysely,
  );
  own = {
    currency: 'TWD',
    cardId,
    setupId: 'cst_01hzzzzzzzzzzzzzzzzzzzzzzz',
    endpointId,
    deliveryId,
    avatarId,
    creditNoteId,
    billId,
    einvoiceId,
    retailBillId,
    creditId,
    organizationId: one.organizationId,
    document: 'ubl.xml',
    identityId,
    viewId: (
      await console.ok(
        identity.saveView,
        { screen: 'services', name: 'Mine', query: 'q=a' },
        { token: one.token },
      )
    ).id,
    passkeyId,
    invitationId: (
      await console.ok(identity.invite, { email: 'new@one.example', role: 'User' }, { token: one.token })
    ).invitation.id,
    keyId: (
      await console.ok(identity.createOrganizationKey, { name: 'own', scope: 'read' }, { token: one.token })
    ).key.id,
    packId: (await console.ok(packs.makeOwnPack, { month: '2024-08' as BillingMonth }, { token: one.token }))
      .id,
    exportId: (await console.ok(personalData.makeOwnExport, {}, { token: one.token })).id,
    budgetId: (
      await console.ok(budgets.createBudget, { name: 'All', amount: money(50n, 'TWD') }, { token: one.token })
    ).id,
    reservationId: (
      await console.ok(quotas.reserve, { subscriptionId: subscription.id, quantity: '1' }, { token: gateway })
    ).id,
    raiseId: (
      await console.ok(
        quotas.askRaise,
        { subscriptionId: subscription.id, limit: '200', reason: 'more' },
        { token: one.token },
      )
    ).id,
    rejectedId: (await console.ok(rejections.listRejected, {}, { token: one.token })).items[0]?.id ?? '',
    day: '2024-09-10',
    subscriptionId: subscription.id,
    lineId: '1',
    consolidatedId:
      (await console.ok(billing.listConsolidatedBills, {}, { token: one.token })).items[0]?.id ?? '',
    paymentId: payment.id,
    testId: (await console.ok(notifications.sendTest, { channel: 'inApp' }, { token: one.token })).testId,
    notificationId:
      (await console.ok(notifications.listNotifications, {}, { token: one.token })).items[0]?.id ?? '',
    sessionId:
      (await console.ok(identity.sessions, {}, { token: spare })).items.find((each) => each.current)?.id ??
      '',
    serviceId: service.id,
    userId: one.userId,
    roleId: (
      await console.ok(
        customRoles.createOwnRole,
        { name: 'Accounts', description: '', baseRole: 'User', permissions: ['billing:read'] },
        { token: one.token },
      )
    ).id,
  };
});

const absentOf = (id: string): string =>
  id.includes('_') ? `${id.slice(0, id.indexOf('_'))}_00000000000000000000000000` : id;
async function send(
  method: string,
  path: string,
  token: string,
  body?: unknown,
): Promise<{ status: number; body: string }> {
  const response = await fetch(`${console.address}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'accept-language': 'en',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.text() };
}
const fill = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/g, (_place, name: string) => values[name] ?? 'missing');
/** An error response without its request id, which always differs. */
const failure = ({ status, body }: { status: number; body: string }): unknown => ({
  status,
  ...(JSON.parse(body) as object),
  requestId: '',
});

const withPlaces = features
  .flatMap((feature) =>
    Object.entries(feature.contract).map(([verb, spec]): [string, Route] => [
      `${feature.name}.${verb}`,
      spec,
    ]),
  )
  .filter(
    ([, spec]) =>
      pathNames(spec.path).length > 0 &&
      typeof spec.access === 'object' &&
      spec.access.roles.includes('User'),
  );
/** Parts of paths that are not ids. */
const words = new Set(['document']);
/** Ids of objects that every signed-in user may see. */
const shared = new Set(['serviceId', 'currency']);
/** Valid bodies, so that a rejection is about the owner of the object. */
const bodies: Record<string, object> = {
  'collection.enterCard': { payToken: 'x' },
  'notifications.markNotification': { read: true },
  'einvoices.saveBillBuyer': { taxId: '', name: '', keep: 'member', code: '' },
  'payments.payBill': { method: 'balance' },
  'resellers.notePayment': { paidOn: null, note: '' },
  'resellers.creditBill': { amount: null, reason: 'down' },
  'resellers.pauseService': { reason: 'unpaid' },
  'resellers.resumeService': { reason: 'paid' },
  'payments.payConsolidatedBill': { method: 'balance' },
  'catalogue.estimate': { quantity: '1' },
  'signin.renamePasskey': { name: 'Mine' },
  'quotas.askRaise': { limit: '300', reason: 'more' },
  'customroles.updateOwnRole': { name: 'Mine', description: '', permissions: ['usage:read'] },
  'insights.judgeDay': { verdict: 'expected' },
  'subscriptions.addAddOn': { serviceId: `svc_${'0'.repeat(26)}` },
  'subscriptions.previewAddOn': { serviceId: `svc_${'0'.repeat(26)}` },
  'webhooks.replayFailed': { since: '2024-01-01T00:00:00Z' },
};

describe('2.C-45 objects of another organization do not exist', () => {
  it.each(withPlaces)('%s', async (name, spec) => {
    const places = pathNames(spec.path);
    for (const place of places)
      expect(own[place], `add what belongs to the first organization for :${place}`).toBeTruthy();
    if (places.every((place) => shared.has(place))) return;
    const body = spec.method === 'GET' || spec.method === 'DELETE' ? undefined : (bodies[name] ?? {});
    const foreign = await send(spec.method, fill(spec.path, own), two.token, body);
    const absent = await send(
      spec.method,
      fill(
        spec.path,
        Object.fromEntries(
          places.map((place) => [place, words.has(place) ? (own[place] ?? '') : absentOf(own[place] ?? '')]),
        ),
      ),
      two.token,
      body,
    );
    expect(foreign.status).toBe(404);
    expect(failure(foreign)).toEqual(failure(absent));
  });

  it('and are unchanged after all these calls', async () => {
    const bill = await console.ok(billing.getBill, { billId: own['billId'] as never }, { token: one.token });
    const subscription = await console.ok(
      subscriptions.getSubscription,
      { subscriptionId: own['subscriptionId'] as never },
      { token: one.token },
    );
    const { items } = await console.ok(notifications.listNotifications, {}, { token: one.token });
    expect([bill.state, subscription.state, items.some((each) => each.id === own['notificationId'])]).toEqual(
      ['open', 'active', true],
    );
  });

  it('2.C-55 a key of another organization can neither write nor read them', async () => {
    const foreign = (
      await console.ok(
        identity.createApiKey,
        { name: 'two', organizationId: two.organizationId as never },
        { token: admin },
      )
    ).secret;
    expect(
      (
        await console.call(
          quotas.entitlement,
          { subscriptionId: own['subscriptionId'] as never },
          { token: foreign },
        )
      ).status,
    ).toBe(404);
    expect((await console.call(identity.profile, {}, { token: foreign })).status).toBe(403);
  });
});

describe('2.C-46 batches', () => {
  // The test of rejected events sends a batch with ids of both organizations.
  const refusesMixed = new Set(['rejections.dismissRejected']);
  it('exist for customers only where a batch with a foreign id is rejected as a whole', () => {
    const routes = features.flatMap((feature) =>
      Object.entries(feature.contract).map(([verb, spec]): [string, Route] => [
        `${feature.name}.${verb}`,
        spec,
      ]),
    );
    const open = routes.filter(
      ([, spec]) =>
        typeof spec.access === 'object' &&
        (spec.access.roles.includes('User') || spec.access.roles.includes('ReadOnly')),
    );
    expect(open.length).toBeGreaterThan(40);
    for (const [name, spec] of open.filter(([one]) => !refusesMixed.has(one)))
      expect(
        Object.keys(spec.input.shape).filter((field) => /ids$/i.test(field)),
        name,
      ).toEqual([]);
  });
});

describe('2.C-47, 2.C-48 lists, totals and searches', () => {
  it('never contain a row of another organization', async () => {
    for (const path of [
      '/bills',
      '/bills?q=B-2024',
      '/subscriptions',
      '/subscriptions?q=Storage',
      '/payments',
      '/credit-notes',
      '/credit-notes?q=C-2024',
      '/einvoices',
      '/notifications',
      '/usage/quotas',
      '/discounts',
      '/commitments',
      '/organization/members',
      '/user/sessions',
    ]) {
      const { status, body } = await send('GET', path, two.token);
      expect(status, path).toBe(200);
      for (const id of [
        own['subscriptionId'],
        own['billId'],
        own['creditNoteId'],
        own['paymentId'],
        own['notificationId'],
        own['sessionId'],
        one.userId,
        one.organizationId,
      ])
        expect(body, path).not.toContain(id);
    }
    for (const path of [
      '/bills',
      '/subscriptions',
      '/payments',
      '/credit-notes',
      '/notifications?category=billing',
    ])
      expect(
        (JSON.parse((await send('GET', path, two.token)).body) as { data: { total: number } }).data.total,
        path,
      ).toBe(0);
  });

  it('cannot be widened by a parameter that names another organization', async () => {
    for (const path of ['/bills', '/subscriptions', '/usage/quotas'])
      expect(
        (await send('GET', `${path}?organizationId=${one.organizationId}`, two.token)).status,
        path,
      ).toBe(400);
  });
});

describe('2.C-49 fields that callers must not set themselves', () => {
  it.each([
    ['role', 'Admin'],
    ['status', 'active'],
    ['balance', '999'],
    ['organizationId', 'org_00000000000000000000000000'],
    ['emailVerified', true],
    ['memberLevel', 'platinum'],
    ['price', '0'],
    ['twoFactor', true],
    ['account', 'other@one.example'],
  ])('%s', async (field, value) => {
    expect((await send('PATCH', '/user/profile', one.token, { name: 'x', [field]: value })).status).toBe(400);
    const registered = await fetch(`${console.address}/api/user/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        email: 'new@three.example',
        name: 'New',
        password: userPassword,
        organization: 'Three',
        agreeToTerms: true,
        [field]: value,
      }),
    });
    expect(registered.status).toBe(400);
  });
});

describe('roles', () => {
  it.each(['Root', ' Admin ', 'ADMIN', 'admin', ['Admin'], null, 1, ''])(
    '2.C-50 %j is not accepted as a role',
    async (role) => {
      expect(
        (await send('POST', '/admin/users', admin, { account: 'x@one.example', name: 'X', role })).status,
      ).toBe(400);
    },
  );

  it('2.C-51 the last Admin remains, even when two demote each other at the same moment', async () => {
    const second = await console.ok(
      identity.createUser,
      { account: 'second@cloud.example', name: 'Second', role: 'Admin', password: userPassword },
      { token: admin },
    );
    const first = (
      await console.ok(identity.listUsers, { role: 'Admin', q: 'admin@cloud' }, { token: admin })
    ).items[0];
    const secondToken = await signIn(console, 'second@cloud.example');
    const both = await Promise.all([
      console.call(identity.updateUser, { userId: second.user.id, status: 'inactive' }, { token: admin }),
      console.call(
        identity.updateUser,
        { userId: first?.id ?? ('' as never), role: 'User', organizationId: one.organizationId as never },
        { token: secondToken },
      ),
    ]);
    const { items } = await console.ok(
      identity.listUsers,
      { role: 'Admin', status: 'active' },
      { token: both[0].status === 200 ? admin : secondToken },
    );
    expect(both.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(items).toHaveLength(1);
    // The remaining Admin restores the other one.
    if (both[1].status === 200)
      await console.ok(
        identity.updateUser,
        { userId: first?.id ?? ('' as never), role: 'Admin', status: 'active' },
        { token: secondToken },
      );
    admin = await signIn(console, adminAccount.account, adminAccount.password);
  });

  it('2.C-54 a change of role takes effect at the next call', async () => {
    const { user } = await console.ok(
      identity.createUser,
      {
        account: 'changes@one.example',
        name: 'X',
        role: 'User',
        organizationId: one.organizationId as never,
        password: userPassword,
      },
      { token: admin },
    );
    const token = await signIn(console, 'changes@one.example');
    expect((await console.call(subscriptions.listSubscriptions, {}, { token })).status).toBe(200);
    await console.ok(identity.updateUser, { userId: user.id, role: 'ReadOnly' }, { token: admin });
    expect((await console.call(subscriptions.listSubscriptions, {}, { token })).status).toBe(401);
    const reader = await signIn(console, 'changes@one.example');
    expect((await console.call(payments.topUp, { amount: money(1n, 'TWD') }, { token: reader })).status).toBe(
      403,
    );
  });
});

describe('responses', () => {
  it('2.C-52 contain no hash, seed or token, not even for an Admin', async () => {
    const stored = await sql<{
      password_hash: string;
    }>`select password_hash from app_user where password_hash is not null`.execute(
      console.app.database.kysely,
    );
    const texts = await Promise.all(
      [
        '/admin/users',
        `/admin/users/${one.userId}`,
        '/admin/organizations',
        '/admin/api-keys',
        '/admin/dashboard',
        '/admin/settings',
        '/user/profile',
        '/user/sessions',
      ].map((path) => send('GET', path, admin)),
    );
    for (const { body } of texts) {
      expect(body).not.toMatch(/passwordHash|password_hash|secretHash|tokenHash|argon2/i);
      for (const { password_hash: hash } of stored.rows) expect(body).not.toContain(hash);
    }
  });

  it('2.C-52 a generated password is returned once and not stored, not even for a repeated request', async () => {
    const input = {
      account: 'generated@one.example',
      name: 'X',
      role: 'User' as const,
      organizationId: one.organizationId as never,
    };
    const headers = { 'idempotency-key': 'make-generated' };
    const made = await console.ok(identity.createUser, input, { token: admin, headers });
    const again = await console.ok(identity.createUser, input, { token: admin, headers });
    expect(made.password).toBeTruthy();
    expect(again).toEqual({ user: made.user, password: null });
    const { rows } = await sql<{
      text: string;
    }>`select coalesce(string_agg(answer::text, ''), '') as text from idempotency_key`.execute(
      console.app.database.kysely,
    );
    expect(rows[0]?.text).not.toContain(made.password);
  });

  it('2.C-53 match the contract exactly: an undeclared field is an error', () => {
    for (const [name, spec] of withPlaces) {
      if (!('shape' in spec.output)) continue;
      const closed = z.safeParse(spec.output, { surprise: 1 });
      expect(closed.success, name).toBe(false);
    }
  });
});

describe('2.C-44 a route without declared access', () => {
  it('prevents the server from starting', async () => {
    const open = contract({
      leak: {
        ...route({
          method: 'GET',
          path: '/leak',
          access: 'public',
          summary: '',
          input: noInput,
          output: nothing,
        }),
        access: undefined as never,
      },
    });
    const bad = {
      name: 'bad',
      contract: open,
      verbs: { leak: async () => null },
      errors: {},
      jobs: [],
      ownUnitOfWork: [],
      senders: {},
    };
    await expect(makeHttp(console.app, [bad], { authenticate: async () => undefined })).rejects.toThrow(
      'declares no access',
    );
  });
});

describe('2.C-56 guessing ids', () => {
  it('is impossible: ids have 80 random bits, and a bill’s number grants no access', async () => {
    const { number } = await console.ok(
      billing.getBill,
      { billId: own['billId'] as never },
      { token: one.token },
    );
    for (const guess of [
      number,
      number?.replace(/\d$/, '2'),
      '1',
      own['billId']?.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ]) {
      expect([400, 404], guess ?? '').toContain((await send('GET', `/bills/${guess}`, one.token)).status);
      expect([400, 404], guess ?? '').toContain((await send('GET', `/bills/${guess}/pdf`, one.token)).status);
    }
    const { rows } = await sql<{
      id: string;
    }>`select id from notification union all select id from session`.execute(console.app.database.kysely);
    // The first ten characters are the time; the others never repeat.
    expect(new Set(rows.map((row) => row.id.slice(-16))).size).toBe(rows.length);
  });
});

describe('2.C-57 other spellings of a protected path', () => {
  it.each([
    '/api/admin/users/',
    '/api//admin/users',
    '//api/admin/users',
    '/api/admin%2Fusers',
    '/api/admin/users;x',
    '/api/Admin/Users',
    '/API/admin/users',
    '/api/admin/./users',
    '/api/admin/x/../users',
    '/api/%61dmin/users',
    '/api/admin/users%00',
    '/api/admin/users%20',
  ])('%s is not publicly accessible', async (path) => {
    const { hostname, port } = new URL(console.address);
    const { request } = await import('node:http');
    // fetch would normalize the path, so this uses a lower level.
    const status = await new Promise<number>((done, failed) =>
      request({ hostname, port, path, method: 'GET' }, (answer) => {
        answer.resume();
        done(answer.statusCode ?? 0);
      })
        .on('error', failed)
        .end(),
    );
    expect([400, 401, 404]).toContain(status);
  });

  it.each(['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PUT'])(
    '%s does not give access to it',
    async (method) => {
      const { hostname, port } = new URL(console.address);
      const { request } = await import('node:http');
      const status = await new Promise<number>((done, failed) =>
        request({ hostname, port, path: '/api/admin/users', method }, (answer) => {
          answer.resume();
          done(answer.statusCode ?? 0);
        })
          .on('error', failed)
          .end(),
      );
      expect(status).toBe(405);
    },
  );
});

describe('a recent sign-in (reliability.md 2.C, bill run)', () => {
  it('is required again after 15 minutes, however new the token is', async () => {
    const entered = await fetch(`${console.address}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account: 'admin@cloud.example', password: adminAccount.password }),
    });
    const cookie =
      entered.headers
        .getSetCookie()
        .find((line) => line.startsWith('session='))
        ?.split(';')[0] ?? '';
    const close = (token: string) =>
      console.call(billing.closeMonth, { month: '2024-09' as BillingMonth }, { token });
    expect((await close(((await entered.json()) as { data: { token: string } }).data.token)).status).toBe(
      200,
    );
    console.clock.advance(14 * 60_000);
    const continued = await fetch(`${console.address}/api/user/session`, { headers: { cookie } });
    const { token } = ((await continued.json()) as { data: { token: string } }).data;
    expect((await close(token)).status).toBe(200);
    console.clock.advance(61_000);
    const late = await close(token);
    expect([late.status, late.envelope.code]).toEqual([403, 'platform.fresh_sign_in']);
    expect((await console.call(billing.adminListBills, {}, { token })).status).toBe(200);
  });
});

describe('an Admin who must have a second factor', () => {
  it('can only make the calls that set one up (R-AUTH-18)', async () => {
    await sql`insert into setting (key, value, changed_at, changed_by) values ('security.requireAdminTwoFactor', 'true', now(), 'test')`.execute(
      console.app.database.kysely,
    );
    const { data } = await console.call(signin.login, {
      account: 'admin@cloud.example',
      password: adminAccount.password,
    });
    expect(data.mustEnrol).toBe(true);
    const refused = await console.call(administration.getSettings, {}, { token: data.token });
    expect([refused.status, refused.envelope.code]).toEqual([403, 'platform.enrol_second_factor']);
    expect((await console.call(identity.profile, {}, { token: data.token })).status).toBe(200);
    await sql`update app_user set two_factor = true where account = 'admin@cloud.example'`.execute(
      console.app.database.kysely,
    );
    expect((await console.call(administration.getSettings, {}, { token: data.token })).status).toBe(200);
  });
});
