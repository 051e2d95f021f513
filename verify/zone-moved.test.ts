// A time zone that an Admin moves eastward after a close leaves correct books correct.
import { expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { identity } from '../src/features/access/identity/contract.ts';
import { billing } from '../src/features/invoicing/billing/contract.ts';
import { usage } from '../src/features/metering/usage/contract.ts';
import { catalogue } from '../src/features/selling/catalogue/contract.ts';
import { subscriptions } from '../src/features/selling/subscriptions/contract.ts';
import { runCli } from '../tests/support/cli.ts';
import { adminAccount, createTestConsole, registerUser, setUp, signIn } from '../tests/support/console.ts';

it('I3, I6: the month that was not over in the former time zone waits for the next close', async () => {
  const console = await createTestConsole(new Date('2024-09-30T16:00:00Z'));
  let admin = await setUp(console);
  const asAdmin = () => ({ token: admin });
  const key = (await console.ok(identity.createApiKey, { name: 'gateway' }, asAdmin())).secret;
  const registered = await registerUser(console, 'owner@moved.example', 'Moved');
  const organizationId = registered.organizationId as Id<'org'>;
  const moveTo = (timeZone: string) =>
    console.ok(identity.adminUpdateOrganization, { organizationId, timeZone }, asAdmin());
  await moveTo('America/New_York');
  const { id: serviceId } = await console.ok(
    catalogue.createService,
    {
      name: 'Calls',
      type: 'API',
      category: 'Own',
      pricing: { model: 'flat', currency: 'TWD', baseFee: '100' },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    asAdmin(),
  );
  const { id } = await console.ok(subscriptions.adminSubscribe, { organizationId, serviceId }, asAdmin());
  const month = '2024-10' as BillingMonth;
  const verified = async (): Promise<unknown> => {
    const { code, out } = await runCli(console, 'verify');
    return [code, code === 0 ? '' : out];
  };
  const at = async (moment: string): Promise<void> => {
    console.clock.set(new Date(moment));
    admin = await signIn(console, adminAccount.account, adminAccount.password);
  };
  // Over in Taipei, not in New York.
  await at('2024-10-31T17:00:00Z');
  const event = { specversion: '1.0', id: '1', source: 's', type: 'call', subject: id, data: { value: '1' } };
  await console.ok(
    usage.ingest,
    {},
    {
      token: key,
      body: JSON.stringify([{ ...event, time: '2024-10-31T16:30:00Z' }]),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  await console.ok(billing.closeMonth, { month }, asAdmin());
  const bills = async () =>
    (await console.ok(billing.adminListBills, { month, organizationId }, asAdmin())).items.length;
  expect(await bills()).toBe(0);
  await moveTo('Asia/Taipei');
  expect(await verified()).toEqual([0, '']);
  await at('2024-10-31T18:00:00Z');
  await console.ok(billing.closeMonth, { month }, asAdmin());
  expect(await bills()).toBe(1);
  expect(await verified()).toEqual([0, '']);
});
