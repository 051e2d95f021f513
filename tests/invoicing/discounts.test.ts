// T-DISC: discounts and promo codes on a real database: created, redeemed, assigned, removed, and used by
// bills.
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, moneyText } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { audit } from '#features/access/audit/contract.ts';
import {
  insertOrganization,
  insertUser,
  startSession,
  userById,
} from '#features/access/identity/server/index.ts';
import { discounts, type Discount } from '#features/invoicing/discounts/contract.ts';
import {
  discountsOf,
  holdDiscounts,
  recordApplications,
  stackingOrder,
  voidApplications,
} from '#features/invoicing/discounts/server/index.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { required } from '#kernel/assert.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { createTestConsole, setUp } from '../support/console.ts';

// In Taipei it is already the first of November.
const console = await createTestConsole(new Date('2026-10-31T18:00:00Z'));
const admin = await setUp(console);
let count = 0;
const database = console.app.database.kysely;
type Person = { readonly token: string; readonly organizationId: Id<'org'> };
let one: Person;

type New = In<typeof discounts.createDiscount>;
const name = { zhTW: '春季優惠', enUS: 'Spring sale' };
const tenth: New = {
  name,
  reduction: { kind: 'percent', percent: '10' },
  duration: { kind: 'forever' },
};
const make = (more: Partial<New> = {}): Promise<Discount> =>
  console.ok(discounts.createDiscount, { ...tenth, ...more }, { token: admin });
const code = (): string => `CODE-${++count}`;
const service = async (more: object = {}) =>
  console.ok(
    catalogue.createService,
    {
      name: `Machine ${++count}`,
      type: 'VM',
      category: 'Compute',
      pricing: { model: 'per_unit', currency: 'TWD', baseFee: '100', unitPrice: '2' },
      meter: { eventType: 'hour', aggregation: 'sum', unit: 'hours' },
      ...more,
    } as never,
    { token: admin },
  );
/**
 * A user with an organization, signed in. Registering and signing in this many would hit the rate limits.
 */
const person = async (): Promise<Person> => {
  const number = ++count;
  const { organizationId, userId } = await inUnit(async (ctx) => {
    const organization = await insertOrganization(ctx, {
      name: `Organization ${number}`,
      timeZone: 'Asia/Taipei',
      language: 'zhTW',
      externalRef: null,
    });
    const id = await insertUser(ctx, {
      account: `user${number}@one.example`,
      name: 'User',
      phone: '',
      role: 'User',
      organizationId: organization.id,
      passwordHash: null,
      language: 'zhTW',
    });
    return { organizationId: organization.id, userId: required(id, 'the user') };
  });
  const reply = { userAgent: 'test', address: '', setSessionCookies: () => undefined } as unknown as Reply;
  const { token } = await inUnit(async (ctx) =>
    startSession(ctx, required(await userById(ctx.db, userId), 'the user'), reply),
  );
  return { token, organizationId };
};
const inUnit = <T>(run: (ctx: Ctx) => Promise<T>): Promise<T> =>
  unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, run);
const month = (text: string) => text as BillingMonth;
const bill = (number: string) => `bil_${number.padStart(26, '0')}` as Id<'bil'>;
/** An error as `status code field`. */
async function refusal(
  answer: Promise<{
    status: number;
    envelope: { code?: string; errors?: readonly { field: string; code: string }[] };
  }>,
) {
  const { status, envelope } = await answer;
  const first = envelope.errors?.[0];
  return `${status} ${first ? `${first.field} ${first.code}` : envelope.code}`;
}

beforeEach(async () => {
  one = await person();
});

describe('an Admin’s discounts', () => {
  it('T-DISC: are returned as created, with the code in capitals', async () => {
    const { id: serviceId, name: serviceName } = await service();
    const made = await make({
      reduction: { kind: 'percent', percent: '12.5000' },
      maximum: money(500n, 'TWD'),
      duration: { kind: 'months', months: 3 },
      scope: [{ serviceId, chargeKeys: null }],
      code: ' spring-26 ',
      redeemableUntil: '2026-12-31' as LocalDay,
      maxRedemptions: 100,
      audience: 'named',
      organizationIds: [one.organizationId],
    });
    expect(made).toMatchObject({
      name,
      reduction: { kind: 'percent', percent: '12.5' },
      maximum: money(500n, 'TWD'),
      duration: { kind: 'months', months: 3 },
      scope: [{ serviceId, serviceName, chargeKeys: null, charges: null }],
      code: 'SPRING-26',
      redeemableUntil: '2026-12-31',
      maxRedemptions: 100,
      maxPerOrganization: 1,
      audience: 'named',
      organizations: [{ id: one.organizationId }],
      state: 'active',
      redemptions: 0,
      saved: [],
      version: 1,
    });
    expect(await console.ok(discounts.getDiscount, { discountId: made.id }, { token: admin })).toEqual(made);
    const found = await console.ok(discounts.listDiscounts, { q: 'spring-26' }, { token: admin });
    expect(found.items).toEqual([made]);
  });

  it.each<[string, Partial<New>, string]>([
    [
      'no percentage',
      { reduction: { kind: 'percent', percent: '0' } },
      '400 reduction.percent discounts.percent_out_of_range',
    ],
    [
      'an amount of zero',
      { reduction: { kind: 'fixed', amount: money(0n, 'TWD') } },
      '400 reduction.amount discounts.amount_not_positive',
    ],
    [
      'a maximum for a fixed amount',
      { reduction: { kind: 'fixed', amount: money(5n, 'TWD') }, maximum: money(5n, 'TWD') },
      '400 maximum discounts.maximum_of_percent',
    ],
    ['a code with a space', { code: 'A B C' }, '400 code discounts.code_wrong'],
    [
      'a month that has passed',
      { duration: { kind: 'until', until: '2026-10-31' as LocalDay } },
      '400 duration.until discounts.until_passed',
    ],
    [
      'a last day that has passed in Taipei',
      { redeemableUntil: '2026-10-31' as LocalDay },
      '400 redeemableUntil discounts.until_passed',
    ],
    ['nobody named', { audience: 'named' }, '400 organizationIds discounts.organizations_needed'],
    [
      'a service that does not exist',
      { scope: [{ serviceId: `svc_${'0'.repeat(26)}` as Id<'svc'>, chargeKeys: null }] },
      '400 scope.0.serviceId discounts.service_unknown',
    ],
    [
      'an organization that does not exist',
      { audience: 'named', organizationIds: [`org_${'0'.repeat(26)}` as Id<'org'>] },
      '422 organizationIds discounts.organization_unknown',
    ],
  ])('T-DISC: are rejected with %s at its field', async (_name, more, expected) => {
    expect(
      await refusal(console.call(discounts.createDiscount, { ...tenth, ...more }, { token: admin })),
    ).toBe(expected);
  });

  it('T-DISC: are rejected with a charge that a service does not have, or a service twice', async () => {
    const { id: serviceId } = await service();
    const call = (scope: New['scope']) =>
      refusal(console.call(discounts.createDiscount, { ...tenth, scope }, { token: admin }));
    expect(await call([{ serviceId, chargeKeys: ['usage'] }])).toBe(
      '400 scope.0.chargeKeys discounts.charge_unknown',
    );
    expect(
      await call([
        { serviceId, chargeKeys: null },
        { serviceId, chargeKeys: null },
      ]),
    ).toBe('400 scope.1.serviceId discounts.service_repeated');
  });

  it('T-DISC: have unique codes among those not archived, even when created concurrently', async () => {
    const typed = code();
    const both = await Promise.all(
      [typed, typed.toLowerCase()].map((each) =>
        console.call(discounts.createDiscount, { ...tenth, code: each }, { token: admin }),
      ),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const first = both.find(({ status }) => status === 201)!.data;
    await console.ok(discounts.archiveDiscount, { discountId: first.id }, { token: admin });
    const second = await make({ code: typed });
    const restore = () => console.call(discounts.restoreDiscount, { discountId: first.id }, { token: admin });
    expect(await refusal(restore())).toBe('409 code discounts.code_taken');
    await console.ok(discounts.archiveDiscount, { discountId: second.id }, { token: admin });
    expect((await restore()).data.state).toBe('active');
  });

  it('T-DISC: can change name and limits but not terms; an outdated version is rejected', async () => {
    const made = await make({ code: code(), maxRedemptions: 5 });
    await console.ok(
      discounts.giveDiscount,
      { discountId: made.id, organizationId: one.organizationId },
      { token: admin },
    );
    const update = (more: object) =>
      console.call(discounts.updateDiscount, { discountId: made.id, ...more }, { token: admin });
    const changed = await update({
      name: { zhTW: '新名', enUS: 'New' },
      maxRedemptions: 1,
      redeemableUntil: '2026-12-01',
      audience: 'named',
      organizationIds: [one.organizationId],
      version: 1,
    });
    expect(changed.data).toMatchObject({
      name: { zhTW: '新名', enUS: 'New' },
      maxRedemptions: 1,
      redeemableUntil: '2026-12-01',
      audience: 'named',
      state: 'used_up',
      version: 2,
      reduction: made.reduction,
    });
    expect(await refusal(update({ maxRedemptions: 3, version: 1 }))).toBe('409 discounts.changed_meanwhile');
    expect(
      (await update({ maxRedemptions: null, audience: 'anyone', redeemableUntil: null })).data,
    ).toMatchObject({
      maxRedemptions: null,
      redeemableUntil: null,
      organizations: [],
      state: 'active',
    });
    const other = await person();
    await console.ok(
      discounts.giveDiscount,
      { discountId: made.id, organizationId: other.organizationId },
      { token: admin },
    );
    expect(await refusal(update({ maxRedemptions: 1 }))).toBe('400 maxRedemptions discounts.below_redeemed');
    const response = await fetch(`${console.address}/api/admin/discounts/${made.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ reduction: { kind: 'percent', percent: '99' } }),
    });
    expect(response.status).toBe(400);
  });

  it('T-DISC: have the same states in lists, filters and files', async () => {
    const { id: serviceId, name: serviceName } = await service();
    const made = {
      active: await make(),
      used_up: await make({ maxRedemptions: 1, scope: [{ serviceId, chargeKeys: null }] }),
      expired: await make({ redeemableUntil: '2026-11-01' as LocalDay }),
      archived: await make(),
    };
    await console.ok(
      discounts.giveDiscount,
      { discountId: made.used_up.id, organizationId: one.organizationId },
      { token: admin },
    );
    await console.ok(discounts.archiveDiscount, { discountId: made.archived.id }, { token: admin });
    await sql`update discount set redeemable_until = '2026-10-31' where id = ${made.expired.id}`.execute(
      database,
    );
    for (const [state, { id }] of Object.entries(made)) {
      const { items } = await console.ok(
        discounts.listDiscounts,
        { state: state as never, limit: 200 },
        { token: admin },
      );
      expect(
        items.map((each) => each.state).every((each) => each === state),
        state,
      ).toBe(true);
      expect(
        items.some((each) => each.id === id),
        state,
      ).toBe(true);
    }
    const { body } = (await console.ok(
      discounts.exportDiscounts,
      { format: 'csv', state: 'used_up', language: 'enUS' },
      { token: admin },
    )) as unknown as { body: Uint8Array };
    const [head, ...rows] = new TextDecoder().decode(body).trim().split('\r\n');
    expect(head).toContain('Name,Promo code,Terms,Applies to,Status,Used,Limit,Saved so far');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => row.includes(',Used up,1,1,'))).toBe(true);
    expect(
      rows.some((row) =>
        row.startsWith(`Spring sale,,"10% off, with no end date",${serviceName},Used up,1,1,`),
      ),
    ).toBe(true);
  });

  it('T-DISC: are applied in a configurable order', async () => {
    expect(await console.ok(discounts.discountSettings, {}, { token: admin })).toEqual({
      stackingOrder: 'as_listed',
    });
    await console.ok(discounts.saveDiscountSettings, { stackingOrder: 'best_only' }, { token: admin });
    expect(await inUnit(stackingOrder)).toBe('best_only');
    await console.ok(discounts.saveDiscountSettings, { stackingOrder: 'as_listed' }, { token: admin });
    const { items } = await console.ok(
      audit.listAudit,
      { action: 'discounts.saveDiscountSettings' },
      { token: admin },
    );
    expect(items).toHaveLength(2);
  });
});

describe('redeeming a code', () => {
  const redeem = (typed: string, more: object = {}, who = one) =>
    console.call(discounts.redeemCode, { code: typed, ...more }, { token: who.token });

  it('T-DISC: ignores case; the customer then has the discount with its description and months', async () => {
    const made = await make({ code: 'Welcome-Back', duration: { kind: 'months', months: 3 } });
    const { data: redeemed, status } = await redeem('welcome-back');
    expect(status).toBe(201);
    expect(redeemed).toMatchObject({
      name,
      terms: '10% off for 3 months',
      firstMonth: '2026-11',
      lastMonth: '2027-01',
      state: 'active',
      subscription: null,
      saved: [],
    });
    expect((await console.ok(discounts.ownDiscounts, {}, { token: one.token })).items).toEqual([redeemed]);
    const chinese = await console.ok(discounts.ownDiscounts, {}, { token: one.token, language: 'zhTW' });
    expect(chinese.items[0]?.terms).toBe('折抵 10%，為期 3 個月');
    expect(
      (await console.ok(discounts.getDiscount, { discountId: made.id }, { token: admin })).redemptions,
    ).toBe(1);
    // Nobody else sees it.
    const two = await person();
    expect((await console.ok(discounts.ownDiscounts, {}, { token: two.token })).items).toEqual([]);
  });

  it('T-DISC: responds to an unknown code and one for others with the same bytes', async () => {
    const secret = await make({
      code: code(),
      audience: 'named',
      organizationIds: [(await person()).organizationId],
    });
    const strip = ({ status, envelope }: Awaited<ReturnType<typeof redeem>>) => ({
      status,
      envelope: { ...envelope, requestId: '' },
    });
    for (const verb of [discounts.redeemCode, discounts.checkCode] as const) {
      const ask = (typed: string) =>
        console.call(verb as typeof discounts.redeemCode, { code: typed }, { token: one.token });
      const [foreign, unknown] = [await ask(secret.code!), await ask('NO-SUCH-CODE')];
      expect(foreign.status).toBe(422);
      expect(strip(foreign)).toEqual(strip(unknown));
    }
  });

  it('T-DISC: reports any other reason at the field', async () => {
    const twice = await make({ code: code() });
    await console.ok(discounts.redeemCode, { code: twice.code! }, { token: one.token });
    expect(await refusal(redeem(twice.code!))).toBe('422 code discounts.already_redeemed');
    const full = await make({ code: code(), maxRedemptions: 1 });
    await console.ok(discounts.redeemCode, { code: full.code! }, { token: (await person()).token });
    expect(await refusal(redeem(full.code!))).toBe('422 code discounts.used_up');
    const old = await make({ code: code(), redeemableUntil: '2026-11-01' as LocalDay });
    await sql`update discount set redeemable_until = '2026-10-31' where id = ${old.id}`.execute(database);
    expect(await refusal(redeem(old.code!))).toBe('422 code discounts.expired');
    const archived = await make({ code: code() });
    await console.ok(discounts.archiveDiscount, { discountId: archived.id }, { token: admin });
    expect(await refusal(redeem(archived.code!))).toBe('422 code discounts.code_unknown');
  });

  it('T-DISC: is possible through the last day in the customer’s own time zone', async () => {
    const { code: typed } = await make({ code: code(), redeemableUntil: '2026-11-01' as LocalDay });
    await sql`update discount set redeemable_until = '2026-10-31' where code = ${typed}`.execute(database);
    // In New York it is still the 31st of October.
    await sql`update organization set time_zone = 'America/New_York' where id = ${one.organizationId}`.execute(
      database,
    );
    expect((await redeem(typed!)).data).toMatchObject({ firstMonth: '2026-10' });
  });

  it('T-DISC: is slowed down by guessing, even for a valid code', async () => {
    const { code: right } = await make({ code: code() });
    for (let guess = 0; guess < 10; guess++)
      expect(
        (await console.call(discounts.checkCode, { code: `GUESS-${guess}` }, { token: one.token })).status,
      ).toBe(422);
    const { id: serviceId } = await service();
    for (const answer of [
      console.call(discounts.checkCode, { code: right! }, { token: one.token }),
      redeem(right!),
      console.call(subscriptions.subscribe, { serviceId, promoCode: right! }, { token: one.token }),
    ])
      expect(await refusal(answer)).toBe('429 discounts.too_many_guesses');
    // Other users are not slowed down, and nobody is without a code.
    expect((await redeem(right!, {}, await person())).status).toBe(201);
    expect((await console.call(subscriptions.subscribe, { serviceId }, { token: one.token })).status).toBe(
      201,
    );
  });

  it('T-DISC: 50 times concurrently with 10 left succeeds 10 times', async () => {
    const { id, code: typed } = await make({ code: code(), maxRedemptions: 10 });
    const many = await Promise.all(Array.from({ length: 50 }, async () => (await person()).token));
    const answers = await Promise.all(
      many.map((token) => console.call(discounts.redeemCode, { code: typed! }, { token })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    const others = answers.filter(({ status }) => status !== 201);
    expect(new Set(others.map(({ envelope }) => envelope.errors?.[0]?.code))).toEqual(
      new Set(['discounts.used_up']),
    );
    const { rows } = await sql<{
      stored: bigint;
    }>`select count(*) as stored from discount_redemption where discount_id = ${id}`.execute(database);
    expect(rows[0]?.stored).toBe(10n);
  });

  it('T-DISC: 20 times concurrently by one organization succeeds up to its limit', async () => {
    const { code: typed } = await make({ code: code(), maxPerOrganization: 2 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(typed!)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  });

  it('T-DISC: twice with one key redeems once', async () => {
    const { id, code: typed } = await make({ code: code(), maxPerOrganization: 5 });
    const send = () =>
      console.call(
        discounts.redeemCode,
        { code: typed! },
        { token: one.token, headers: { 'idempotency-key': `same-${count}` } },
      );
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.data.id).toBe(first.data.id);
    expect((await console.ok(discounts.getDiscount, { discountId: id }, { token: admin })).redemptions).toBe(
      1,
    );
  });

  it('T-DISC: applies to one of the customer’s own subscriptions to a covered service', async () => {
    const [machine, disk] = [await service(), await service()];
    const { code: typed } = await make({
      code: code(),
      scope: [{ serviceId: machine.id, chargeKeys: null }],
      maxPerOrganization: 5,
    });
    const subscribe = async (serviceId: Id<'svc'>, who = one) =>
      (await console.ok(subscriptions.subscribe, { serviceId }, { token: who.token })).id;
    const own = await subscribe(machine.id);
    expect((await redeem(typed!, { subscriptionId: own })).data.subscription).toEqual({
      id: own,
      serviceName: machine.name,
    });
    expect(await refusal(redeem(typed!, { subscriptionId: await subscribe(disk.id) }))).toBe(
      '422 code discounts.other_services',
    );
    const foreign = await subscribe(machine.id, await person());
    expect(await refusal(redeem(typed!, { subscriptionId: foreign }))).toBe(
      '422 subscriptionId discounts.subscription_unknown',
    );
  });
});

describe('a code at subscription', () => {
  const subscribe = (serviceId: Id<'svc'>, promoCode: string, who = one) =>
    console.call(subscriptions.subscribe, { serviceId, promoCode }, { token: who.token });

  it('T-DISC: applies to this subscription if it is for services, otherwise to the organization', async () => {
    const { id: serviceId, name: serviceName } = await service();
    const narrow = await make({ code: code(), scope: [{ serviceId, chargeKeys: null }] });
    const { data } = await subscribe(serviceId, narrow.code!);
    const two = await person();
    const broad = await make({ code: code() });
    await subscribe(serviceId, broad.code!, two);
    const [own] = (await console.ok(discounts.ownDiscounts, {}, { token: one.token })).items;
    expect(own?.subscription).toEqual({ id: data.id, serviceName });
    expect(
      (await console.ok(discounts.ownDiscounts, {}, { token: two.token })).items[0]?.subscription,
    ).toBeNull();
    const { items } = await console.ok(audit.listAudit, {} as never, { token: admin });
    expect(items.some((row) => row.action === 'subscriptions.subscribe' && row.subject === data.id)).toBe(
      true,
    );
  });

  it('T-DISC: for new customers applies to the first subscription only', async () => {
    const [first, second] = [await service(), await service()];
    const { code: typed } = await make({ code: code(), audience: 'new', maxPerOrganization: 5 });
    expect((await console.call(discounts.checkCode, { code: typed! }, { token: one.token })).status).toBe(
      200,
    );
    expect((await subscribe(first.id, typed!)).status).toBe(201);
    expect(await refusal(subscribe(second.id, typed!))).toBe('422 promoCode discounts.code_unknown');
  });

  it.each<[string, (serviceId: Id<'svc'>) => Promise<Partial<New>>, string]>([
    ['an unknown code', async () => ({ code: null }), 'discounts.code_unknown'],
    [
      'a code for other services',
      async () => ({ scope: [{ serviceId: (await service()).id, chargeKeys: null }] }),
      'discounts.other_services',
    ],
    [
      'a code in another currency',
      async () => ({ reduction: { kind: 'fixed', amount: money(500n, 'USD') } }),
      'discounts.other_currency',
    ],
    [
      'a code with a maximum in another currency',
      async () => ({ maximum: money(500n, 'USD') }),
      'discounts.other_currency',
    ],
  ])('T-DISC: %s rejects the subscription, and nothing is stored', async (_name, more, expected) => {
    const { id: serviceId } = await service();
    const typed = code();
    await make({ code: typed, ...(await more(serviceId)) });
    expect(await refusal(subscribe(serviceId, typed))).toBe(`422 promoCode ${expected}`);
    expect((await console.ok(subscriptions.listSubscriptions, {}, { token: one.token })).total).toBe(0);
    expect((await console.ok(discounts.ownDiscounts, {}, { token: one.token })).items).toEqual([]);
    // A third attempt is not too many, because rejected ones do not count.
    expect((await console.call(subscriptions.subscribe, { serviceId }, { token: one.token })).status).toBe(
      201,
    );
  });
});

describe('an estimate with a code', () => {
  it('T-DISC: equals the catalog’s before the discount, and shows the price after it', async () => {
    const { id: serviceId } = await service();
    const { code: typed } = await make({
      code: code(),
      scope: [{ serviceId, chargeKeys: null }],
      maximum: money(35n, 'TWD'),
    });
    const check = (quantity: string) =>
      console.ok(
        discounts.checkCode,
        { code: typed!, serviceId, estimate: { quantity } },
        { token: one.token },
      );
    const { estimate, terms } = await check('100');
    expect(terms).toMatch(/^10% off \(up to NT\$35 a month\), with no end date; only on Machine \d+$/);
    const plain = await console.ok(catalogue.estimate, { serviceId, quantity: '100' }, { token: one.token });
    expect(estimate?.before).toEqual(plain.amount);
    expect([moneyText(estimate!.before), moneyText(estimate!.after)]).toEqual(['300', '270']);
    expect(moneyText((await check('1000')).estimate!.after)).toBe('2065');
    expect(
      (await console.ok(discounts.checkCode, { code: typed! }, { token: one.token })).estimate,
    ).toBeNull();
    expect((await console.ok(discounts.ownDiscounts, {}, { token: one.token })).items).toEqual([]);
  });

  it.each(['as_listed', 'percent_first', 'best_only'] as const)(
    'T-DISC: equals the bill, beside other services and discounts (%s)',
    async (stackingOrder) => {
      await console.ok(discounts.saveDiscountSettings, { stackingOrder }, { token: admin });
      const flat = (amount: string) =>
        service({
          meter: undefined,
          pricing: undefined,
          currency: 'TWD',
          charges: [
            {
              key: 'fee',
              name: { zhTW: '月費', enUS: 'Fee' },
              kind: 'recurring',
              model: 'flat',
              amount,
              prorate: 'none',
            },
          ],
        });
      const subscribe = (serviceId: Id<'svc'>, promoCode?: string) =>
        console.call(
          subscriptions.subscribe,
          { serviceId, ...(promoCode !== undefined && { promoCode }) },
          { token: one.token },
        );
      const [has, next] = [await flat('900'), await flat('333')];
      expect((await subscribe(has.id)).status).toBe(201);
      for (const reduction of [
        { kind: 'fixed', amount: money(100n, 'TWD') },
        { kind: 'percent', percent: '12.5' },
      ] as const)
        await console.ok(
          discounts.redeemCode,
          { code: (await make({ code: code(), reduction })).code! },
          { token: one.token },
        );
      const { code: typed } = await make({ code: code(), reduction: { kind: 'percent', percent: '30' } });
      const month = () => console.ok(billing.currentBill, {}, { token: one.token });
      const before = (await month()).bills[0]!;
      const { estimate } = await console.ok(
        discounts.checkCode,
        { code: typed!, serviceId: next.id, estimate: {} },
        { token: one.token },
      );
      expect((await subscribe(next.id, typed!)).status).toBe(201);
      const after = (await month()).bills[0]!;
      const place = after.lines.findIndex(({ total }) => total.minor === 333n);
      const taken = after.lines
        .flatMap(({ term }) => term?.shares ?? [])
        .filter(({ lineId }) => lineId === String(place + 1))
        .reduce((sum, { amount }) => sum + amount.minor, 0n);
      expect(estimate?.after.minor).toBe(333n - taken);
      expect(estimate!.before.minor).toBeLessThan(333n);
      // The bill would be higher by this amount with the new service and without the code.
      expect(after.net.minor - before.net.minor).toBeLessThan(333n);
      await console.ok(discounts.saveDiscountSettings, { stackingOrder: 'as_listed' }, { token: admin });
    },
  );

  it('T-DISC: of a rate card reduces the charges that it covers', async () => {
    const { id: serviceId } = await service({
      meter: undefined,
      pricing: undefined,
      currency: 'TWD',
      charges: [
        { key: 'fee', name: { zhTW: '月費', enUS: 'Fee' }, kind: 'recurring', model: 'flat', amount: '300' },
        {
          key: 'ip',
          name: { zhTW: '位址', enUS: 'IP' },
          kind: 'recurring',
          model: 'per_unit',
          unitPrice: '50',
        },
      ],
    });
    const { code: typed, scope } = await make({
      code: code(),
      scope: [{ serviceId, chargeKeys: ['ip'] }],
      reduction: { kind: 'percent', percent: '50' },
    });
    expect(scope?.[0]?.charges).toEqual([{ key: 'ip', name: { zhTW: '位址', enUS: 'IP' } }]);
    const { estimate } = await console.ok(
      discounts.checkCode,
      { code: typed!, serviceId, estimate: { quantities: { ip: '3' } } },
      { token: one.token },
    );
    expect(
      estimate!.lines.map((line) => `${line.chargeKey} ${moneyText(line.before)} ${moneyText(line.after)}`),
    ).toEqual(['fee 300 300', 'ip 150 75']);
    expect(moneyText(estimate!.after)).toBe('375');
  });
});

describe('discounts assigned by an Admin', () => {
  const give = (discountId: Id<'dsc'>, more: object = {}) =>
    console.call(
      discounts.giveDiscount,
      { discountId, organizationId: one.organizationId, ...more },
      { token: admin },
    );

  it('T-DISC: ignore audience and last day, but not the maximum number', async () => {
    const made = await make({
      audience: 'named',
      organizationIds: [(await person()).organizationId],
      redeemableUntil: '2026-11-01' as LocalDay,
    });
    await sql`update discount set redeemable_until = '2020-01-01' where id = ${made.id}`.execute(database);
    expect((await give(made.id)).status).toBe(201);
    expect(await refusal(give(made.id))).toBe('422 organizationId discounts.already_redeemed');
    const full = await make({ maxRedemptions: 1 });
    await console.ok(
      discounts.giveDiscount,
      { discountId: full.id, organizationId: (await person()).organizationId },
      { token: admin },
    );
    expect(await refusal(give(full.id))).toBe('422 organizationId discounts.used_up');
    await console.ok(discounts.archiveDiscount, { discountId: full.id }, { token: admin });
    expect(await refusal(give(full.id))).toBe('409 organizationId discounts.archived');
  });

  it('T-DISC: when removed are on no future bill, and stay on issued ones', async () => {
    const made = await make();
    const { data: redemption } = await give(made.id);
    const inForce = async () =>
      (await inUnit((ctx) => discountsOf(ctx, [one.organizationId], month('2026-11')))).get(
        one.organizationId,
      ) ?? [];
    const read = await inForce();
    expect(read.map(({ redemptionId }) => redemptionId)).toEqual([redemption.id]);
    await inUnit((ctx) =>
      recordApplications(ctx, [
        {
          redemptionId: redemption.id,
          billId: bill('1'),
          billNumber: 'B-1',
          month: month('2026-11'),
          amount: money(30n, 'TWD'),
        },
      ]),
    );
    const ended = await console.ok(
      discounts.endRedemption,
      { redemptionId: redemption.id },
      { token: admin },
    );
    expect(ended).toMatchObject({ state: 'ended', saved: [money(30n, 'TWD')] });
    expect(await inForce()).toEqual([]);
    // A bill that was being planned with it must be planned again.
    expect(await inUnit((ctx) => holdDiscounts(ctx, read))).toBe(false);
    const again = await console.ok(
      discounts.endRedemption,
      { redemptionId: redemption.id },
      { token: admin },
    );
    expect(again.endedAt).toEqual(ended.endedAt);
    const { items } = await console.ok(
      discounts.listRedemptions,
      { discountId: made.id, q: 'Organization' },
      { token: admin },
    );
    expect(items).toEqual([again]);
  });
});

describe('discounts on bills', () => {
  const given = async (more: Partial<New> = {}, who = one) => {
    const { id } = await make(more);
    return console.ok(
      discounts.giveDiscount,
      { discountId: id, organizationId: who.organizationId },
      { token: admin },
    );
  };
  const read = async (text: string, without?: Id<'bil'>) =>
    (await inUnit((ctx) => discountsOf(ctx, [one.organizationId], month(text), without))).get(
      one.organizationId,
    ) ?? [];
  const record = (redemptionId: Id<'rdm'>, number: string, text: string, minor = 10n) =>
    inUnit((ctx) =>
      recordApplications(ctx, [
        {
          redemptionId,
          billId: bill(number),
          billNumber: `B-${number}`,
          month: month(text),
          amount: money(minor, 'TWD'),
        },
      ]),
    );

  it('T-DISC: are read for any number of organizations in one or two statements, in the order of redemption', async () => {
    const two = await person();
    const first = await given({ reduction: { kind: 'fixed', amount: money(100n, 'TWD') } });
    const second = await given({ duration: { kind: 'months', months: 1 } });
    const third = await given({}, two);
    let statements = 0;
    const found = await inUnit(async (ctx) => {
      const counting = ctx.db.withPlugin({
        transformQuery: ({ node }) => {
          statements++;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      return discountsOf(
        { ...ctx, db: counting },
        [one.organizationId, two.organizationId, (await person()).organizationId],
        month('2026-11'),
      );
    });
    expect(statements).toBeLessThanOrEqual(2);
    expect([...found.keys()].toSorted()).toEqual([one.organizationId, two.organizationId].toSorted());
    expect(found.get(one.organizationId)).toEqual([
      {
        redemptionId: first.id,
        version: 1n,
        name,
        reduction: { kind: 'fixed', amount: money(100n, 'TWD') },
        maximum: null,
        scope: { subscriptionId: null, services: null },
        isOnce: false,
      },
      expect.objectContaining({ redemptionId: second.id, reduction: { kind: 'percent', percent: '10' } }),
    ]);
    expect(found.get(two.organizationId)?.map(({ redemptionId }) => redemptionId)).toEqual([third.id]);
    expect((await read('2026-10')).length).toBe(0);
    expect((await read('2026-12')).map(({ redemptionId }) => redemptionId)).toEqual([first.id]);
  });

  it('T-DISC: for a single bill are free again when that bill is void, and while it is reissued', async () => {
    const { id } = await given({ duration: { kind: 'once' } });
    expect((await read('2026-11'))[0]).toMatchObject({ redemptionId: id, isOnce: true });
    await record(id, '20', '2026-11');
    expect(await read('2026-12')).toEqual([]);
    expect((await read('2026-12', bill('20'))).map(({ redemptionId }) => redemptionId)).toEqual([id]);
    // The same month’s bill in another currency still has it.
    expect((await read('2026-11')).length).toBe(1);
    const own = async () => (await console.ok(discounts.ownDiscounts, {}, { token: one.token })).items[0];
    expect(await own()).toMatchObject({ state: 'used', saved: [money(10n, 'TWD')] });
    await inUnit((ctx) => voidApplications(ctx, bill('20')));
    expect((await read('2026-12')).length).toBe(1);
    expect(await own()).toMatchObject({ state: 'active', saved: [] });
  });

  it('T-DISC: are not used up by a bill that they do not reduce', async () => {
    const { id } = await given({ duration: { kind: 'once' } });
    await record(id, '30', '2026-11', 0n);
    expect((await read('2026-12')).length).toBe(1);
  });

  it('T-DISC: when used by two concurrent bills, one of them is planned again', async () => {
    await given({ duration: { kind: 'once' } });
    await given();
    const first = await read('2026-11');
    const second = await read('2026-12');
    const held = await Promise.all([
      inUnit((ctx) => holdDiscounts(ctx, first)),
      inUnit((ctx) => holdDiscounts(ctx, second.toReversed())),
    ]);
    expect(held.toSorted()).toEqual([false, true]);
    expect((await read('2026-11')).map(({ version }) => version)).toEqual([2n, 2n]);
    expect(await inUnit(async (ctx) => holdDiscounts(ctx, []))).toBe(true);
  });

  it('T-DISC: add up their savings by currency, without void bills, visible to all members', async () => {
    const two = await person();
    const { id: discountId } = await make({ maxPerOrganization: 5 });
    const give = (who: Person) =>
      console.ok(
        discounts.giveDiscount,
        { discountId, organizationId: who.organizationId },
        { token: admin },
      );
    const [mine, other] = [await give(one), await give(two)];
    const row = (
      redemptionId: Id<'rdm'>,
      number: string,
      text: string,
      minor: bigint,
      currency: 'TWD' | 'USD',
    ) => ({
      redemptionId,
      billId: bill(number),
      billNumber: `B-${number}`,
      month: month(text),
      amount: money(minor, currency),
    });
    await inUnit((ctx) =>
      recordApplications(ctx, [
        row(mine.id, '41', '2026-11', 9_007_199_254_740_993n, 'TWD'),
        row(mine.id, '42', '2026-11', 250n, 'USD'),
        row(mine.id, '43', '2026-12', 7n, 'TWD'),
        row(other.id, '44', '2026-11', 3n, 'TWD'),
      ]),
    );
    await inUnit((ctx) => voidApplications(ctx, bill('43')));
    const saved = [money(9_007_199_254_740_993n, 'TWD'), money(250n, 'USD')];
    expect((await console.ok(discounts.ownDiscounts, {}, { token: one.token })).items[0]?.saved).toEqual(
      saved,
    );
    expect((await console.ok(discounts.getDiscount, { discountId }, { token: admin })).saved).toEqual([
      money(9_007_199_254_740_996n, 'TWD'),
      money(250n, 'USD'),
    ]);
    const { items } = await console.ok(
      discounts.listRedemptions,
      { discountId, sort: 'redeemedAt' },
      { token: admin },
    );
    expect(items[0]?.saved).toEqual(saved);
    expect(items[0]?.bills.map(({ number, isVoid }) => `${number} ${isVoid}`)).toEqual([
      'B-43 true',
      'B-42 false',
      'B-41 false',
    ]);
  });
});
