// Lists of services: filters with exact totals, the waiting list, and the effect of a batch.
import { beforeAll, describe, expect, it } from 'vitest';
import type { In } from '#kernel/contract.ts';
import { catalogue, type Service } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { taxes } from '#features/invoicing/taxes/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let token: string;
let one: { token: string };
let two: { token: string; organizationId: string };
type New = In<typeof catalogue.createService>;
const make = (service: Partial<New> & { name: string }): Promise<Service> =>
  console.ok(
    catalogue.createService,
    {
      type: 'Storage',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
      meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
      ...service,
    },
    { token },
  );
const list = async (filter: In<typeof catalogue.adminListServices>): Promise<[number, string[]]> => {
  const { total, items } = await console.ok(catalogue.adminListServices, filter, { token });
  return [total, items.map((item) => item.name)];
};

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-20T00:00:00Z'));
  token = await setUp(console);
  one = await registerUser(console, 'owner@one.example', 'One');
  two = await registerUser(console, 'owner@two.example', 'Two');
});

describe('R-CAT-05 filters and sorting', () => {
  it('return rows and their exact total, even after changes and deletions', async () => {
    const alpha = await make({ name: 'Alpha', type: 'Compute', tags: ['gpu', 'new'] });
    const beta = await make({ name: 'Beta', releaseState: 'Beta', tags: ['new'] });
    await make({ name: 'Gamma', category: 'Partner', status: 'inactive', description: '物件儲存空間' });
    expect(await list({ type: 'Compute' })).toEqual([1, ['Alpha']]);
    expect(await list({ category: 'Own', status: 'active' })).toEqual([2, ['Alpha', 'Beta']]);
    expect(await list({ releaseState: 'Beta', type: 'Storage', status: 'active', category: 'Own' })).toEqual([
      1,
      ['Beta'],
    ]);
    expect(await list({ tag: 'new', sort: '-name' })).toEqual([2, ['Beta', 'Alpha']]);
    expect(await list({ q: '物件儲存' })).toEqual([1, ['Gamma']]);
    expect(await list({ sort: 'type' })).toEqual([3, ['Alpha', 'Beta', 'Gamma']]);
    expect(await list({ sort: '-status' })).toEqual([3, ['Gamma', 'Beta', 'Alpha']]);
    await console.ok(
      catalogue.updateService,
      { serviceId: beta.id, type: 'Compute', tags: ['gpu'] },
      { token },
    );
    await console.ok(catalogue.deleteService, { serviceId: alpha.id }, { token });
    expect([
      await list({ type: 'Compute' }),
      await list({ type: 'Storage' }),
      await list({ tag: 'new' }),
      await list({}),
    ]).toEqual([
      [1, ['Beta']],
      [1, ['Gamma']],
      [0, []],
      [2, ['Beta', 'Gamma']],
    ]);
    expect(await console.ok(catalogue.serviceTypes, {}, { token })).toEqual({
      types: ['Compute', 'Storage'],
      categories: ['Own', 'Partner'],
      tags: ['gpu'],
      families: [],
    });
  });

  it('return every row once over all pages, in order', async () => {
    for (let index = 0; index < 12; index++)
      await make({ name: `Page ${String(index).padStart(2, '0')}`, category: 'Paged' });
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await console.ok(
        catalogue.adminListServices,
        { category: 'Paged', sort: 'type', limit: 5, ...(cursor === undefined ? {} : { cursor }) },
        { token },
      );
      names.push(...page.items.map((item) => item.name));
      expect(page.total).toBe(12);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect([names.length, new Set(names).size]).toEqual([12, 12]);
  });
});

describe('R-CAT-01 release states', () => {
  it('Coming Soon: cannot be subscribed to, has a waiting list, and everybody on it is notified once', async () => {
    const service = await make({ name: '量子運算', releaseState: 'Coming Soon' });
    expect(
      (await console.call(subscriptions.subscribe, { serviceId: service.id }, { token: one.token })).envelope
        .code,
    ).toBe('subscriptions.service_not_available');
    for (const person of [one, one, two])
      await console.ok(catalogue.showInterest, { serviceId: service.id }, { token: person.token });
    expect((await console.ok(catalogue.listInterests, {}, { token: one.token })).serviceIds).toEqual([
      service.id,
    ]);
    expect(
      (await console.ok(catalogue.adminGetService, { serviceId: service.id }, { token })).interested,
    ).toBe(2);
    await console.ok(catalogue.withdrawInterest, { serviceId: service.id }, { token: two.token });
    const messagesOf = async (person: { token: string }): Promise<string[]> =>
      (
        await console.ok(notifications.listNotifications, {}, { token: person.token, language: 'zhTW' })
      ).items.map((item) => item.message);
    await console.ok(
      catalogue.updateService,
      { serviceId: service.id, description: 'still coming' },
      { token },
    );
    expect(await messagesOf(one)).toEqual([]);
    const come = (releaseState: 'Active' | 'Beta') =>
      console.ok(catalogue.updateService, { serviceId: service.id, releaseState }, { token });
    await Promise.all([come('Beta'), come('Active')]);
    expect([await messagesOf(one), await messagesOf(two)]).toEqual([
      ['您關注的服務「量子運算」已經推出，現在可以訂閱。'],
      [],
    ]);
    expect((await console.ok(catalogue.listInterests, {}, { token: one.token })).serviceIds).toEqual([]);
  });

  it('only visible and upcoming services have a waiting list', async () => {
    const here = await make({ name: 'Here' });
    const hidden = await make({ name: 'Hidden', releaseState: 'Coming Soon', status: 'inactive' });
    const wait = (service: Service) =>
      console.call(catalogue.showInterest, { serviceId: service.id }, { token: one.token });
    expect([(await wait(here)).envelope.code, (await wait(hidden)).envelope.code]).toEqual([
      'catalogue.not_coming',
      'catalogue.service_not_found',
    ]);
  });
});

describe('R-CAT-08 the preview of a batch', () => {
  it('shows subscribers, unbilled usage, and what cannot be deleted', async () => {
    const [used, former, free] = [
      await make({ name: 'Used' }),
      await make({ name: 'Former' }),
      await make({ name: 'Free', status: 'inactive' }),
    ];
    const { secret } = await console.ok(identity.createApiKey, { name: 'gateway' }, { token });
    const subscription = await console.ok(
      subscriptions.subscribe,
      { serviceId: used.id },
      { token: one.token },
    );
    const event = (subject: string, day: string) => ({
      specversion: '1.0',
      id: `${subject} ${day}`,
      source: '/s',
      type: 'gb',
      subject,
      time: `${day}T00:00:00Z`,
      data: { value: '1' },
    });
    const since = await console.ok(
      subscriptions.adminSubscribe,
      {
        organizationId: two.organizationId as never,
        serviceId: used.id,
        startedAt: new Date('2024-08-01T00:00:00Z'),
      },
      { token },
    );
    await console.ok(subscriptions.subscribe, { serviceId: former.id }, { token: one.token });
    await console.ok(
      usage.ingest,
      {},
      {
        token: secret,
        headers: { 'content-type': 'application/cloudevents-batch+json' },
        body: JSON.stringify(
          [
            { subject: subscription.id, day: '20' },
            { subject: since.id, day: '01' },
          ]
            .map(({ subject, day }) => event(subject, `2024-09-${day}`))
            .concat(event(since.id, '2024-08-30')),
        ),
      },
    );
    const ids = [used.id, former.id, free.id];
    const impact = async (action: 'deactivate' | 'delete') =>
      (await console.ok(catalogue.batchImpact, { ids, action }, { token })).services.map(
        ({ name, subscribers, events, canDelete, changes }) => [
          name,
          subscribers,
          events,
          canDelete,
          changes,
        ],
      );
    expect(await impact('delete')).toEqual([
      ['Used', 2, 2, false, false],
      ['Former', 1, 0, false, false],
      ['Free', 0, 0, true, true],
    ]);
    expect(await impact('deactivate')).toEqual([
      ['Used', 2, 2, false, true],
      ['Former', 1, 0, false, true],
      ['Free', 0, 0, true, false],
    ]);
    expect(
      (await console.ok(catalogue.adminListServices, { q: 'Used' }, { token })).items[0]?.subscribers,
    ).toBe(2);
    const { changed, refused } = await console.ok(
      catalogue.batchServices,
      { ids, action: 'delete' },
      { token },
    );
    expect([changed, refused.map((one) => one.id)]).toEqual([1, [used.id, former.id]]);
  });

  it('names the same other reasons against a deletion as the deletion itself', async () => {
    const [taxed, free] = [await make({ name: 'Taxed' }), await make({ name: 'Untaxed' })];
    await console.ok(taxes.setServiceTax, { serviceId: taxed.id, category: 'exempt' }, { token });
    const batch = { ids: [taxed.id, free.id], action: 'delete' as const };
    const { services, blocked } = await console.ok(catalogue.batchImpact, batch, { token });
    const { refused, changedIds } = await console.ok(catalogue.batchServices, batch, { token });
    expect(services.filter(({ canDelete }) => canDelete).map(({ id }) => id)).toEqual(changedIds);
    expect([blocked, refused.map(({ id }) => id)]).toEqual([1, [taxed.id]]);
  });
});
