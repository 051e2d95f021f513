// A console with two customers of one service of machine hours, for tests of connectors to clouds.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { connectors, type Connector, type Mapping } from '#features/metering/connectors/contract.ts';
import type { Credentials, Options } from '#features/metering/connectors/contract-sources.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../console.ts';
import { runFeatureJob, stopRepeating } from '../jobs.ts';

export const cloudBegin = new Date('2024-09-10T00:30:00Z');
export const credential = {
  kind: 'keystone_application',
  applicationId: '21dced0fd20347869b93710d2b98aae0',
  secret: 'the secret of the credential',
} as const;
export const cloudOptions = {
  kind: 'openstack',
  region: '',
  interface: 'public',
  reads: 'servers',
  metric: '',
  resourceType: '',
  aggregation: '',
  granularitySeconds: 300,
  inventory: ['server'],
} as const satisfies Options;

export type CloudConsole = {
  readonly console: TestConsole;
  readonly organizations: readonly [Id<'org'>, Id<'org'>];
  /** Their subscriptions to `serviceId`. */
  readonly subs: readonly [Id<'sub'>, Id<'sub'>];
  readonly serviceId: Id<'svc'>;
  token: string;
  moveTo(at: Date): Promise<void>;
  make(more: {
    address: string;
    options: Options;
    credentials: Credentials;
    mapping: Mapping;
    windowSeconds?: 300 | 900 | 3600;
  }): Promise<Connector>;
  get(connectorId: Id<'con'>): Promise<Connector>;
  run(): Promise<void>;
  /** The counted usage, by subscription. */
  counted(connectorId: Id<'con'>): Promise<Record<string, string>>;
};

export async function startCloudConsole(): Promise<CloudConsole> {
  const console = await createTestConsole(cloudBegin, { PRIVATE_HOSTS: '127.0.0.1' });
  await stopRepeating(console.app);
  const token = await setUp(console);
  const { id: serviceId } = await console.ok(
    catalogue.createService,
    {
      name: 'Machines',
      type: 'VM',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '3' },
      meter: { eventType: 'vm', aggregation: 'sum', unit: 'hours' },
    },
    { token },
  );
  const customer = async (account: string, name: string): Promise<[Id<'org'>, Id<'sub'>]> => {
    const organizationId = (await registerUser(console, account, name)).organizationId as Id<'org'>;
    const { id } = await console.ok(
      subscriptions.adminSubscribe,
      { organizationId, serviceId, startedAt: new Date('2024-08-31T16:00:00Z') },
      { token },
    );
    return [organizationId, id];
  };
  const one = await customer('owner@one.example', 'One');
  const two = await customer('owner@two.example', 'Two');
  const db = () => console.app.database.kysely;
  const made: CloudConsole = {
    console,
    organizations: [one[0], two[0]],
    subs: [one[1], two[1]],
    serviceId,
    token,
    moveTo: async (at) => {
      console.clock.set(at);
      made.token = await signIn(console, adminAccount.account, adminAccount.password);
    },
    make: ({ windowSeconds = 3600, ...more }) =>
      console.ok(
        connectors.createConnector,
        { name: 'Cloud', windowSeconds, settleSeconds: 60, ...more },
        { token: made.token },
      ),
    get: (connectorId) => console.ok(connectors.getConnector, { connectorId }, { token: made.token }),
    run: () => runFeatureJob(console.app, 'connectors'),
    counted: async (connectorId) => {
      const { rows } = await sql<{
        sub: string;
        total: string;
      }>`select e.subscription_id as sub, sum(e.value)::text as total from usage_event e join usage_source s on s.id = e.source_id where s.source = ${`/connectors/${connectorId}`} group by 1`.execute(
        db(),
      );
      return Object.fromEntries(rows.map(({ sub, total }) => [sub, String(Number(total))]));
    },
  };
  return made;
}

/** A mapping of machine seconds to hours, by project. */
export const machineHours = (rules: Mapping['rules'], quantity = 'seconds'): Mapping => ({
  subscriptionField: '',
  rules,
  measures: [{ eventType: 'vm', quantity, multiplyBy: '1', divideBy: '3600', dimensions: {} }],
});
