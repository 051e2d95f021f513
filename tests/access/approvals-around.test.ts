// Calls that have the effect of a call that needs approval, on a real database: they are held as well, so that
// one Admin alone cannot get around a choice.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { pathNames, type Envelope, type Route } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays } from '#kernel/time.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { approvals, type ChoiceName } from '#features/access/approvals/contract.ts';
import { devices } from '#features/access/devices/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { oneOffs } from '#features/invoicing/one-offs/contract.ts';
import { chargeLateFee } from '#features/invoicing/one-offs/server/index.ts';
import { quotes } from '#features/invoicing/quotes/contract.ts';
import type { QuoteContent } from '#features/invoicing/quotes/contract-content.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { costImports } from '#features/metering/cost-imports/contract.ts';
import { approvalsConsole } from '#app/features.ts';
import { createTestConsole, registerUser, setUp, signIn, type TestConsole } from '../support/console.ts';
import { unschedule } from '../support/jobs.ts';
import { sampleInput } from '../support/sample-input.ts';

let console: TestConsole;
let [first, second] = ['', ''];
let organizationId: Id<'org'>;
let serviceId: Id<'svc'>;
let adminId: Id<'usr'>;
const now = '2026-10-12T04:00:00Z';
const today = '2026-10-12' as LocalDay;
const called = (text: string) => ({ zhTW: text, enUS: text });
const twd = (minor: bigint) => money(minor, 'TWD');
const asFirst = () => ({ token: first });
const db = () => console.app.database.kysely;

const choose = (...chosen: ChoiceName[]) =>
  sql`insert into setting (key, value, changed_at, changed_by) values ('approvals.chosen', ${JSON.stringify(chosen)}::jsonb, now(), 'test')
    on conflict (key) do update set value = excluded.value`.execute(db());
/** A call of the first Admin as it is on the wire, because a held call answers something else than its output. */
async function asked<R extends Route>(
  route: R,
  input: z.input<R['input']>,
): Promise<{ status: number; code: string | undefined; approvalId: Id<'apr'> }> {
  const fields = input as Record<string, unknown>;
  const places = pathNames(route.path);
  const path = route.path.replace(/:(\w+)/g, (_place, name: string) => String(fields[name]));
  const answer = await fetch(`${console.address}/api${path}`, {
    method: route.method,
    headers: { authorization: `Bearer ${first}`, 'content-type': 'application/json' },
    body: JSON.stringify(
      Object.fromEntries(Object.entries(fields).filter(([name]) => !places.includes(name))),
    ),
  });
  const { code, data } = (await answer.json()) as Envelope;
  const { approval } = (data ?? {}) as { approval?: { id: Id<'apr'> } };
  return { status: answer.status, code, approvalId: approval?.id as Id<'apr'> };
}
const approve = (approvalId: Id<'apr'>) => console.ok(approvals.approve, { approvalId }, { token: second });

beforeAll(async () => {
  console = await createTestConsole(new Date(now));
  await unschedule(console.app, 'approvals');
  first = await setUp(console);
  const { password, user } = await console.ok(
    identity.createUser,
    { account: 'second@cloud.example', name: 'Second', role: 'Admin' },
    asFirst(),
  );
  adminId = user.id;
  second = await signIn(console, 'second@cloud.example', required(password, 'a password'));
  organizationId = (await registerUser(console, 'owner@one.example', 'One')).organizationId as Id<'org'>;
  serviceId = (
    await console.ok(
      catalogue.createService,
      {
        name: 'Storage',
        type: 'Storage',
        category: 'Own',
        pricing: { model: 'flat', currency: 'TWD', baseFee: '100' },
        meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
      },
      asFirst(),
    )
  ).id;
});

describe('T-APPROVALS: API keys', () => {
  it('that a device gets are held as well', async () => {
    await choose('api_keys');
    const device = await console.ok(devices.askDevice, {
      name: 'laptop',
      permissions: ['payments:write'],
    });
    const input = { userCode: device.userCode, permissions: ['payments:write'] as const, days: 30 };
    const held = await asked(devices.confirmDevice, { ...input, permissions: [...input.permissions] });
    expect(held.status).toBe(202);
    const poll = () => console.call(devices.pollDevice, { deviceCode: device.deviceCode });
    expect((await poll()).envelope.code).toBe('devices.authorization_pending');
    expect(await approve(held.approvalId)).toMatchObject({ state: 'done' });
    console.clock.advance(10_000);
    expect((await poll()).status).toBe(200);
  });
});

describe('T-APPROVALS: prices', () => {
  it('in a catalog file, and services for reselling, are held as well', async () => {
    await choose('prices');
    expect((await asked(costImports.createResoldCloud, { name: 'AWS', currency: 'USD' })).status).toBe(202);
    const { route } = approvalsConsole.callOf('catalogue.applyCatalogue');
    const file = sampleInput(route.input);
    expect((await asked(route, file as never)).status).toBe(202);
  });
});

describe('T-APPROVALS: credit', () => {
  const quote = async (grants: QuoteContent['grants']) =>
    console.ok(
      quotes.createQuote,
      {
        organizationId,
        currency: 'TWD',
        validUntil: '2026-10-31' as LocalDay,
        content: {
          months: 1,
          items: [{ serviceId }],
          oneOffs: [],
          discounts: [],
          grants,
          minimumSpend: null,
        },
      },
      asFirst(),
    );
  const grants = [{ name: called('Gift'), amount: twd(90_000n), months: null }];

  it('in a quote is held with the quote, which cannot be edited until it is approved', async () => {
    await choose('credit');
    const { id: quoteId } = await quote(grants);
    expect(await asked(quotes.sendQuote, { quoteId })).toMatchObject({
      status: 400,
      code: 'platform.invalid',
    });
    const { revision } = await console.ok(quotes.getQuote, { quoteId }, asFirst());
    const held = await asked(quotes.sendQuote, { quoteId, revision });
    expect(held.status).toBe(202);
    await console.ok(
      quotes.updateQuote,
      {
        quoteId,
        content: {
          months: 1,
          items: [{ serviceId }],
          oneOffs: [],
          discounts: [],
          grants: [{ ...grants[0], name: called('Gift'), amount: twd(900_000n), months: null }],
          minimumSpend: null,
        },
      },
      asFirst(),
    );
    expect(await approve(held.approvalId)).toMatchObject({
      state: 'failed',
      failure: { code: 'quotes.changed_meanwhile' },
    });
  });

  it('a quote without credit is sent at once', async () => {
    const { id: quoteId } = await quote([]);
    expect((await asked(quotes.sendQuote, { quoteId })).status).toBe(200);
  });
});

describe('T-APPROVALS: waivers', () => {
  it('of late fees are held if they are withdrawn as one-off charges; an Admin’s own charge is withdrawn at once', async () => {
    await choose('waiver');
    const own = await console.ok(
      oneOffs.createOneOff,
      {
        organizationId,
        name: called('Moving'),
        kind: 'charge',
        unitPrice: '100',
        currency: 'TWD',
        chargeOn: addDays(today, 1),
      },
      asFirst(),
    );
    expect((await asked(oneOffs.withdrawOneOff, { oneOffId: own.id })).status).toBe(200);
    const lateFee = await unitOfWork(console.app, { actor: { kind: 'system', name: 'late-fees' } }, (ctx) =>
      chargeLateFee(ctx, {
        organizationId,
        name: called('Late fee'),
        amount: twd(50n),
        chargeOn: today,
        note: '',
        taxedAs: 'exempt',
        by: adminId,
      }),
    );
    expect((await asked(oneOffs.withdrawOneOff, { oneOffId: lateFee })).status).toBe(202);
    const { rows } = await sql<{
      state: string;
    }>`select state from one_off_charge where id = ${lateFee}`.execute(db());
    expect(rows).toEqual([{ state: 'approved' }]);
  });
});
