// The cached rating context is never older than a completed change (R-USE-04): each round makes a change and
// sends an event directly after it.
import { beforeAll, expect, it } from 'vitest';
import { money } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import { sql } from 'kysely';
import { budgets } from '#features/metering/budgets/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let admin: string;
let token: string;
let key: string;
let organizationId: Id<'org'>;
let sent = 0;

beforeAll(async () => {
  // The clock stands still, so that nothing expires by time.
  console = await createTestConsole(new Date('2026-10-10T00:00:00Z'));
  admin = await setUp(console);
  const owner = await registerUser(console, 'owner@seen.example', 'Seen');
  [token, organizationId] = [owner.token, owner.organizationId as Id<'org'>];
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
});

async function service(): Promise<{ serviceId: Id<'svc'>; subject: Id<'sub'> }> {
  const { id: serviceId } = await console.ok(
    catalogue.createService,
    {
      name: `Calls ${++sent}`,
      type: 'API',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '2' },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    { token: admin },
  );
  return {
    serviceId,
    subject: (
      await console.ok(
        subscriptions.adminSubscribe,
        { organizationId, serviceId, startedAt: new Date('2026-09-01T00:00:00Z') },
        { token: admin },
      )
    ).id,
  };
}
/** The result of an event: its error code, or undefined. */
async function send(subject: string, data: object = { value: '1' }): Promise<string | undefined> {
  const event = {
    specversion: '1.0',
    id: `e${++sent}`,
    source: '/seen',
    type: 'call',
    subject,
    time: console.clock.now().toISOString(),
    data,
  };
  const { rejected } = await console.ok(
    usage.ingest,
    {},
    { token: key, body: JSON.stringify(event), headers: { 'content-type': 'application/cloudevents+json' } },
  );
  return rejected[0]?.code;
}

it('the data schema of a meter applies to the next event after its change, and no longer after its removal (R-USE-04)', async () => {
  const { serviceId, subject } = await service();
  for (let round = 0; round < 8; round++) {
    // The event sent at the same time makes metering cache the state before the change.
    await Promise.all([
      send(subject, { region: 'tpe' }),
      console.ok(
        catalogue.updateService,
        { serviceId, dataSchema: { type: 'object', required: ['region'] } },
        { token: admin },
      ),
    ]);
    expect(await send(subject)).toBe('usage.data_schema');
    await Promise.all([
      send(subject, { region: 'tpe' }),
      console.ok(catalogue.updateService, { serviceId, dataSchema: null }, { token: admin }),
    ]);
    expect(await send(subject)).toBeUndefined();
  }
});

it('a subscription accepts events as soon as it exists, and none after its end (R-USE-04)', async () => {
  for (let round = 0; round < 8; round++) {
    const { subject } = await service();
    expect(await send(subject)).toBeUndefined();
    await Promise.all([
      send(subject),
      console.ok(subscriptions.cancel, { subscriptionId: subject, when: 'now' }, { token }),
    ]);
    expect(await send(subject)).toBe('usage.subscription_not_running');
  }
});

it('a budget created after events of its organization is checked after the next one (R-USE-05)', async () => {
  const { subject } = await service();
  const {
    database: { kysely: db },
  } = console.app;
  for (let round = 0; round < 8; round++) {
    const { id } = (
      await Promise.all([
        console.ok(budgets.createBudget, { name: 'All', amount: money(10n, 'TWD') }, { token }),
        send(subject),
      ])
    )[0];
    await sql`delete from job.job where name = 'budgets.check'`.execute(db);
    await send(subject);
    expect((await sql`select from job.job where name = 'budgets.check'`.execute(db)).rows).toHaveLength(1);
    await console.ok(budgets.deleteBudget, { budgetId: id }, { token });
  }
});
