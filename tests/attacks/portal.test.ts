// Portal links: each grants access to its pages and nothing else, for one organization, once, and never after
// it was revoked.
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { audit } from '#features/access/audit/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import {
  longestSessionMinutes,
  portal,
  portalPages,
  type PortalPage,
} from '#features/access/portal/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { everyFeature } from '#app/every-feature.ts';
import { liveReview } from '#app/live-admission.ts';
import { portalAllows, portalCalls } from '#app/portal-calls.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';
import { publish, RawClient } from '../support/live.ts';

const folder = mkdtempSync(join(tmpdir(), 'skytally-test-'));
const host = 'https://portal.example.com';
let console: TestConsole;
let admin: string;
let one: { token: string; organizationId: Id<'org'>; billId: Id<'bil'>; subscriptionId: Id<'sub'> };
let two: typeof one;

const calls: [string, Route][] = everyFeature({ jobs: () => [], kinds: () => [] }).flatMap((feature) =>
  Object.entries(feature.contract).map(([verb, route]): [string, Route] => [
    `${feature.name}.${verb}`,
    route,
  ]),
);

async function customer(account: string, name: string, serviceId: Id<'svc'>) {
  const { token, organizationId } = await registerUser(console, account, name);
  const { id } = await console.ok(subscriptions.subscribe, { serviceId }, { token });
  return { token, organizationId: organizationId as Id<'org'>, subscriptionId: id };
}
async function billed(who: Omit<typeof one, 'billId'>, account: string): Promise<typeof one> {
  const token = await signIn(console, account);
  const { items } = await console.ok(billing.listBills, {}, { token });
  return { ...who, token, billId: items[0]?.id ?? ('' as Id<'bil'>) };
}
type LinkFields = Partial<Parameters<typeof makeLink>[0]>;
const makeLink = (fields: {
  organizationId: Id<'org'>;
  pages: PortalPage[];
  mayChange: boolean;
  origins?: string[];
  actor?: string;
  returnUrl?: string;
  sessionMinutes?: number;
  theme?: { mode?: 'light' | 'dark' | 'auto'; accent?: string | null };
}) => console.call(portal.createLink, fields, { token: admin });
const linkOf = async (fields: LinkFields = {}) => {
  const { data, envelope } = await makeLink({
    organizationId: one.organizationId,
    pages: [...portalPages],
    mayChange: true,
    ...fields,
  });
  expect(envelope.message).toBe('Success');
  const url = new URL(data.url ?? '');
  return { id: data.id, url, token: new URLSearchParams(url.hash.slice(1)).get('token') ?? '' };
};
const open = (token: string) => console.call(portal.openLink, { token });
const opened = async (fields?: LinkFields) => {
  const link = await linkOf(fields);
  const { data } = await open(link.token);
  return { ...link, session: data.token };
};
const codeOf = async (answer: Promise<{ status: number; envelope: { code?: string } }>) => {
  const { status, envelope } = await answer;
  return [status, envelope.code];
};
const bills = (token: string) => console.call(billing.listBills, {}, { token });
const ask = async (route: Route, token: string): Promise<{ status: number; code: string | undefined }> => {
  const answer = await fetch(`${console.address}/api${route.path.replace(/:\w+/g, 'x')}`, {
    method: route.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': route.raw?.types[0] ?? 'application/json' },
    ...(route.method === 'GET' || route.method === 'DELETE' ? {} : { body: '{}' }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') === true;
  return {
    status: answer.status,
    code: isJson ? (JSON.parse(text) as { code?: string }).code : undefined,
  };
};

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<!doctype html><p>x</p>');
  writeFileSync(join(folder, 'embed.js'), 'export {};');
  console = await createTestConsole(new Date('2024-09-05T00:00:00Z'), {}, undefined, {
    webDirectory: folder,
  });
  admin = await setUp(console);
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
  const first = await customer('owner@one.example', 'One', service.id);
  const second = await customer('owner@two.example', 'Two', service.id);
  console.clock.set(new Date('2024-10-04T00:00:00Z'));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  await console.ok(billing.closeMonth, { month: '2024-09' as BillingMonth }, { token: admin });
  one = await billed(first as typeof one, 'owner@one.example');
  two = await billed(second as typeof two, 'owner@two.example');
  await console.ok(portal.saveSettings, { origins: [host, 'https://other.example.com'] }, { token: admin });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A list kept in this test: the calls that the pages of a link may make. All others are rejected. */
const everywhere = /^(grants\.ownGrants|administration\.seenAs|identity\.(organization|liveTicket))$/;
const looks: Record<PortalPage, RegExp> = {
  usage:
    /^(subscriptions\.(listSubscriptions|getSubscription)|usage\.(charges|statistics|daily|events|usageMonths)|insights\.(explore|dimensions|forecast|unusualDays|exportUsage)|quotas\.listQuotas|budgets\.listBudgets)$/,
  bills:
    /^(billing\.(listBills|currentBill|getBill|exportBills|billsOfYear|billPdf|billCsv|explainLine|explainCurrentLine|listConsolidatedBills|getConsolidatedBill|consolidatedBillPdf|consolidatedBillCsv)|credits\.(billHistory|listCreditNotes|creditNotePdf|creditNoteCsv)|payments\.(balance|listPayments|getPayment|receipt)|plans\.billPlan|latefees\.billLateFees|collection\.billCollection|en16931\.(billDocument|creditNoteDocument)|billproofs\.billProof|resellers\.(ownResale|retailBills|retailBill|retailBillPdf|retailCreditPdf))$/,
  paymentMethods: /^(collection\.listCards|payments\.balance)$/,
  subscriptions:
    /^(subscriptions\.(listSubscriptions|getSubscription|listPlans|history|listAddOns)|usage\.(charges|daily)|quotas\.listQuotas|planning\.planFit)$/,
};
const changes =
  /^(payments\.(paymentOptions|payBill|payConsolidatedBill)|collection\.(addCard|setDefaultCard|removeCard|setCollection)|subscriptions\.(previewChange|change|takeBackChange|previewCancel|cancel|previewStop|stop|start|previewRenew|renew|previewAddOn|addAddOn))$/;

describe('T-PORTAL-DENY: access of a link', () => {
  it.each(portalPages.flatMap((page) => [[page, false] as const, [page, true] as const]))(
    '%s, changes %s: the calls of that page and no others',
    (page, mayChange) => {
      const link = { linkId: 'plk_x' as Id<'plk'>, pages: [page], mayChange, actor: '' };
      for (const [name, route] of calls) {
        const isLook = everywhere.test(name) || looks[page].test(name);
        const isChange = mayChange && changes.test(name) && portalCalls([page], true).has(name);
        expect(portalAllows(name, route, link), name).toBe(isLook || isChange);
      }
    },
  );

  it('of all calls only the listed ones are allowed, and none of them is an Admin’s', async () => {
    const { session } = await opened({ mayChange: true });
    const { session: reader } = await opened({ pages: ['usage'], mayChange: false });
    for (const [name, route] of calls) {
      if (typeof route.access === 'string') continue;
      const isOpen =
        everywhere.test(name) || portalPages.some((page) => looks[page].test(name)) || changes.test(name);
      // Calls that change something are tested with ids below.
      if (!isOpen || route.method === 'GET') {
        const { status, code } = await ask(route, session);
        if (isOpen) expect([401, 403], name).not.toContain(status);
        else expect([status, code], name).toEqual([403, 'platform.portal_never']);
      }
      if (isOpen) expect(route.access.roles, name).toContain('User');
      // Calls of no page are rejected above; calls of other pages are rejected for this link.
      if (!isOpen || looks.usage.test(name) || everywhere.test(name)) continue;
      expect(await ask(route, reader), name).toEqual({ status: 403, code: 'platform.portal_never' });
    }
  });

  it('works only for the API of its organization, not with cookies or other authentication schemes', async () => {
    const { session } = await opened();
    const others: readonly [string, string][] = [
      ['cookie', `session=${session}`],
      ['authorization', `Basic ${session}`],
    ];
    for (const header of others)
      expect((await fetch(`${console.address}/api/bills`, { headers: [header] })).status).toBe(401);
    const batch = await fetch(`${console.address}/api/together?get=/bills/current&get=/user/profile`, {
      headers: { authorization: `Bearer ${session}` },
    });
    const { data } = (await batch.json()) as { data: { status: number }[] };
    expect(data.map(({ status }) => status)).toEqual([200, 403]);
  });

  it('covers its own organization; ids of another one do not exist', async () => {
    const { session: token } = await opened();
    const own = await console.ok(identity.organization, {}, { token });
    expect(own.id).toBe(one.organizationId);
    expect((await bills(token)).data.items.map(({ id }) => id)).toEqual([one.billId]);
    for (const answer of [
      console.call(billing.getBill, { billId: two.billId }, { token }),
      console.call(subscriptions.getSubscription, { subscriptionId: two.subscriptionId }, { token }),
      console.call(subscriptions.cancel, { subscriptionId: two.subscriptionId }, { token }),
      console.call(payments.payBill, { billId: two.billId, method: 'balance' }, { token }),
    ])
      expect((await answer).status).toBe(404);
  });

  it('of a read-only link cannot change anything, with any call of any page', async () => {
    const { session: token } = await opened({ mayChange: false });
    for (const [name, route] of calls)
      if (typeof route.access === 'object' && route.method !== 'GET' && changes.test(name))
        expect(await ask(route, token), name).toEqual({ status: 403, code: 'platform.portal_never' });
    expect(
      await codeOf(console.call(subscriptions.cancel, { subscriptionId: one.subscriptionId }, { token })),
    ).toEqual([403, 'platform.portal_never']);
  });

  it('two links of one Admin share no stored response of an Idempotency-Key', async () => {
    const mine = await opened();
    const other = await opened({ organizationId: two.organizationId });
    const cancel = (who: typeof one, token: string) =>
      console.call(
        subscriptions.stop,
        { subscriptionId: who.subscriptionId },
        { token, headers: { 'idempotency-key': 'same' } },
      );
    const first = await cancel(one, mine.session);
    const second = await cancel(two, other.session);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect([first.data.id, second.data.id]).toEqual([one.subscriptionId, two.subscriptionId]);
  });
});

describe('T-PORTAL-ONCE: a portal link', () => {
  it('opened twenty times at once gives one session', async () => {
    const { token } = await linkOf();
    const answers = await Promise.all(Array.from({ length: 20 }, () => open(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ envelope }) => envelope.code === 'portal.link_used')).toHaveLength(19);
  });

  it('that was changed, has expired, or is of another console is rejected', async () => {
    const { token } = await linkOf();
    expect(await codeOf(open(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`))).toEqual([
      404,
      'portal.link_invalid',
    ]);
    expect(await codeOf(open('A'.repeat(43)))).toEqual([404, 'portal.link_invalid']);
    const before = console.clock.now();
    console.clock.set(new Date(before.getTime() + 300_000));
    expect(await codeOf(open(token))).toEqual([410, 'portal.link_expired']);
    console.clock.set(before);
    expect((await open(token)).status).toBe(200);
    // The link’s token is not a session token, nor the reverse.
    expect((await bills(token)).status).toBe(401);
  });

  it('gives a session that expires', async () => {
    const { session } = await opened({ sessionMinutes: 5 });
    const { session: hour } = await opened();
    const before = console.clock.now();
    console.clock.set(new Date(before.getTime() + 300_000));
    expect([(await bills(session)).status, (await bills(hour)).status]).toEqual([401, 200]);
    console.clock.set(new Date(before.getTime() + longestSessionMinutes * 60_000));
    expect((await bills(hour)).status).toBe(401);
    console.clock.set(before);
  });

  it('has its token after the #, and nothing of it is stored or in the audit log', async () => {
    const { url, token, session } = await opened({ actor: 'user-42' });
    expect([url.pathname, url.search.includes(token)]).toEqual(['/embed', false]);
    const { rows } = await sql<{
      text: string;
    }>`select row_to_json(p)::text as text from portal_link p union all select detail::text from audit_log where action like 'portal.%'`.execute(
      console.app.database.kysely,
    );
    for (const { text } of rows) expect(text.includes(token) || text.includes(session)).toBe(false);
  });

  it('redirects, colors and frame origins are validated', async () => {
    const refused = async (fields: LinkFields) => {
      const { status, envelope } = await makeLink({
        organizationId: one.organizationId,
        pages: ['bills'],
        mayChange: false,
        ...fields,
      });
      return [status, envelope.errors?.[0]?.code ?? envelope.code];
    };
    expect(await refused({ origins: ['https://evil.example'] })).toEqual([422, 'portal.origin_not_allowed']);
    expect(await refused({ origins: ['https://*.example.com'] })).toEqual([400, 'portal.origin_wrong']);
    expect(await refused({ returnUrl: 'javascript:alert(1)' })).toEqual([400, 'portal.return_wrong']);
    expect(await refused({ theme: { accent: '#FFE066' } })).toEqual([422, 'portal.accent_pale']);
    expect((await refused({ organizationId: `org_${'0'.repeat(26)}` as Id<'org'> }))[0]).toBe(404);
  });
});

describe('T-PORTAL-FRAME: the content security policy', () => {
  const ancestors = async (path: string) =>
    /frame-ancestors ([^;]*)/.exec(
      (await fetch(console.address + path)).headers.get('content-security-policy') ?? '',
    )?.[1];

  it('allows exactly the frame origins of the link, only on its page', async () => {
    const { id, url } = await linkOf({ origins: [host] });
    expect(await ancestors(url.pathname + url.search)).toBe(host);
    for (const path of [
      '/',
      '/login',
      '/embed',
      '/embed?link=x',
      `/embed/x?link=${id}`,
      `/login?link=${id}`,
      `/embed?link=plk_${'0'.repeat(26)}`,
    ])
      expect(await ancestors(path), path).toBe("'none'");
    expect(
      (await fetch(console.address + url.pathname + url.search)).headers.get('x-frame-options'),
    ).toBeNull();
    const alone = await linkOf();
    expect(await ancestors(alone.url.pathname + alone.url.search)).toBe("'none'");
  });

  it('follows changes of the settings and the end of the link', async () => {
    const { id, url, session } = await opened({ origins: [host, 'https://other.example.com'] });
    const path = url.pathname + url.search;
    expect(await ancestors(path)).toBe(`${host} https://other.example.com`);
    await console.ok(portal.saveSettings, { origins: [host] }, { token: admin });
    expect(await ancestors(path)).toBe(host);
    await console.ok(
      portal.revokeSession,
      { organizationId: one.organizationId, portalLinkId: id },
      { token: admin },
    );
    expect([await ancestors(path), (await bills(session)).status]).toEqual(["'none'", 401]);
    await console.ok(portal.saveSettings, { origins: [host, 'https://other.example.com'] }, { token: admin });
  });

  it('lets other sites load only the script of the frame', async () => {
    const policy = async (path: string) =>
      (await fetch(console.address + path)).headers.get('cross-origin-resource-policy');
    expect([await policy('/embed.js'), await policy('/login')]).toEqual(['cross-origin', 'same-origin']);
  });
});

describe('T-PORTAL-REVOKE: a session ends at once', () => {
  it('when an Admin ends it from the list', async () => {
    const { id, session } = await opened({ actor: 'user-42' });
    const waiting = await linkOf();
    const { items } = await console.ok(
      portal.listSessions,
      { organizationId: one.organizationId },
      { token: admin },
    );
    expect(items.find((each) => each.id === id)).toMatchObject({
      state: 'open',
      actor: 'user-42',
      mayChange: true,
    });
    expect(items.find((each) => each.id === waiting.id)?.state).toBe('unopened');
    for (const portalLinkId of [id, waiting.id])
      await console.ok(
        portal.revokeSession,
        { organizationId: one.organizationId, portalLinkId },
        { token: admin },
      );
    expect((await bills(session)).status).toBe(401);
    expect(await codeOf(open(waiting.token))).toEqual([404, 'portal.link_invalid']);
    expect(
      await codeOf(
        console.call(
          portal.revokeSession,
          { organizationId: two.organizationId, portalLinkId: id },
          { token: admin },
        ),
      ),
    ).toEqual([404, 'portal.session_not_found']);
  });

  it('when the key that created it is revoked; creating a link needs a key with the permission', async () => {
    const key = async (permission: 'portal:write' | 'billing:write') =>
      console.ok(
        identity.createApiKey,
        { name: 'host page', scope: 'permissions', permissions: [permission] },
        { token: admin },
      );
    const [right, wrong] = [await key('portal:write'), await key('billing:write')];
    const make = (secret: string) =>
      console.call(
        portal.createLink,
        { organizationId: one.organizationId, pages: ['bills'], mayChange: false },
        { token: secret },
      );
    expect(await codeOf(make(wrong.secret))).toEqual([403, 'platform.key_permission']);
    expect(await codeOf(console.call(portal.saveSettings, { origins: [] }, { token: right.secret }))).toEqual(
      [403, 'platform.key_never'],
    );
    const { data } = await make(right.secret);
    const session = (await open(new URL(data.url ?? '').hash.slice('#token='.length))).data.token;
    expect((await bills(session)).status).toBe(200);
    await console.ok(identity.revokeApiKey, { keyId: right.key.id }, { token: admin });
    expect((await bills(session)).status).toBe(401);
  });

  it('when its organization is closed', async () => {
    const { session } = await opened({ organizationId: two.organizationId });
    expect((await bills(session)).status).toBe(200);
    const close = (at: Date | null) =>
      sql`update organization set closed_at = ${at} where id = ${two.organizationId}`.execute(
        console.app.database.kysely,
      );
    await close(new Date());
    expect((await bills(session)).status).toBe(401);
    expect(
      await codeOf(makeLink({ organizationId: two.organizationId, pages: ['bills'], mayChange: false })),
    ).toEqual([409, 'portal.organization_closed']);
    await close(null);
  });
});

describe('T-PORTAL-LIVE: a session receives live updates of its pages only', () => {
  const ticketOf = async (token: string) => (await console.ok(identity.liveTicket, {}, { token })).ticket;
  const hello = async (userName: string, ticket: string) => {
    const client = await RawClient.open(console);
    return { client, code: await client.sendConnect(userName, ticket, `${userName}-1`) };
  };
  const org = (kind: string, organizationId: string = one.organizationId) => `org/${organizationId}/${kind}`;

  it.each([
    [['bills'], ['bills', 'usage']],
    [['usage'], ['usage']],
    [['paymentMethods'], ['bills']],
    [['subscriptions'], ['usage']],
  ] as const)('a read-only link to %j receives %j of its own organization', async (pages, kinds) => {
    const { id, session } = await opened({ pages: [...pages], mayChange: false });
    const { client, code } = await hello(id, await ticketOf(session));
    expect(code).toBe(0);
    const topics = [
      ...['usage', 'bills', 'commitments', 'notifications'].map((kind) => org(kind)),
      ...['usage', 'bills'].map((kind) => org(kind, two.organizationId)),
      'system/billing',
      'portal/+/sessions',
      '#',
      `portal/${id}/sessions`,
    ];
    const granted = await client.subscribe(topics);
    expect(topics.filter((_topic, index) => granted[index] === 0)).toEqual([
      ...['usage', 'bills'].filter((kind) => kinds.some((each) => each === kind)).map((kind) => org(kind)),
      `portal/${id}/sessions`,
    ]);
    await publish(console, `portal/${id}/sessions`, { kind: 'sessions' });
    await publish(console, org('usage', two.organizationId), { kind: 'usage' });
    await publish(console, org(kinds[0]), { kind: 'usage' });
    await expect.poll(() => client.news().map(({ topic }) => topic)).toContain(org(kinds[0]));
    expect(client.news().some(({ topic }) => topic.includes(two.organizationId))).toBe(false);
  });

  it('a ticket is valid once, for its own link, in a browser, and for a minute', async () => {
    const mine = await opened();
    const other = await opened({ organizationId: two.organizationId });
    const ticket = await ticketOf(mine.session);
    const maker = (await console.ok(identity.profile, {}, { token: admin })).id;
    for (const name of [other.id, maker]) expect((await hello(name, ticket)).code, name).toBe(4);
    const machine = await RawClient.open(console, { origin: null });
    expect(await machine.sendConnect(mine.id, ticket, `${mine.id}-1`)).toBe(4);
    expect((await hello(mine.id, mine.session)).code).toBe(4);
    expect((await hello(mine.id, ticket)).code).toBe(0);
    expect((await hello(mine.id, ticket)).code).toBe(4);
    const late = await ticketOf(mine.session);
    const before = console.clock.now();
    console.clock.set(new Date(before.getTime() + 60_000));
    expect((await hello(mine.id, late)).code).toBe(4);
    console.clock.set(before);
  });

  it('a revoked session is told so and disconnected, and gets no new ticket; an older ticket is rejected', async () => {
    const { id, session } = await opened();
    const kept = await ticketOf(session);
    const { client } = await hello(id, await ticketOf(session));
    await client.subscribe([`portal/${id}/sessions`]);
    const revoked = { organizationId: one.organizationId, portalLinkId: id };
    await console.ok(portal.revokeSession, revoked, { token: admin });
    await client.closed;
    expect(client.news()).toEqual([
      { topic: `portal/${id}/sessions`, message: { kind: 'sessions', ended: id } },
    ]);
    expect((await hello(id, kept)).code).toBe(4);
    expect((await console.call(identity.liveTicket, {}, { token: session })).status).toBe(401);
  });

  it('a session that expired or whose creator lost the permission is ended by the next review', async () => {
    const { id } = await opened({ sessionMinutes: 5 });
    const long = await opened();
    const unopened = await linkOf();
    const client = (sessionId: string) => ({ userId: sessionId, sessionId, topics: [] });
    const review = () =>
      liveReview(console.app)([client(id), client(long.id), client(unopened.id)]).then((ids) =>
        ids.toSorted(),
      );
    expect(await review()).toEqual([unopened.id]);
    const before = console.clock.now();
    console.clock.set(new Date(before.getTime() + 300_000));
    expect(await review()).toEqual([id, unopened.id].toSorted());
    console.clock.set(before);
  });
});

it('T-PORTAL-AUDIT: actions through a link are logged with the link, its creator, and the user named by the host page', async () => {
  const { id, session } = await opened({ actor: 'user-42' });
  await console.ok(subscriptions.start, { subscriptionId: one.subscriptionId }, { token: session });
  const { items } = await console.ok(audit.listAudit, { actorId: id }, { token: admin });
  const row = items.find(({ action }) => action === 'subscriptions.start');
  expect(row?.actor).toMatchObject({
    kind: 'portal',
    id,
    name: expect.stringContaining(' · user-42') as string,
  });
  const detail = await console.ok(audit.getAudit, { rowId: row?.id as never }, { token: admin });
  expect(detail.detail).toMatchObject({
    portalActor: 'user-42',
    linkOf: expect.stringMatching(/^usr_/) as string,
  });
});
