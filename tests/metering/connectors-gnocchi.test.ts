// Measures of a real Gnocchi with a real Keystone: what a cloud measured of its machines is counted, to the
// last measure.
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { minuteMs } from '#kernel/durations.ts';
import { connectors, type Connector } from '#features/metering/connectors/contract.ts';
import {
  cloudBegin,
  cloudOptions,
  machineHours,
  startCloudConsole,
  type CloudConsole,
} from '../support/clouds/console.ts';
import { hasGnocchi, startGnocchi, type RealGnocchi } from '../support/clouds/gnocchi.ts';

const begin = Date.UTC(2024, 8, 10);
const at = (minute: number): string => new Date(begin + minute * minuteMs).toISOString();
const later = (hours: number): Date => new Date(begin + hours * 60 * minuteMs + 2 * minuteMs);
/** Five machines of one project, one of another, one without a project. */
const machines = [
  ...[1, 2, 3, 4, 5].map((number) => ({ name: `shop-${number}`, project: 'acme' })),
  { name: 'mail-1', project: 'beta' },
  { name: 'test-1', project: 'nobody' },
].map((machine, place) => ({ ...machine, id: `75c44741-cc60-4033-804e-2d3098c7d2e${place}` }));
const [first, , , , , mail] = machines;

describe.skipIf(!hasGnocchi)('a real Gnocchi (Debian: apt install gnocchi-api keystone)', () => {
  let gnocchi: RealGnocchi;
  let all: CloudConsole;

  const send = async (id: string, metric: string, measures: readonly (readonly [number, number])[]) => {
    const { metrics } = (await gnocchi.ask('GET', `/v1/resource/instance/${id}`)) as {
      metrics: Record<string, string>;
    };
    const body = measures.map(([minute, value]) => ({ timestamp: at(minute), value }));
    await gnocchi.ask('POST', `/v1/metric/${metrics[metric]}/measures`, body);
  };

  beforeAll(async () => {
    // Pages of two: the operator’s limit is below the requested size.
    gnocchi = await startGnocchi({ maxLimit: 2 });
    await gnocchi.ask('POST', '/v1/archive_policy', {
      name: 'billing',
      definition: [{ granularity: '5m', timespan: '400d' }],
      aggregation_methods: ['mean', 'rate:mean'],
    });
    await gnocchi.ask('POST', '/v1/resource_type', {
      name: 'instance',
      attributes: {
        display_name: { type: 'string', required: true },
        flavor_name: { type: 'string', required: false },
      },
    });
    for (const { id, name, project } of machines)
      await gnocchi.ask('POST', '/v1/resource/instance', {
        id,
        project_id: project,
        user_id: 'somebody',
        started_at: '2024-09-01T00:00:00',
        display_name: name,
        flavor_name: 'm1.tiny',
        metrics: {
          vcpus: { archive_policy_name: 'billing' },
          'network.outgoing.bytes': { archive_policy_name: 'billing' },
        },
      });
    all = await startCloudConsole();
  }, 120_000);

  beforeEach(() => sql`delete from connector`.execute(all.console.app.database.kysely));

  const make = async (options: object, quantity: string, password = gnocchi.password): Promise<Connector> => {
    await all.moveTo(cloudBegin);
    return all.make({
      address: gnocchi.keystone,
      options: {
        ...cloudOptions,
        reads: 'gnocchi',
        metric: 'vcpus',
        resourceType: 'instance',
        aggregation: 'mean',
        inventory: [],
        ...options,
      },
      credentials: {
        kind: 'keystone_password',
        user: 'admin',
        userDomain: 'Default',
        password,
        project: 'admin',
        projectDomain: 'Default',
      },
      mapping: {
        ...machineHours(
          [
            { field: 'project', value: 'acme', subscriptionId: all.subs[0] },
            { field: 'project', value: 'beta', subscriptionId: all.subs[1] },
          ],
          quantity,
        ),
      },
    });
  };

  it('T-CONN: cores of every machine on every page count for as long as they were used, including measures that Gnocchi has not processed yet', async () => {
    // Two cores for the first half of the hour, four for the second; a machine that is deleted after twenty
    // minutes.
    for (const { id } of machines.slice(0, 5))
      await send(
        id,
        'vcpus',
        Array.from({ length: 12 }, (_, place) => [place * 5, place < 6 ? 2 : 4] as const),
      );
    await send(
      mail?.id ?? '',
      'vcpus',
      [0, 5, 10, 15].map((minute) => [minute, 3] as const),
    );
    await gnocchi.ask('PATCH', `/v1/resource/instance/${mail?.id}`, { ended_at: at(20) });
    const { id } = await make({}, 'valueSeconds');
    await all.moveTo(later(1));
    await all.run();
    expect(await all.get(id)).toMatchObject({ failure: null });
    // 5 machines × (0.5 h × 2 + 0.5 h × 4) = 15 core hours, plus a third of an hour of 3.
    expect(await all.counted(id)).toEqual({ [all.subs[0]]: '15', [all.subs[1]]: '1' });
    // A machine without measures creates nothing.
    const { items } = await all.console.ok(
      connectors.listResources,
      { connectorId: id },
      { token: all.token },
    );
    expect(items.map((each) => each.id).toSorted()).toEqual(machines.slice(0, 6).map((each) => each.id));
  });

  it('T-CONN: the increase of a byte counter is the sum of its rates', async () => {
    await send(
      first?.id ?? '',
      'network.outgoing.bytes',
      Array.from({ length: 14 }, (_, place) => [(place - 1) * 5, 1_000_000 + place * 3600] as const),
    );
    const { id } = await make({ metric: 'network.outgoing.bytes', aggregation: 'rate:mean' }, 'sum');
    await all.moveTo(later(1));
    await all.run();
    expect(await all.get(id)).toMatchObject({ failure: null });
    // Twelve steps of 3,600 bytes, in units of 3,600.
    expect(await all.counted(id)).toEqual({ [all.subs[0]]: '12' });
  });

  it.each([
    ['a type of resources', { resourceType: 'machine' }, 'Resource type machine does not exist'],
    ['an aggregation', { aggregation: 'std' }, 'Aggregation method does not exist for this metric'],
    ['a granularity', { granularitySeconds: 60 }, "Aggregation method 'mean' at granularity '60.0'"],
  ])(
    'T-CONN: %s that the cloud does not have is reported with its own message',
    async (_what, options, says) => {
      const { id } = await make(options, 'valueSeconds');
      await all.moveTo(later(1));
      await all.run();
      expect((await all.get(id)).failure).toMatchObject({
        code: 'refused_query',
        detail: expect.stringContaining(says),
      });
      expect(await all.counted(id)).toEqual({});
    },
  );

  it('T-CONN: a password that Keystone rejects is reported as such', async () => {
    const { id } = await make({}, 'valueSeconds', 'another');
    await all.moveTo(later(1));
    await all.run();
    expect((await all.get(id)).failure).toMatchObject({ code: 'refused_credentials' });
  });

  it('T-CONN: a Keystone application credential reads the same, until it is revoked', async () => {
    const users = (await gnocchi.manage('GET', '/users?name=admin', undefined)) as {
      users: { id: string }[];
    };
    const made = (await gnocchi.manage('POST', `/users/${users.users[0]?.id}/application_credentials`, {
      application_credential: { name: 'billing', roles: [{ name: 'admin' }] },
    })) as { application_credential: { id: string; secret: string } };
    const { id: applicationId, secret } = made.application_credential;
    await all.moveTo(cloudBegin);
    const { id } = await all.make({
      address: `${gnocchi.keystone}/v3`,
      options: {
        ...cloudOptions,
        reads: 'gnocchi',
        metric: 'vcpus',
        resourceType: 'instance',
        aggregation: 'mean',
        inventory: [],
      },
      credentials: { kind: 'keystone_application', applicationId, secret },
      mapping: machineHours(
        [{ field: 'project', value: 'acme', subscriptionId: all.subs[0] }],
        'valueSeconds',
      ),
    });
    await all.moveTo(later(1));
    await all.run();
    expect(await all.counted(id)).toEqual({ [all.subs[0]]: '15' });
    await gnocchi.manage(
      'DELETE',
      `/users/${users.users[0]?.id}/application_credentials/${applicationId}`,
      undefined,
    );
    await all.moveTo(later(2));
    await all.run();
    expect(await all.get(id)).toMatchObject({ failure: { code: 'refused_credentials' } });
    expect(await all.counted(id)).toEqual({ [all.subs[0]]: '15' });
  });
});
