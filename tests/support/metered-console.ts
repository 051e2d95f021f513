// A console with a customer whose calls are metered, and a platform key that sends their events.
import * as z from 'zod/mini';
import { id } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { catalogue, type Meter } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { registerUser, setUp, type TestConsole } from './console.ts';

/**
 * Sets up a new console; its meter sums up events of type `call`, at NT$1 each, for forty days or since
 * `startedAt`.
 */
export async function meteredConsole(
  console: TestConsole,
  { dataSchema, startedAt }: { dataSchema?: Meter['dataSchema']; startedAt?: Date } = {},
) {
  const admin = await setUp(console);
  const owner = await registerUser(console, 'owner@one.example', 'One');
  const service = await console.ok(
    catalogue.createService,
    {
      name: 'Calls',
      type: 'API',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
      meter: {
        eventType: 'call',
        aggregation: 'sum',
        unit: 'calls',
        ...(dataSchema !== undefined && { dataSchema }),
      },
    },
    { token: admin },
  );
  const { id: subscriptionId } = await console.ok(
    subscriptions.adminSubscribe,
    {
      organizationId: z.parse(id('org'), owner.organizationId),
      serviceId: service.id,
      startedAt: startedAt ?? new Date(console.clock.now().getTime() - 40 * 86_400_000),
    },
    { token: admin },
  );
  const { secret } = await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin });
  return { admin, owner, key: secret, service, subscriptionId };
}
