// One-off charges: created, approved by a second Admin, and read by those concerned, on the real database.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { required } from '#kernel/assert.ts';
import { identity } from '#features/access/identity/contract.ts';
import { oneOffs } from '#features/invoicing/one-offs/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { registerUser, userPassword } from '../support/console.ts';
import {
  approve,
  console,
  due,
  dueOne,
  fails,
  get,
  made,
  make,
  maker,
  moveTo,
  one,
  reject,
  setThreshold,
  startOneOffConsole,
  told,
  twd,
  two,
  withdraw,
} from '../support/one-offs.ts';

startOneOffConsole();

describe('T-ONEOFF: creating a one-off charge', () => {
  it('without approval puts it on the next bill exactly as entered', async () => {
    const charge = await made({
      quantity: '2.50',
      unitPrice: '333.333333333333',
      subscriptionId: one.subscriptionId,
      note: 'ticket 17',
    });
    expect(charge).toMatchObject({
      organization: 'one',
      service: 'Virtual machine',
      kind: 'charge',
      quantity: '2.5',
      unitPrice: '333.333333333333',
      amount: twd(833n),
      chargeOn: '2026-10-05',
      billing: 'next_bill',
      state: 'approved',
      createdBy: { name: 'Operator' },
      approvedBy: null,
      bill: null,
      note: 'ticket 17',
    });
    expect(charge.history).toMatchObject([{ step: 'created', by: 'Operator', reason: '' }]);
    expect(await get(charge.id)).toEqual(charge);
    expect(await dueOne(charge.id)).toEqual({
      id: charge.id,
      version: 1n,
      origin: 'admin',
      taxedAs: 'standard',
      name: charge.name,
      subscriptionId: one.subscriptionId,
      quantity: '2.5',
      unitPrice: '333.333333333333',
      amount: twd(833n),
    });
  });

  it('below zero is a credit; a repeated key adds nothing', async () => {
    const credit = await made({ kind: 'credit', unitPrice: '10.005', quantity: '3', currency: 'USD' });
    expect(credit.amount).toEqual(money(-3002n, 'USD'));
    const headers = { 'idempotency-key': 'one-off-1' };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        console.call(
          oneOffs.createOneOff,
          {
            organizationId: one.organizationId,
            name: { zhTW: '重複', enUS: 'Repeated' },
            kind: 'charge',
            unitPrice: '1',
            currency: 'TWD',
          },
          { token: maker, headers },
        ),
      ),
    );
    expect(new Set(answers.map((answer) => answer.data.id)).size).toBe(1);
    const { total } = await console.ok(oneOffs.listOneOffs, { q: 'Repeated' }, { token: maker });
    expect(total).toBe(1);
  });

  it('uses the organization’s own current day', async () => {
    await console.ok(identity.updateOrganization, { timeZone: 'Pacific/Kiritimati' }, { token: two.token });
    // Half past midnight of the sixth near the date line, and still the fifth in Taipei.
    await moveTo('2026-10-05T10:30:00Z');
    expect((await made({ organizationId: two.organizationId })).chargeOn).toBe('2026-10-06');
    expect((await made()).chargeOn).toBe('2026-10-05');
    await moveTo('2026-10-05T04:00:00Z');
  });

  it('is rejected at its field, with advice', async () => {
    const unknown = `org_${'0'.repeat(26)}`;
    expect(await fails(make({ organizationId: unknown }))).toBe(
      'organizationId: oneoffs.organization_not_found',
    );
    expect(await fails(make({ quantity: '0' }))).toBe('quantity: oneoffs.quantity_wrong');
    expect(await fails(make({ unitPrice: 'free' }))).toBe('unitPrice: oneoffs.price_wrong');
    expect(await fails(make({ unitPrice: '0.4' }))).toBe('unitPrice: oneoffs.amount_zero');
    expect(await fails(make({ chargeOn: '2026-10-06', billing: 'own_bill' }))).toBe(
      'chargeOn: oneoffs.own_bill_later',
    );
    expect((await make({ chargeOn: '2062-10-06' })).envelope.errors?.[0]?.message).toBe(
      'Choose a day between a year ago and five years from now.',
    );
    expect((await make({ quantity: '1.1234567' })).envelope.errors?.[0]?.message).toBe(
      'Enter a quantity greater than zero, with at most 6 decimal places.',
    );
  });

  it('for a subscription of another organization is rejected as not found', async () => {
    const foreign = await make({ subscriptionId: two.subscriptionId });
    const absent = await make({ subscriptionId: `sub_${'0'.repeat(26)}` });
    expect([foreign.status, absent.status]).toEqual([404, 404]);
    expect({ ...foreign.envelope, requestId: '' }).toEqual({ ...absent.envelope, requestId: '' });
    expect(foreign.envelope.errors?.[0]?.field).toBe('subscriptionId');
  });

  it('is not possible for a closed organization', async () => {
    const gone = await registerUser(console, 'owner@gone.example', 'Gone');
    await console.ok(
      consoleContract.closeOrganization,
      { organizationId: gone.organizationId as Id<'org'>, reason: 'has left us' },
      { token: maker },
    );
    expect(await fails(make({ organizationId: gone.organizationId }))).toBe(
      'organizationId: oneoffs.organization_closed',
    );
  });
});

describe('T-ONEOFF: approval by a second Admin', () => {
  beforeAll(() => setThreshold(5000n));

  it('is needed above the amount, in another currency, and for credits by their size', async () => {
    const states = async (...asks: object[]) => Promise.all(asks.map(async (ask) => (await made(ask)).state));
    expect(
      await states(
        { unitPrice: '5000' },
        { unitPrice: '5001' },
        { unitPrice: '5001', kind: 'credit' },
        { unitPrice: '1', currency: 'USD' },
      ),
    ).toEqual(['approved', 'awaiting_approval', 'awaiting_approval', 'awaiting_approval']);
  });

  it('cannot be given by its creator, who sees who can; another Admin can, once', async () => {
    const before = await told();
    const charge = await made({ unitPrice: '6000' });
    expect(charge.state).toBe('awaiting_approval');
    expect((await due()).map((each) => each.id)).not.toContain(charge.id);
    const refused = await approve(charge.id, maker);
    expect([refused.status, refused.envelope.code, refused.envelope.message]).toEqual([
      409,
      'oneoffs.own_approval',
      'You created this, so another administrator has to approve it: Second.',
    ]);
    expect((await reject(charge.id, maker)).envelope.code).toBe('oneoffs.own_rejection');
    const approved = await approve(charge.id);
    expect(approved.data).toMatchObject({ state: 'approved', approvedBy: 'Second', note: '' });
    expect(approved.data.history.map(({ step, by }) => `${step} ${by}`)).toEqual([
      'created Operator',
      'approved Second',
    ]);
    expect((await approve(charge.id)).envelope.code).toBe('oneoffs.not_awaiting');
    expect((await dueOne(charge.id)).version).toBe(2n);
    const news = await told();
    expect(news.approver.slice(before.approver.length)).toEqual([
      `The one-off charge “${charge.name.enUS}” (NT$6,000) for “one”, created by Operator, is awaiting approval.`,
    ]);
    expect(news.maker.slice(before.maker.length)).toEqual([
      `Second approved the one-off charge “${charge.name.enUS}” (NT$6,000) for “one”.`,
    ]);
  });

  it('shows up to three who can, in the reader’s language', async () => {
    for (const name of ['Anna', 'Bert', 'Cleo'])
      await console.ok(
        identity.createUser,
        { account: `${name}@cloud.example`.toLowerCase(), name, role: 'Admin', password: userPassword },
        { token: maker },
      );
    const charge = await made({ unitPrice: '6000' });
    const refused = await console.call(
      oneOffs.approveOneOff,
      { oneOffId: charge.id },
      { token: maker, language: 'zhTW' },
    );
    expect(refused.envelope.message).toBe(
      '這筆由您建立，不能由您核准，請由其他管理員（Anna、Bert、Cleo）核准。',
    );
    expect((await approve(charge.id, maker)).envelope.message).toBe(
      'You created this, so another administrator has to approve it: Anna, Bert, Cleo.',
    );
    const { items } = await console.ok(identity.listUsers, { role: 'Admin' }, { token: maker });
    for (const user of items.filter(({ name }) => ['Anna', 'Bert', 'Cleo'].includes(name)))
      await console.ok(identity.updateUser, { userId: user.id, status: 'inactive' }, { token: maker });
  });

  it('can be rejected with a reason, which its creator sees', async () => {
    const before = await told();
    const charge = await made({ unitPrice: '6000' });
    expect((await reject(charge.id)).data).toMatchObject({
      state: 'rejected',
      history: [{ step: 'created' }, { step: 'rejected', by: 'Second', reason: 'wrong customer' }],
    });
    expect((await approve(charge.id)).envelope.code).toBe('oneoffs.not_awaiting');
    expect((await withdraw(charge.id)).envelope.code).toBe('oneoffs.over');
    expect((await told()).maker.slice(before.maker.length)).toEqual([
      `Second rejected the one-off charge “${charge.name.enUS}” (NT$6,000) for “one”: wrong customer`,
    ]);
  });

  it('is still needed when the setting changes; waiting charges are counted first', async () => {
    const charge = await made({ unitPrice: '6000' });
    const settings = await setThreshold(null);
    expect(settings).toEqual({ approvalAbove: null, otherAdmins: 1 });
    expect((await get(charge.id)).state).toBe('awaiting_approval');
    expect((await made({ unitPrice: '9000' })).state).toBe('approved');
    const list = await console.ok(oneOffs.listOneOffs, { state: 'awaiting_approval' }, { token: maker });
    expect(list.total).toBe(list.awaiting);
    expect(list.items.map((item) => item.id)).toContain(charge.id);
    expect(
      (await console.call(oneOffs.saveOneOffSettings, { approvalAbove: twd(-1n) }, { token: maker })).envelope
        .errors,
    ).toMatchObject([{ field: 'approvalAbove', code: 'oneoffs.threshold_negative' }]);
    await setThreshold(5000n);
  });

  it('and a concurrent withdrawal have one effect, in twenty attempts', async () => {
    const charge = await made({ unitPrice: '7000' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? approve(charge.id) : reject(charge.id),
      ).concat(Array.from({ length: 20 }, () => withdraw(charge.id))),
    );
    const { state, history } = await get(charge.id);
    const [decided, withdrawn] = [
      answers.slice(0, 20).filter((answer) => answer.status === 200).length,
      answers.slice(20).filter((answer) => answer.status === 200).length,
    ];
    // An approved charge can still be withdrawn, once; a rejected one cannot.
    expect(decided).toBeLessThanOrEqual(1);
    expect(withdrawn).toBe(state === 'withdrawn' ? 1 : 0);
    expect(history.map((each) => each.step)).toEqual([
      'created',
      ...(history.length === 3 ? ['approved'] : []),
      state,
    ]);
    expect(answers.every((answer) => answer.status === 200 || answer.status === 409)).toBe(true);
  });

  it('reports if there is no other active Admin', async () => {
    const charge = await made({ unitPrice: '7000' });
    const { items } = await console.ok(identity.listUsers, { role: 'Admin' }, { token: maker });
    const second = required(
      items.find((user) => user.name === 'Second'),
      'the second Admin',
    ).id;
    await console.ok(identity.updateUser, { userId: second, status: 'inactive' }, { token: maker });
    expect((await approve(charge.id, maker)).envelope.code).toBe('oneoffs.no_other_admin');
    expect((await console.ok(oneOffs.oneOffSettings, {}, { token: maker })).otherAdmins).toBe(0);
    await console.ok(identity.updateUser, { userId: second, status: 'active' }, { token: maker });
    await moveTo('2026-10-05T04:00:00Z');
    await withdraw(charge.id);
    await setThreshold(null);
  });
});

describe('T-ONEOFF: access to one-off charges', () => {
  it('a customer sees those of the next bills, without internal notes, and none of others', async () => {
    const own = await made({
      note: 'for Admins',
      chargeOn: '2026-12-31',
      subscriptionId: one.subscriptionId,
    });
    const others = await made({ organizationId: two.organizationId });
    const withdrawn = await made();
    await withdraw(withdrawn.id);
    for (const token of [one.token, one.reader]) {
      const { items } = await console.ok(oneOffs.upcomingOneOffs, {}, { token });
      expect(items.at(-1)).toEqual({
        id: own.id,
        name: own.name,
        kind: 'charge',
        quantity: '1',
        unitPrice: '1000',
        amount: twd(1000n),
        chargeOn: '2026-12-31' as LocalDay,
        subscriptionId: one.subscriptionId,
        service: 'Virtual machine',
        billing: 'next_bill',
        month: '2026-12',
      });
      const ids = items.map((item) => item.id);
      expect(ids).not.toContain(others.id);
      expect(ids).not.toContain(withdrawn.id);
    }
  });

  it('an Admin filters them by name, organization, state and currency, sorts them, and exports them', async () => {
    const charge = await made({
      name: { zhTW: '搬遷', enUS: 'Migration' },
      unitPrice: '0.125',
      quantity: '8',
      currency: 'USD',
    });
    const list = (input: object) => console.ok(oneOffs.listOneOffs, input, { token: maker });
    for (const input of [
      { q: '搬遷' },
      { q: 'migra' },
      { q: 'migra', organizationId: one.organizationId, state: 'approved', currency: 'USD' },
    ])
      expect((await list(input)).items.map((item) => item.id)).toEqual([charge.id]);
    for (const input of [
      { q: 'migra', currency: 'TWD' },
      { q: 'migra', organizationId: two.organizationId },
    ])
      expect((await list(input)).items).toEqual([]);
    const amounts = (await list({ sort: '-amount', currency: 'TWD', limit: 200 })).items.map(
      (item) => item.amount.minor,
    );
    expect(amounts).toEqual(amounts.toSorted((a, b) => Number(b - a)));
    const file = await console.ok(
      oneOffs.exportOneOffs,
      { q: 'migra', format: 'csv', language: 'enUS' },
      { token: maker },
    );
    const text = new TextDecoder().decode((file as unknown as { body: Uint8Array }).body);
    expect(text.trim().split('\r\n')).toEqual([
      expect.stringContaining(
        'Created at,Organization,Name,Kind,Status,Quantity,Unit price,Amount before tax,Currency',
      ),
      expect.stringContaining(
        `one,Migration,Charge,To be billed,8,0.125,1.00,USD,2026-10-05,On the next bill,,,Operator,,,${charge.id}`,
      ),
    ]);
  });

  it('an unknown one is not found', async () => {
    const oneOffId = `ooc_${'0'.repeat(26)}` as Id<'ooc'>;
    for (const call of [
      console.call(oneOffs.getOneOff, { oneOffId }, { token: maker }),
      approve(oneOffId),
      reject(oneOffId),
      withdraw(oneOffId),
    ])
      expect((await call).envelope.code).toBe('oneoffs.not_found');
  });
});
