// A plan is rejected for the same reasons as the change itself, because plans and dry runs are executed and
// rolled back.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { payers } from '#features/invoicing/payers/contract.ts';
import { maxEndpoints, webhooks } from '#features/messaging/webhooks/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let admin: string;
let owner: { token: string; organizationId: string };
beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
  owner = await registerUser(console, 'owner@one.example', 'One');
});

describe('T-PREVIEW: plans of files are rejected', () => {
  it('if they would require prepaid credit where another organization pays', async () => {
    const payer = await registerUser(console, 'owner@two.example', 'Two');
    const { id: serviceId } = await console.ok(
      catalogue.createService,
      {
        name: 'Inference',
        type: 'API',
        category: 'Own',
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
        meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
      },
      { token: admin },
    );
    const { id: subscriptionId } = await console.ok(
      subscriptions.subscribe,
      { serviceId },
      { token: owner.token },
    );
    await console.ok(
      payers.setSubscriptionPayer,
      {
        subscriptionId,
        payerId: payer.organizationId as Id<'org'>,
        from: console.clock.now().toISOString().slice(0, 7) as BillingMonth,
      },
      { token: admin },
    );
    const importCsv = (dryRun: boolean) =>
      console.call(
        catalogue.importServices,
        { dryRun },
        {
          token: admin,
          body: 'name,type,requiresPrepaidCredit\nInference,API,true',
          headers: { 'content-type': 'text/csv' },
        },
      );
    const refusals = [
      await importCsv(true),
      await importCsv(false),
      await console.call(
        catalogue.planCatalogue,
        {
          file: {
            skytallyCatalogue: 1,
            services: [
              {
                id: serviceId,
                name: 'Inference',
                type: 'API',
                category: 'Own',
                pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
                requiresPrepaidCredit: true,
              },
            ],
          } as never,
        },
        { token: admin },
      ),
    ].map(({ status, envelope: { code } }) => [status, code]);
    expect(refusals).toEqual([
      [409, 'payers.service_paid'],
      [409, 'payers.service_paid'],
      [409, 'payers.service_paid'],
    ]);
  });

  it('if they have more webhooks than allowed', async () => {
    const { token } = owner;
    for (let place = 0; place < maxEndpoints; place++)
      await console.ok(webhooks.createEndpoint, { url: `https://hooks.example/${place}` }, { token });
    const file = { skytallyWebhooks: 1, webhooks: [{ url: 'https://hooks.example/more' }] } as const;
    const plan = await console.call(webhooks.planWebhooks, { file: file as never }, { token });
    expect(plan.envelope.code).toBe('webhooks.too_many');
    expect((await console.ok(webhooks.listEndpoints, {}, { token })).items).toHaveLength(maxEndpoints);
  });

  it('without leaving anything behind, and so are valid ones', async () => {
    const file = {
      skytallyCatalogue: 1,
      meters: [
        { key: 'planned', name: 'Planned', eventType: 'planned.call', aggregation: 'count', unit: 'calls' },
      ],
      services: [
        {
          ref: 'planned',
          name: 'Planned',
          type: 'API',
          category: 'Own',
          pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
          meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
        },
      ],
    } as never;
    const first = await console.ok(catalogue.planCatalogue, { file }, { token: admin });
    expect(first).toMatchObject({ created: 1, meters: [{ key: 'planned', action: 'create' }] });
    // The same plan: nothing of it was stored.
    expect(await console.ok(catalogue.planCatalogue, { file }, { token: admin })).toEqual(first);
    expect(
      await console.ok(catalogue.applyCatalogue, { file, planId: first.planId }, { token: admin }),
    ).toEqual(first);
  });
});
