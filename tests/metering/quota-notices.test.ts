// Quota notifications: each threshold once per period, one recovery, and requested limit increases.
import { beforeEach, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { administration } from '#features/operations/administration/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { customRoles } from '#features/access/custom-roles/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { quotas } from '#features/metering/quotas/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { registerUser, signIn, userPassword } from '../support/console.ts';
import {
  admin,
  begin,
  commit,
  console,
  entitled,
  fresh,
  limited,
  listen,
  meter,
  moveTo,
  owner,
  quotaOf,
  release,
  reserve,
  runJob,
  startQuotaConsole,
} from '../support/quotas.ts';

startQuotaConsole();

/** The owner’s notifications since the test began. */
let news: () => Promise<string[]>;
beforeEach(async () => {
  await moveTo(begin.toISOString());
  news = await listen(() => owner.token);
});
const ask = (id: string, limit: string, reason = 'a campaign') =>
  console.call(quotas.askRaise, { subscriptionId: id as never, limit, reason }, { token: owner.token });
const grant = (id: string, limit?: string, answer?: string) =>
  console.call(
    quotas.grantRaise,
    {
      raiseId: id as never,
      ...(limit === undefined ? {} : { limit }),
      ...(answer === undefined ? {} : { answer }),
    },
    { token: admin },
  );

describe('R-USE-04: each threshold is notified once per period, and one recovery', () => {
  it('when a correction lowers usage: one recovery, and no second notification in the same period', async () => {
    const { id, name } = await limited({ quota: { type: 'soft', limit: '100' } });
    await meter(id, '84.999');
    expect(await news()).toEqual([]);
    await meter(id, '0.001');
    await meter(id, '2');
    const warned = `“${name}” has used 85% of its quota (85 of 100 requests).`;
    expect(await news()).toEqual([warned]);
    await meter(id, '-50');
    const recovered = `“${name}” is back to 37% of its quota (37 of 100 requests).`;
    expect(await news()).toEqual([warned, recovered]);
    for (const value of ['50', '-50', '50']) await meter(id, value);
    expect(await news()).toEqual([warned, recovered]);
    await meter(id, '20');
    expect(await news()).toEqual([
      warned,
      recovered,
      `“${name}” has used 100% of its quota (107 of 100 requests) and is about to run out.`.replace(
        '100%',
        '107%',
      ),
    ]);
    await meter(id, '-100');
    expect(await news()).toHaveLength(3);
  });
  it('and again in the next period', async () => {
    const { id } = await limited();
    await meter(id, '90');
    await moveTo('2026-11-05T04:00:00Z');
    await meter(id, '90');
    await meter(id, '-90');
    expect(await news()).toHaveLength(3);
  });
  it('including reservations; a release, a smaller commit and an expiry lower usage', async () => {
    for (const giveBack of [
      async (held: string) => void (await release(held)),
      async (held: string) => void (await commit(held, '1')),
      async () => {
        console.clock.advance(60_000);
        await runJob('quotas.tidy');
      },
    ]) {
      news = await listen(() => owner.token);
      const { id, name } = await limited();
      const held = (await reserve(id, '96')).data;
      const [critical, back, ...more] = [await news(), await giveBack(held.id), await news()].flat();
      expect([critical, back]).toEqual([
        `“${name}” has used 96% of its quota (96 of 100 requests) and is about to run out.`,
        undefined,
      ]);
      expect(more.slice(1)).toEqual([expect.stringContaining('is back to')]);
    }
  });
  it('only the higher one if a batch crosses both', async () => {
    const { id } = await limited();
    await meter(id, '50', '46');
    expect(await news()).toEqual([expect.stringContaining('96%')]);
  });
  it('with configurable thresholds: status, notifications and the list follow them, and the warning stays below the critical one', async () => {
    const { id } = await limited();
    const refused = await console.call(
      administration.updateSettings,
      { quotaWarningPercent: 95 },
      { token: admin },
    );
    expect([refused.status, refused.envelope.code]).toEqual([422, 'administration.thresholds_crossed']);
    await console.ok(
      administration.updateSettings,
      { quotaWarningPercent: 50, quotaCriticalPercent: 60 },
      { token: admin },
    );
    await meter(id, '50');
    expect(await news()).toEqual([expect.stringContaining('50%')]);
    expect(await quotaOf(id)).toMatchObject({ status: 'Critical', runsOutOn: '2026-10-06' });
    expect(await console.ok(quotas.listQuotas, {}, { token: owner.token })).toMatchObject({
      warningPercent: 50,
      criticalPercent: 60,
    });
    await console.ok(
      administration.updateSettings,
      { quotaWarningPercent: 85, quotaCriticalPercent: 95 },
      { token: admin },
    );
  });
});

describe('R-USE-04 T-ROLES: a notification leads to a page that its reader may open', () => {
  it('usage statistics without the dashboard; who may open both gets the dashboard, and who may open none gets none', async () => {
    const readers = [];
    for (const [permissions, page] of [
      [['usage:read'], '/usage/statistics'],
      [['usage:read', 'reports:read'], '/billing/dashboard'],
      [['billing:read'], undefined],
    ] as const) {
      const account = `reader-${permissions.join('-').replaceAll(':', '-')}@quota.example`;
      const { id: customRoleId } = await console.ok(
        customRoles.createRole,
        { name: account, description: '', baseRole: 'User', permissions: [...permissions] },
        { token: admin },
      );
      await console.ok(
        identity.createUser,
        {
          account,
          name: 'Reader',
          role: 'User',
          customRoleId,
          organizationId: owner.organizationId as never,
          password: userPassword,
        },
        { token: admin },
      );
      readers.push({ account, page });
    }
    const { id } = await limited();
    await meter(id, '90');
    for (const { account, page } of readers) {
      const { items } = await console.ok(
        notifications.listNotifications,
        { category: 'usage' },
        { token: await signIn(console, account) },
      );
      expect(items.map(({ link }) => link)).toEqual(page === undefined ? [] : [page]);
    }
  });
});

describe('a limit increase', () => {
  it('is requested, granted in one call, takes effect everywhere, and both sides are notified', async () => {
    const { id, name } = await limited();
    await meter(id, '96');
    const adminNews = await listen(() => admin);
    const raise = (await ask(id, '200')).data;
    expect(raise).toMatchObject({
      state: 'open',
      limit: '200',
      limitThen: '100',
      usedThen: '96',
      askedBy: 'owner',
      decidedAt: null,
    });
    expect(await adminNews()).toEqual([`“One” requested a quota of 200 requests for “${name}”.`]);
    expect((await quotaOf(id)).raise).toMatchObject({ id: raise.id, limit: '200' });
    expect(await console.ok(quotas.adminListRaises, { state: 'open' }, { token: admin })).toMatchObject({
      total: 1,
      items: [{ id: raise.id, organization: 'One', usedNow: '96', limitNow: '100', reason: 'a campaign' }],
    });
    expect((await console.ok(consoleContract.adminDashboard, {}, { token: admin })).openRaises).toBe(1);

    expect((await grant(raise.id)).data).toMatchObject({
      state: 'granted',
      grantedLimit: '200',
      limitNow: '200',
      decidedBy: 'Operator',
    });
    expect(await quotaOf(id)).toMatchObject({ limit: '200', percent: 48, raise: null });
    expect(await entitled(id)).toMatchObject({ allowed: true, limit: '200', remaining: '104' });
    expect(
      (await console.ok(subscriptions.getSubscription, { subscriptionId: id }, { token: owner.token })).quota,
    ).toEqual({ type: 'hard', limit: '200' });
    expect((await reserve(id, '104')).status).toBe(201);
    expect((await reserve(id, '0.1')).status).toBe(409);
    // 96 of 100 was critical, 96 of 200 is not; then 200 of 200 is, by the thresholds of the new limit.
    expect(await news()).toEqual([
      expect.stringContaining('96%'),
      `“${name}” is back to 48% of its quota (96 of 200 requests).`,
      `The quota of “${name}” has been raised to 200 requests. `,
      expect.stringContaining('100%'),
    ]);
    expect((await console.ok(consoleContract.adminDashboard, {}, { token: admin })).openRaises).toBe(0);
  });
  it('may be granted with another amount, which never lowers the service’s own limit', async () => {
    const { id, serviceId } = await limited();
    const raise = (await ask(id, '1000')).data;
    const low = await grant(raise.id, '100');
    expect([low.status, low.envelope.errors?.[0]]).toMatchObject([
      400,
      { field: 'limit', code: 'quotas.raise_too_low' },
    ]);
    expect((await grant(raise.id, '150', 'for now')).data).toMatchObject({
      limit: '1000',
      grantedLimit: '150',
      answer: 'for now',
    });
    expect((await news()).at(-1)).toMatch(/raised to 150 requests\. for now$/);
    await console.ok(
      catalogue.updateService,
      { serviceId, quota: { type: 'hard', limit: '120' } },
      { token: admin },
    );
    expect((await entitled(id)).limit).toBe('150');
    await console.ok(
      catalogue.updateService,
      { serviceId, quota: { type: 'hard', limit: '500' } },
      { token: admin },
    );
    expect((await entitled(id)).limit).toBe('500');
  });
  it('may be declined with a reason; there is one open request at a time, which can be withdrawn; the history is kept', async () => {
    const { id } = await limited();
    const first = (await ask(id, '200')).data;
    expect((await ask(id, '300')).envelope.code).toBe('quotas.raise_open');
    expect(
      (
        await console.call(
          quotas.declineRaise,
          { raiseId: first.id, answer: 'x' },
          { token: admin, body: '{"answer":" "}' },
        )
      ).status,
    ).toBe(400);
    await console.ok(
      quotas.declineRaise,
      { raiseId: first.id, answer: 'no capacity this month' },
      { token: admin },
    );
    expect((await news()).at(-1)).toContain('was declined: no capacity this month');
    expect((await entitled(id)).limit).toBe('100');
    const second = (await ask(id, '300')).data;
    await console.ok(
      quotas.withdrawRaise,
      { subscriptionId: id, raiseId: second.id },
      { token: owner.token },
    );
    for (const raise of [first, second])
      expect((await grant(raise.id)).envelope.code).toBe('quotas.raise_closed');
    const { items } = await console.ok(quotas.listRaises, { subscriptionId: id }, { token: owner.token });
    // A customer does not see the names of the provider's employees.
    expect(items.map((one) => [one.state, one.limit, one.answer, one.decidedBy])).toEqual([
      ['withdrawn', '300', '', 'owner'],
      ['declined', '200', 'no capacity this month', null],
    ]);
  });
  it('answered by two Admins at once is answered once', async () => {
    const { id } = await limited();
    const raise = (await ask(id, '200')).data;
    const answers = await Promise.all([
      grant(raise.id, '150'),
      grant(raise.id, '160'),
      console.call(quotas.declineRaise, { raiseId: raise.id, answer: 'no' }, { token: admin }),
    ]);
    expect(answers.map((each) => each.status).toSorted()).toEqual([200, 409, 409]);
  });
  it('must be above the current limit, of an active subscription with a limit', async () => {
    const { id } = await limited();
    for (const limit of ['100', '99.9'])
      expect((await ask(id, limit)).envelope.errors?.[0]).toMatchObject({
        field: 'limit',
        message: 'The new quota must be higher than 100.',
      });
    expect((await ask((await limited({ quota: { type: 'unlimited' } })).id, '5')).envelope.code).toBe(
      'quotas.no_limit',
    );
    await console.ok(subscriptions.stop, { subscriptionId: id }, { token: owner.token });
    expect((await ask(id, '200')).envelope.code).toBe('quotas.not_running');
  });
  it('is not accessible to ReadOnly members or other organizations', async () => {
    const { id } = await limited();
    const raise = (await ask(id, '200')).data;
    const reader = `reader${fresh()}@one.example`;
    await console.ok(
      identity.createUser,
      {
        account: reader,
        name: 'Reader',
        role: 'ReadOnly',
        organizationId: owner.organizationId as never,
        password: userPassword,
      },
      { token: admin },
    );
    const readOnly = await signIn(console, reader);
    expect(
      (
        await console.call(
          quotas.askRaise,
          { subscriptionId: id, limit: '200', reason: 'x' },
          { token: readOnly },
        )
      ).status,
    ).toBe(403);
    expect(
      (await console.ok(quotas.listRaises, { subscriptionId: id }, { token: readOnly })).items,
    ).toHaveLength(1);
    const { token } = await registerUser(console, `owner${fresh()}@two.example`, 'Two');
    for (const call of [
      console.call(quotas.askRaise, { subscriptionId: id, limit: '200', reason: 'x' }, { token }),
      console.call(quotas.listRaises, { subscriptionId: id }, { token }),
      console.call(quotas.withdrawRaise, { subscriptionId: id, raiseId: raise.id }, { token }),
    ])
      expect((await call).status).toBe(404);
    expect(
      required(
        (await console.ok(quotas.listRaises, { subscriptionId: id }, { token: owner.token })).items[0],
        'the request',
      ).state,
    ).toBe('open');
  });
});
