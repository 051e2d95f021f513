// A console with a customer whose calls are metered, and a platform key that sends their events.
import type { Id } from '#kernel/ids.ts';
import { identity } from '#features/access/identity/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { registerUser, setUp, type TestConsole } from './console.ts';

/** Sets up a new console; its meter sums up events of type `call`. */
export async function meteredConsole(
  console: TestConsole,
): Promise<{ readonly admin: string; readonly key: string; readonly subscriptionId: Id<'sub'> }> {
  const admin = await setUp(console);
  const { organizationId } = await registerUser(console, 'owner@one.example', 'One');
  const { id: serviceId } = await console.ok(
    catalogue.createService,
    {
      name: 'Calls',
      type: 'API',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    { token: admin },
  );
  const { id: subscriptionId } = await console.ok(
    subscriptions.adminSubscribe,
    {
      organizationId: organizationId as Id<'org'>,
      serviceId,
      startedAt: new Date(console.clock.now().getTime() - 40 * 86_400_000),
    },
    { token: admin },
  );
  const { secret } = await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin });
  return { admin, key: secret, subscriptionId };
}
