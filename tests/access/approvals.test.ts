// Approvals on a real database: chosen calls of Admins do nothing until a second Admin has agreed to them, and then run once.
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { pathNames, type Envelope, type Route } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { armFailPoints } from '#platform/server/fail-point.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { approvals, choiceNames, type ChoiceName } from '#features/access/approvals/contract.ts';
import { enUS } from '#features/access/approvals/locales/enUS.ts';
import { zhTW } from '#features/access/approvals/locales/zhTW.ts';
import { forgetApprovals } from '#features/access/approvals/server/index.ts';
import { audit } from '#features/access/audit/contract.ts';
import { customRoles } from '#features/access/custom-roles/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { administration } from '#features/operations/administration/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { choices } from '#app/approvals/choices.ts';
import { consoleContract } from '#app/console/contract.ts';
import { approvalsConsole } from '#app/features.ts';
import { users } from '#features/access/users/contract.ts';
import { runFeatureJob, unschedule } from '../support/jobs.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';
import { sampleInput } from '../support/sample-input.ts';

let console: TestConsole;
type Admin = { token: string; userId: Id<'usr'>; account: string; password: string };
let [first, second, third] = [] as unknown as [Admin, Admin, Admin];
let organizationId: Id<'org'>;
const db = () => console.app.database.kysely;
const day = 86_400_000;

/** A call as a program makes it, and what comes back as it is on the wire. */
async function ask<R extends Route>(
  route: R,
  input: z.input<R['input']>,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; envelope: Envelope; approvalId: Id<'apr'> }> {
  const fields = input as Record<string, unknown>;
  const places = pathNames(route.path);
  const path = route.path.replace(/:(\w+)/g, (_place, name: string) => String(fields[name]));
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !places.includes(name)));
  const inQuery = route.method === 'DELETE' || route.raw !== undefined;
  const query = inQuery ? `?${new URLSearchParams(rest as Record<string, string>).toString()}` : '';
  const body = route.raw ? 'a,b' : inQuery ? undefined : JSON.stringify(rest);
  const answer = await fetch(`${console.address}/api${path}${query}`, {
    method: route.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': route.raw?.types[0] ?? 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const envelope = (await answer.json()) as Envelope;
  const data = envelope.data as { approval?: { id: Id<'apr'> } } | null;
  return { status: answer.status, envelope, approvalId: data?.approval?.id as Id<'apr'> };
}

const newKey = (name: string, admin: Admin = first, headers = {}) =>
  ask(identity.createApiKey, { name }, admin.token, headers);
async function waiting(name = 'gateway', admin: Admin = first): Promise<Id<'apr'>> {
  const answer = await newKey(name, admin);
  expect(answer.envelope.message).toBe('Success');
  expect(answer.status).toBe(202);
  return answer.approvalId;
}
const keysNamed = async (name: string): Promise<number> => {
  const { rows } = await sql<{
    total: number;
  }>`select count(*)::int as total from api_key where name = ${name}`.execute(db());
  return rows[0]?.total ?? 0;
};
const choose = async (...chosen: ChoiceName[]): Promise<void> => {
  await sql`insert into setting (key, value, changed_at, changed_by) values ('approvals.chosen', ${JSON.stringify(chosen)}::jsonb, now(), 'test')
    on conflict (key) do update set value = excluded.value`.execute(db());
};
const stateOf = async (approvalId: Id<'apr'>, admin: Admin = first) =>
  console.ok(approvals.getApproval, { approvalId }, { token: admin.token });
const approve = (approvalId: Id<'apr'>, token: string) => ask(approvals.approve, { approvalId }, token);

const toDecide = async ({ token }: Admin): Promise<number> =>
  (await console.ok(consoleContract.adminDashboard, {}, { token })).approvals;

async function anotherAdmin(account: string): Promise<Admin> {
  const { user, password } = await console.ok(
    identity.createUser,
    { account, name: account.split('@')[0] ?? '', role: 'Admin' },
    { token: first.token },
  );
  const token = await signIn(console, account, password ?? '');
  return { token, userId: user.id, account, password: password ?? '' };
}
async function signAllIn(): Promise<void> {
  for (const admin of [first, second, third])
    admin.token = await signIn(console, admin.account, admin.password);
}

beforeAll(async () => {
  console = await createTestConsole();
  await unschedule(console.app, 'approvals');
  const token = await setUp(console);
  const { items } = await console.ok(identity.listUsers, {}, { token });
  first = { token, userId: required(items[0], 'the first Admin').id, ...adminAccount };
  organizationId = (await registerUser(console, 'owner@one.example', 'One')).organizationId as Id<'org'>;
});
beforeEach(async () => choose('api_keys'));
afterEach(() => armFailPoints(console.app, undefined));

it('T-APPROVE: each call that can need approval has a title in the infinitive, because it has not run yet', () => {
  const calls = Object.values(choices).flatMap((choice) => choice.calls);
  for (const texts of [zhTW, enUS]) {
    const named: Readonly<Record<string, string>> = texts;
    const names = calls.map((call) => named[`approvals.call_${call}`]);
    expect(calls.filter((_call, place) => names[place] === undefined)).toEqual([]);
    expect(names.filter((name) => /^\w+ed\b/.test(name ?? ''))).toEqual([]);
  }
});

describe('T-APPROVALS: choosing which calls need approval', () => {
  it('is rejected while there is only one Admin; the list is empty at first', async () => {
    await choose();
    const chosen: ChoiceName[] = ['void_bill'];
    const alone = await console.call(approvals.setApprovals, { chosen, days: 7 }, { token: first.token });
    expect(alone).toMatchObject({ status: 422, envelope: { code: 'approvals.needs_two' } });
    expect(alone.envelope.errors).toMatchObject([{ field: 'chosen' }]);
    second = await anotherAdmin('second@cloud.example');
    third = await anotherAdmin('third@cloud.example');
    const settings = await console.ok(
      approvals.setApprovals,
      { chosen: ['approvals'], days: 7 },
      { token: first.token },
    );
    expect(settings).toMatchObject({ chosen: ['approvals'], approvers: 3 });
    expect(settings.choices.map(({ name }) => name)).toEqual([...choiceNames]);
    // Every call has a title in both languages.
    expect(settings.choices.flatMap(({ calls }) => calls).filter((name) => name.includes('audit.'))).toEqual(
      [],
    );
    // Changing the setting itself needs approval, too.
    const off = await ask(approvals.setApprovals, { chosen: [], days: 7 }, first.token);
    expect(off.status).toBe(202);
    expect((await console.ok(approvals.getApprovalSettings, {}, { token: first.token })).chosen).toEqual([
      'approvals',
    ]);
    await approve(off.approvalId, second.token);
    expect((await console.ok(approvals.getApprovalSettings, {}, { token: first.token })).chosen).toEqual([]);
  });
});

describe('T-APPROVALS: every call that can need approval', () => {
  /** All rows of the database except those of the approval request itself. */
  async function everything(): Promise<Record<string, string>> {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not in ('approval', 'audit_log', 'audit_head', 'outbox', 'notification', 'notification_digest', 'rate_window', 'idempotency_key', 'last_write', 'row_count', 'console_process') order by 1`.execute(
      db(),
    );
    const found: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await sql<{
        digest: string;
      }>`select count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') as digest from ${sql.table(name)} t`.execute(
        db(),
      );
      found[name] = rows[0]?.digest ?? '';
    }
    return found;
  }

  it('is held when it was chosen, and changes nothing', async () => {
    await choose(...choiceNames);
    const before = await everything();
    const answers: Record<string, number> = {};
    for (const { calls } of Object.values(choices))
      for (const name of calls) {
        const { route } = approvalsConsole.callOf(name);
        const about = {
          userId: second.userId,
          role: 'Admin',
          billId: undefined,
          organizationId,
          revision: 1,
          providerAllowsAdmin: true,
        };
        answers[name] = (await ask(route, sampleInput(route.input, about), first.token)).status;
      }
    expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((name) => [name, 202])));
    expect(await everything()).toEqual(before);
    const { rows } = await sql<{ call: string }>`select distinct call from approval`.execute(db());
    expect(rows.map(({ call }) => call).toSorted()).toEqual(Object.keys(answers).toSorted());
    await sql`delete from approval`.execute(db());
  });

  it('runs immediately when it was not chosen or a customer makes it; invalid input and missing permission are rejected before it is held', async () => {
    await choose('void_bill', 'admins');
    expect((await newKey('free')).status).toBeLessThan(202);
    expect(await keysNamed('free')).toBe(1);
    // These calls are about a user who is not an Admin and does not become one.
    const { items } = await console.ok(identity.listUsers, { role: 'User' }, { token: first.token });
    const userId = required(items[0], 'the customer').id;
    const renamed = await ask(identity.updateUser, { userId, name: 'Renamed' }, first.token);
    expect(renamed.status).toBe(200);
    expect((await ask(identity.updateUser, { userId, role: 'Admin' }, first.token)).status).toBe(202);
    // An identity provider could make anybody an Admin; other settings need no approval.
    const set = async (settings: z.input<typeof administration.updateSettings.input>) =>
      (await ask(administration.updateSettings, settings, first.token)).status;
    expect(await set({ providerAllowsAdmin: true })).toBe(202);
    expect(await set({ providerAllowsAdmin: false, dueDays: 20 })).toBe(200);
    await choose('api_keys');
    expect((await ask(identity.createApiKey, { name: '' }, first.token)).status).toBe(400);
    expect((await ask(identity.createApiKey, { name: 'x' }, 'none')).status).toBe(401);
  });
});

describe('T-APPROVALS: an approval request', () => {
  it('is encrypted in the database, notifies the other Admins, and is shown without secrets', async () => {
    await choose('sign_in', 'admins');
    const { approvalId } = await ask(
      identity.createUser,
      {
        account: 'boss@cloud.example',
        name: 'Boss',
        role: 'Admin',
        password: 'horse battery staple',
      } as never,
      first.token,
    );
    const { rows } = await sql<{
      sealed: Buffer;
    }>`select sealed_call as sealed from approval where id = ${approvalId}`.execute(db());
    expect(rows[0]?.sealed.toString('latin1')).not.toContain('boss@cloud.example');
    const detail = await stateOf(approvalId, second);
    expect(detail).toMatchObject({
      state: 'waiting',
      call: 'identity.createUser',
      requestedBy: { id: first.userId },
      isOwn: false,
      mayDecide: true,
    });
    expect(detail.fields).toContainEqual({ path: 'account', value: 'boss@cloud.example' });
    expect(detail.fields).toContainEqual({ path: 'password', value: null });
    expect(JSON.stringify(detail)).not.toContain('horse battery');
    const inbox = await console.ok(notifications.listNotifications, {}, { token: second.token });
    expect(JSON.stringify(inbox.items)).toContain(approvalId);
    const own = await console.ok(notifications.listNotifications, {}, { token: first.token });
    expect(JSON.stringify(own.items)).not.toContain(approvalId);
  });

  it('names everybody whom a bulk change is about', async () => {
    await choose('admins');
    const ids = [second.userId, third.userId];
    const { approvalId } = await ask(users.startBatch, { action: 'deactivate', ids } as never, first.token);
    const detail = await stateOf(approvalId, second);
    expect(detail.subject).toBe('second · second@cloud.example / third · third@cloud.example');
    expect(detail.fields).toContainEqual({
      path: 'ids',
      value: ids.join(', '),
      names: ['second · second@cloud.example', 'third · third@cloud.example'],
    });
    await console.ok(approvals.reject, { approvalId, note: 'Not now' }, { token: second.token });
  });

  it('is approved once by another Admin, runs as its requester, and both are in the audit log', async () => {
    const approvalId = await waiting('agreed');
    expect(await keysNamed('agreed')).toBe(0);
    const answer = await approve(approvalId, second.token);
    expect(answer.envelope.data).toMatchObject({
      state: 'done',
      decidedBy: { id: second.userId },
      failure: null,
    });
    expect(await keysNamed('agreed')).toBe(1);
    const { rows } = await sql<{
      by: string;
    }>`select created_by as by from api_key where name = 'agreed'`.execute(db());
    expect(rows[0]?.by).toBe(first.userId);
    const { rows: audited } = await sql<{
      action: string;
      actor: string;
      detail: object;
    }>`select action, actor_id as actor, detail from audit_log where detail->>'approvalId' = ${approvalId}`.execute(
      db(),
    );
    expect(audited).toMatchObject([
      { action: 'identity.createApiKey', actor: first.userId, detail: { approvedBy: second.userId } },
    ]);
    expect((await approve(approvalId, third.token)).envelope.code).toBe('approvals.over');
    // The new key is shown to its requester once and is not stored anywhere.
    const open = await stateOf(approvalId);
    expect(open.hasSecrets).toBe(true);
    expect(open.outcome).not.toContainEqual(
      expect.objectContaining({ path: 'secret', value: expect.anything() as unknown }),
    );
    expect((await stateOf(approvalId, second)).hasSecrets).toBe(false);
    const other = await ask(approvals.takeSecrets, { approvalId }, second.token);
    expect(other.envelope.code).toBe('approvals.not_own');
    const { secrets } = await console.ok(approvals.takeSecrets, { approvalId }, { token: first.token });
    expect(secrets).toMatchObject([{ path: 'secret', value: expect.stringMatching(/^skytally_/) as string }]);
    expect((await ask(approvals.takeSecrets, { approvalId }, first.token)).envelope.code).toBe(
      'approvals.no_secrets',
    );
  });

  it('cannot be decided by its requester, whether in person, with one of their keys, or with any key', async () => {
    await choose('prices');
    const permissions = ['catalogue:write', 'approvals:read', 'approvals:write'] as const;
    const keyOf = async ({ token }: Admin): Promise<string> => {
      const { secret } = await console.ok(
        identity.createApiKey,
        { name: 'program', scope: 'permissions', permissions: [...permissions], irreversible: true },
        { token },
      );
      return required(secret, 'a secret');
    };
    const [ownKey, otherKey] = [await keyOf(first), await keyOf(second)];
    const service = {
      name: 'Storage',
      type: 'Storage',
      category: 'Platform',
      pricing: { model: 'per_unit', currency: 'TWD', baseFee: '100', unitPrice: '1.2' },
      meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
    } as const;
    // A request made with a key counts as its owner’s.
    const byKey = await ask(catalogue.createService, service as never, ownKey);
    expect(byKey.status).toBe(202);
    const { approvalId } = byKey;
    expect(await stateOf(approvalId, second)).toMatchObject({
      requestedBy: { id: first.userId },
      byKey: 'program',
    });
    for (const token of [first.token, ownKey, otherKey]) {
      const refused = await approve(approvalId, token);
      expect([
        refused.status,
        (await ask(approvals.reject, { approvalId, note: 'x' }, token)).status,
      ]).toEqual([403, 403]);
    }
    expect((await approve(approvalId, first.token)).envelope.code).toBe('approvals.own');
    // A key may read and withdraw requests.
    expect((await console.ok(approvals.listApprovals, {}, { token: ownKey })).items[0]?.id).toBe(approvalId);
    const done = await approve(approvalId, second.token);
    expect(done.envelope.data).toMatchObject({ state: 'done' });
    const { items } = await console.ok(catalogue.adminListServices, {}, { token: first.token });
    expect(items.filter(({ name }) => name === 'Storage')).toHaveLength(1);
  });

  it('counts on the dashboard of everybody who may decide it while it is pending', async () => {
    const before = [await toDecide(first), await toDecide(second)];
    const approvalId = await waiting('counted');
    expect([await toDecide(first), await toDecide(second)]).toEqual([before[0], (before[1] ?? 0) + 1]);
    await console.ok(approvals.reject, { approvalId, note: 'Not now' }, { token: second.token });
    expect([await toDecide(first), await toDecide(second)]).toEqual(before);
  });

  it('does not run if its requester has lost the permission or was deactivated', async () => {
    const [narrowed, gone] = [await waiting('narrowed', third), await waiting('gone', third)];
    const role = await console.ok(
      customRoles.createRole,
      {
        baseRole: 'Admin',
        name: 'Catalogue',
        description: '',
        permissions: ['catalogue:read', 'reports:read'],
      },
      { token: first.token },
    );
    const set = (fields: object) =>
      ask(identity.updateUser, { userId: third.userId, ...fields }, first.token);
    await set({ customRoleId: role.id });
    const refused = await approve(narrowed, second.token);
    expect(refused.envelope.data).toMatchObject({
      state: 'failed',
      failure: { code: 'platform.role_permission' },
    });
    // Users without access to approvals see only their own requests and decide none.
    third.token = await signIn(console, third.account, third.password);
    const visible = await console.ok(approvals.listApprovals, {}, { token: third.token });
    expect(new Set(visible.items.map(({ requestedBy }) => requestedBy.id))).toEqual(new Set([third.userId]));
    const other = await waiting('other');
    expect((await approve(other, third.token)).status).toBe(403);
    expect(await toDecide(third)).toBe(0);
    await set({ customRoleId: null });
    await set({ status: 'inactive' });
    expect((await approve(gone, second.token)).envelope.data).toMatchObject({
      state: 'failed',
      failure: { code: 'approvals.requester_gone' },
    });
    await set({ status: 'active' });
    third.token = await signIn(console, third.account, third.password);
    expect([await keysNamed('narrowed'), await keysNamed('gone')]).toEqual([0, 0]);
  });

  it('runs once when two Admins approve at the same time, and after the console crashed between approval and run', async () => {
    const two = await waiting('two');
    const answers = await Promise.all([approve(two, second.token), approve(two, third.token)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await keysNamed('two')).toBe(1);

    const killed = await waiting('killed');
    armFailPoints(console.app, () => {
      throw new Error('the console dies here');
    });
    expect((await approve(killed, second.token)).status).toBe(500);
    armFailPoints(console.app, undefined);
    expect([await keysNamed('killed'), (await stateOf(killed)).state]).toEqual([0, 'approved']);
    await Promise.all([runFeatureJob(console.app, 'approvals'), runFeatureJob(console.app, 'approvals')]);
    expect([await keysNamed('killed'), (await stateOf(killed)).state]).toEqual([1, 'done']);
  });

  it('is created once per idempotency key, and a repeat returns the same response after it ran', async () => {
    const headers = { 'idempotency-key': 'once' };
    const [one, again] = await Promise.all([newKey('idem', first, headers), newKey('idem', first, headers)]);
    expect([one.status, again.status, again.approvalId]).toEqual([202, 202, one.approvalId]);
    expect((await newKey('another', first, headers)).envelope.code).toBe('platform.idempotency_conflict');
    await approve(one.approvalId, second.token);
    await choose();
    const after = await newKey('idem', first, headers);
    expect([after.status, after.approvalId, await keysNamed('idem')]).toEqual([202, one.approvalId, 1]);
  });

  it('fails by the rules at the time it runs: If-Match, and a state that has changed', async () => {
    await choose();
    const { items } = await console.ok(catalogue.adminListServices, {}, { token: first.token });
    const serviceId = required(items[0], 'a service').id;
    const read = await fetch(`${console.address}/api/admin/services/${serviceId}`, {
      headers: { authorization: `Bearer ${first.token}` },
    });
    const etag = read.headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    await choose('prices');
    const change = (name: string, tag: string) =>
      ask(catalogue.updateService, { serviceId, name } as never, first.token, { 'if-match': tag });
    expect((await change('Stale', '"old"')).status).toBe(412);
    const [good, late] = [await change('Good', etag), await change('Late', etag)];
    expect([good.status, late.status]).toEqual([202, 202]);
    expect((await approve(good.approvalId, second.token)).envelope.data).toMatchObject({ state: 'done' });
    expect((await approve(late.approvalId, second.token)).envelope.data).toMatchObject({
      state: 'failed',
      failure: { code: 'platform.changed_since' },
    });
  });

  it('can be rejected with a note, withdrawn only by its requester, and expires by itself', async () => {
    const rejected = await waiting('rejected');
    await console.ok(approvals.reject, { approvalId: rejected, note: 'Not now' }, { token: second.token });
    expect(await stateOf(rejected)).toMatchObject({ state: 'rejected', note: 'Not now' });
    const withdrawn = await waiting('withdrawn');
    expect(
      (await ask(approvals.withdrawApproval, { approvalId: withdrawn }, second.token)).envelope.code,
    ).toBe('approvals.not_own');
    await console.ok(approvals.withdrawApproval, { approvalId: withdrawn }, { token: first.token });
    const expired = await waiting('expired');
    console.clock.advance(7 * day + 1);
    await signAllIn();
    for (const approvalId of [rejected, withdrawn, expired])
      expect((await approve(approvalId, second.token)).envelope.code).toBe('approvals.over');
    expect((await stateOf(expired)).state).toBe('expired');
    await runFeatureJob(console.app, 'approvals');
    expect((await stateOf(expired)).state).toBe('expired');
    expect([await keysNamed('rejected'), await keysNamed('withdrawn'), await keysNamed('expired')]).toEqual([
      0, 0, 0,
    ]);
    // Its contents are deleted 90 days after it ended.
    console.clock.advance(91 * day);
    await runFeatureJob(console.app, 'approvals');
    await signAllIn();
    expect((await stateOf(expired)).fields).toBeNull();
  });

  it('is named in the audit log by its action and subject in the reader’s language, even after its contents were deleted', async () => {
    const approvalId = await waiting('worded');
    const named = async (language: 'zhTW' | 'enUS') =>
      (await console.ok(audit.listAudit, { q: approvalId, language }, { token: first.token })).items[0]
        ?.subjectName;
    const words = {
      zhTW: zhTW['approvals.call_identity.createApiKey'],
      enUS: enUS['approvals.call_identity.createApiKey'],
    };
    expect(await named('zhTW')).toBe(`${words.zhTW} · worded`);
    expect(await named('enUS')).toBe(`${words.enUS} · worded`);
    const [row] = (await console.ok(audit.listAudit, { q: approvalId }, { token: first.token })).items;
    const opened = await console.ok(
      audit.getAudit,
      { rowId: required(row, 'the row').id, language: 'enUS' },
      { token: first.token },
    );
    expect(opened.subjectName).toBe(`${words.enUS} · worded`);
    await unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, (ctx) =>
      forgetApprovals(ctx, [approvalId]),
    );
    expect(await named('enUS')).toBe(words.enUS);
  });

  it('also runs calls with transactions of their own, such as closing a month', async () => {
    await choose('close_month');
    const month = '2024-09' as BillingMonth;
    const held = await ask(billing.closeMonth, { month }, first.token);
    expect(held.status).toBe(202);
    const runs = async () => (await sql`select 1 from close_run`.execute(db())).rows.length;
    const before = await runs();
    expect((await approve(held.approvalId, second.token)).envelope.data).toMatchObject({ state: 'done' });
    expect(await runs()).toBe(before + 1);
  });
});
