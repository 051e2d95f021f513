// A console for tests of licenses: a customer with a subscription, machines, and licenses issued for them.
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { licensing, type IssuedLicence } from '#features/operations/licensing/contract.ts';
import { subscriptions, type Subscription } from '#features/selling/subscriptions/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from './console.ts';

export type Details = Record<string, string | null | string[]>;
/** A server's details as the collector reports them, with the given differences. */
export const machineOf = (more: Details = {}): Details => ({
  hostname: 'db-01',
  platform: 'linux',
  machineId: '3d1219c7c4c5404aaa1f6d2a48adfda4',
  systemUuid: '4c4c4544-0051-3510-8052-b4c04f4d4e32',
  systemSerial: '5Q5RMN2',
  boardSerial: 'CNFCP0079E00AB',
  cpu: 'Intel(R) Xeon(R) Gold 6226R',
  macAddresses: ['b8:ca:3a:00:00:01', 'b8:ca:3a:00:00:02'],
  diskSerials: ['S3Z9NB0K'],
  ...more,
});

export type LicenceApp = TestConsole & {
  readonly admin: string;
  readonly user: { token: string; userId: string; organizationId: string };
  readonly subscription: Subscription;
  readonly issue: (machine?: Details | string, validDays?: number) => Promise<IssuedLicence>;
};

export async function createLicenceApp(now: Date): Promise<LicenceApp> {
  const console = await createTestConsole(now);
  const admin = await setUp(console);
  const user = await registerUser(console, 'owner@one.example', '晨光科技');
  const service = await console.ok(
    catalogue.createService,
    {
      name: 'On-premises storage',
      type: 'Storage',
      category: 'Platform',
      pricing: { model: 'flat', currency: 'TWD', baseFee: '900' },
      meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
      quota: { type: 'hard', limit: '500' },
      features: ['replication', 'snapshots'],
    },
    { token: admin },
  );
  const subscription = await console.ok(
    subscriptions.subscribe,
    { serviceId: service.id, quantity: '2' },
    { token: user.token },
  );
  return {
    ...console,
    admin,
    user,
    subscription,
    issue: (machine = machineOf(), validDays) =>
      console.ok(
        licensing.issueLicence,
        { subscriptionId: subscription.id, machine, ...(validDays !== undefined && { validDays }) },
        { token: admin },
      ),
  };
}
