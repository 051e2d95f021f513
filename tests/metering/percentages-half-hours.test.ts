// Where clocks shift by half an hour, two hours of the local clock overlap: percentages price each event once
// (R-BILL-05).
import { expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { meters } from '#features/selling/meters/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { createTestConsole, registerUser, setUp } from '../support/console.ts';

it.each([
  // Forward: 14:30 and 15:00 UTC are the starts of two hours.
  ['2024-10', '2024-10-05T14:40:00Z', '2024-10-05T15:40:00Z'],
  // Back: 14:00 and 14:30 UTC are.
  ['2024-04', '2024-04-06T14:40:00Z', '2024-04-06T15:10:00Z'],
])('in %s, whichever of both hours is opened', async (month, early, late) => {
  const console = await createTestConsole(new Date(`${month}-20T04:00:00Z`));
  const admin = await setUp(console);
  const asAdmin = { token: admin };
  const { secret } = await console.ok(identity.createApiKey, { name: 'gateway' }, asAdmin);
  const meter = { unit: 'USD', eventType: 'sale', aggregation: 'sum' } as const;
  await console.ok(meters.createMeter, { key: 'sales', name: 'Sales', ...meter }, asAdmin);
  const { id: serviceId } = await console.ok(
    catalogue.createService,
    {
      name: 'Payments',
      type: 'API',
      category: 'Own',
      currency: 'USD',
      charges: [
        {
          key: 'take',
          name: { zhTW: '抽成', enUS: 'Take' },
          kind: 'usage',
          meter: 'sales',
          model: 'percentage',
          ratePercent: '10',
          maxPerEvent: '5',
        },
      ],
    },
    asAdmin,
  );
  // The limit binds for some events of one of both hours, which is opened, and for none of the other.
  const sales = { opened: ['10', '1000'], whole: ['20'] };
  for (const [name, times] of Object.entries({ early: [early, late], late: [late, early] })) {
    const { organizationId, token } = await registerUser(console, `${name}@howe.example`, name);
    const id = organizationId as Id<'org'>;
    const timeZone = 'Australia/Lord_Howe';
    await console.ok(identity.adminUpdateOrganization, { organizationId: id, timeZone }, asAdmin);
    const { id: subject } = await console.ok(
      subscriptions.adminSubscribe,
      { organizationId: id, serviceId, startedAt: new Date(`${month}-01T00:00:00Z`) },
      asAdmin,
    );
    const [opened, whole] = times;
    const events = [
      ...sales.opened.map((value) => ({ value, time: opened })),
      ...sales.whole.map((value) => ({ value, time: whole })),
    ].map(({ value, time }, index) => ({
      specversion: '1.0',
      source: name,
      id: String(index),
      type: 'sale',
      subject,
      time,
      data: { value },
    }));
    const headers = { 'content-type': 'application/cloudevents-batch+json' };
    const sent = { token: secret, body: JSON.stringify(events), headers };
    expect((await console.ok(usage.ingest, {}, sent)).rejected).toEqual([]);
    const { bills } = await console.ok(billing.currentBill, {}, { token });
    expect([name, bills[0]?.lines.map(({ exact }) => exact)]).toEqual([name, ['8']]);
  }
});

it('an event that is canceled leaves the others of its half hour', async () => {
  const console = await createTestConsole(new Date('2024-10-20T04:00:00Z'));
  const asAdmin = { token: await setUp(console) };
  const { secret } = await console.ok(identity.createApiKey, { name: 'gateway' }, asAdmin);
  const { id: serviceId } = await console.ok(
    catalogue.createService,
    {
      name: 'Machines',
      type: 'VM',
      category: 'Own',
      pricing: { model: 'graduated', currency: 'USD', baseFee: '0', tiers: [{ upTo: null, unitPrice: '1' }] },
      meter: { eventType: 'size', aggregation: 'max', unit: 'GB' },
    },
    asAdmin,
  );
  const { organizationId, token } = await registerUser(console, 'owner@howe.example', 'Howe');
  const id = organizationId as Id<'org'>;
  const timeZone = 'Australia/Lord_Howe';
  await console.ok(identity.adminUpdateOrganization, { organizationId: id, timeZone }, asAdmin);
  const { id: subject } = await console.ok(
    subscriptions.adminSubscribe,
    { organizationId: id, serviceId, startedAt: new Date('2024-10-01T00:00:00Z') },
    asAdmin,
  );
  const send = async (event: object): Promise<void> => {
    const headers = { 'content-type': 'application/cloudevents-batch+json' };
    const body = JSON.stringify([{ specversion: '1.0', source: 's', subject, ...event }]);
    expect((await console.ok(usage.ingest, {}, { token: secret, body, headers })).rejected).toEqual([]);
  };
  const time = '2024-10-05T15:40:00Z';
  await send({ id: '1', type: 'size', time, data: { value: '7' } });
  await send({ id: '2', type: 'size', time, data: { value: '9' } });
  await send({ id: '3', type: 'size.void', data: { id: '2' } });
  const { bills } = await console.ok(billing.currentBill, {}, { token });
  expect(bills[0]?.lines.filter(({ kind }) => kind === 'usage').map(({ quantity }) => quantity)).toEqual([
    '7',
  ]);
});
