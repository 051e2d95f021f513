// OpenStack, Proxmox VE and OpenCost against a real console and database; simulated clouds respond as in
// their API references.
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hourMs } from '#kernel/durations.ts';
import { connectors } from '#features/metering/connectors/contract.ts';
import type { HttpOptions, PrometheusOptions } from '#features/metering/connectors/contract-sources.ts';
import { readInventory } from '#features/metering/connectors/server/open-source.ts';
import {
  cloudBegin,
  cloudOptions,
  credential,
  machineHours,
  startCloudConsole,
  type CloudConsole,
} from '../support/clouds/console.ts';
import { startOpenStack, type FakeOpenStack, type FakeServer } from '../support/clouds/openstack.ts';
import { listen } from '../support/clouds/listen.ts';
import { startProxmox } from '../support/clouds/proxmox.ts';

const later = (hours: number): Date => new Date(Date.UTC(2024, 8, 10) + hours * hourMs + 120_000);
const nova = (at: Date): string => at.toISOString().replace('Z', '000');

let cloud: FakeOpenStack;
let all: CloudConsole;
const server = (id: string, more: Partial<FakeServer> = {}): FakeServer => ({
  id,
  name: id,
  project: 'acme',
  flavor: 'm1.tiny',
  launchedAt: '2024-09-09T00:00:00.000000',
  terminatedAt: null,
  status: 'ACTIVE',
  ...more,
});
const rules = () => [
  { field: 'project', value: 'acme', subscriptionId: all.subs[0] },
  { field: 'project', value: 'beta', subscriptionId: all.subs[1] },
];
const make = (options: object = {}, quantity = 'seconds') =>
  all.make({
    address: cloud.address,
    options: { ...cloudOptions, ...options },
    credentials: credential,
    mapping: machineHours(rules(), quantity),
  });
const settings = (options: object = {}) => ({
  address: cloud.address,
  options: { ...cloudOptions, ...options },
  credentials: credential,
  privateHosts: ['127.0.0.1'],
  timeoutMs: 30_000,
});
const forever = new AbortController().signal;

beforeAll(async () => {
  cloud = await startOpenStack();
  all = await startCloudConsole();
});
beforeEach(async () => {
  await all.moveTo(cloudBegin);
  await sql`delete from connector`.execute(all.console.app.database.kysely);
  Object.assign(cloud, {
    servers: [server('vm-1')],
    volumes: [],
    addresses: [],
    measures: {},
    frames: [],
    pageSize: 1000,
    tokenUses: Number.POSITIVE_INFINITY,
    secret: credential.secret,
    regions: ['RegionOne'],
    lie: undefined,
    signIns: 0,
  });
  cloud.asked.length = 0;
});

describe('OpenStack: hours of servers', () => {
  it('T-CONN: servers created and deleted within a window count for their part of it, to the millisecond, once', async () => {
    cloud.servers = [
      server('vm-1'),
      server('vm-2', { launchedAt: '2024-09-10T00:45:00.500000' }),
      server('vm-3', { project: 'beta', terminatedAt: '2024-09-10T01:15:00.000000' }),
      server('vm-4', {
        project: 'beta',
        launchedAt: '2024-09-10T00:10:00',
        terminatedAt: '2024-09-10T00:20:00',
      }),
    ];
    const { id } = await make();
    await all.moveTo(later(2));
    await all.run();
    await all.console.ok(
      connectors.backfillConnector,
      { connectorId: id, from: new Date('2024-09-10T00:00:00Z') },
      { token: all.token },
    );
    await all.run();
    expect(await all.get(id)).toMatchObject({ failure: null, events: 7 });
    expect(await all.counted(id)).toEqual({
      [all.subs[0]]: '3.249861111111',
      [all.subs[1]]: '1.416666666667',
    });
  });

  it(
    'T-CONN: changes within a window never lose or duplicate time: the windows of a day add up to the lives of the machines',
    { timeout: 120_000 },
    async () => {
      const minute = fc.integer({ min: 0, max: 6 * 60 });
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(minute, minute), { minLength: 1, maxLength: 5 }),
          async (lives) => {
            await sql`delete from connector`.execute(all.console.app.database.kysely);
            await all.moveTo(cloudBegin);
            const at = (minutes: number): Date => new Date(Date.UTC(2024, 8, 10) + minutes * 60_000);
            cloud.servers = lives.map(([one, two], place) =>
              server(`vm-${place}`, {
                launchedAt: nova(at(Math.min(one, two))),
                terminatedAt: nova(at(Math.max(one, two))),
              }),
            );
            cloud.pageSize = 2;
            const { id } = await make();
            for (const hours of [1, 3, 6]) {
              await all.moveTo(later(hours));
              // A resize: the counted time keeps the old size, and later time has the new one.
              cloud.servers = cloud.servers.map((each) => ({
                ...each,
                flavor: 'm1.large',
                name: `${each.name}x`,
              }));
              await all.run();
              await all.run();
            }
            const minutes = lives.reduce((sum, [one, two]) => sum + Math.abs(one - two), 0);
            const counted = Number((await all.counted(id))[all.subs[0]] ?? '0');
            expect(counted).toBeCloseTo(minutes / 60, 9);
            expect((await all.get(id)).failure).toBeNull();
          },
        ),
        { numRuns: 6 },
      );
    },
  );

  it('T-CONN: a machine that moves to another customer is billed to each for their own windows', async () => {
    const { id } = await make();
    await all.moveTo(later(1));
    await all.run();
    cloud.servers = [server('vm-1', { project: 'beta', name: 'renamed' })];
    await all.moveTo(later(2));
    await all.run();
    expect(await all.counted(id)).toEqual({ [all.subs[0]]: '1', [all.subs[1]]: '1' });
  });

  it('T-CONN: pages are followed by the id of their last item, never to the host of their link', async () => {
    cloud.servers = Array.from({ length: 7 }, (_, place) => server(`vm-${place}`));
    cloud.pageSize = 3;
    const { id } = await make();
    await all.moveTo(later(1));
    await all.run();
    expect(await all.get(id)).toMatchObject({ failure: null, events: 7 });
    expect(cloud.asked.filter(({ path }) => path.includes('marker='))).toHaveLength(2);
  });

  it('T-CONN: a list that returns the same page forever ends with an error', async () => {
    cloud.lie = ({ url }) =>
      url.pathname.endsWith('os-simple-tenant-usage')
        ? {
            body: {
              tenant_usages: [
                {
                  server_usages: [
                    {
                      instance_id: 'vm-1',
                      tenant_id: 'acme',
                      started_at: '2024-09-09T00:00:00',
                      ended_at: null,
                    },
                  ],
                },
              ],
              tenant_usages_links: [{ rel: 'next', href: '/' }],
            },
          }
        : undefined;
    const { id } = await make();
    await all.moveTo(later(1));
    await all.run();
    expect(await all.get(id)).toMatchObject({
      failure: { code: 'bad_answer', detail: 'the same page again' },
    });
  });
});

describe('OpenStack: authentication', () => {
  it('T-CONN: a token that expires during a read is replaced, and the window is complete', async () => {
    cloud.servers = Array.from({ length: 5 }, (_, place) => server(`vm-${place}`));
    cloud.pageSize = 1;
    cloud.tokenUses = 2;
    const { id } = await make();
    await all.moveTo(later(1));
    await all.run();
    expect(await all.get(id)).toMatchObject({ failure: null, events: 5 });
    expect(cloud.signIns).toBe(3);
  });

  it('T-CONN: revoked credentials are reported, and nothing is counted', async () => {
    const { id } = await make();
    cloud.secret = 'another';
    await all.moveTo(later(1));
    await all.run();
    expect(await all.get(id)).toMatchObject({ failure: { code: 'refused_credentials' }, events: 0 });
  });

  it('T-CONN: a token that no service accepts is not renewed forever', async () => {
    cloud.tokenUses = 0;
    const { id } = await make();
    await all.moveTo(later(1));
    await all.run();
    expect(await all.get(id)).toMatchObject({ failure: { code: 'refused_credentials' } });
    expect(cloud.signIns).toBe(2);
  });

  it('T-CONN: a service that responds with 429 is not called until the time it names', async () => {
    cloud.lie = ({ url }) =>
      url.pathname.startsWith('/compute') ? { status: 429, headers: { 'retry-after': '900' } } : undefined;
    const { id } = await make();
    await all.moveTo(later(1));
    await all.run();
    expect((await all.get(id)).nextPullAt).toEqual(new Date(later(1).getTime() + 900_000));
  });

  it('T-CONN: with several regions one must be selected, and a catalog cannot lead to an internal address', async () => {
    cloud.regions = ['RegionOne', 'RegionTwo'];
    const undecided = await make();
    const decided = await make({ region: 'RegionTwo' });
    await all.moveTo(later(1));
    await all.run();
    expect(await all.get(undecided.id)).toMatchObject({
      failure: { code: 'no_endpoint', detail: 'compute: RegionOne, RegionTwo' },
    });
    expect(await all.get(decided.id)).toMatchObject({ failure: null, events: 1 });
    cloud.regions = ['RegionOne'];
    cloud.lie = ({ url }) =>
      url.pathname === '/v3/auth/tokens'
        ? {
            status: 201,
            headers: { 'x-subject-token': 'token' },
            body: {
              token: {
                catalog: [
                  {
                    type: 'compute',
                    endpoints: [
                      { interface: 'public', region_id: 'RegionTwo', url: 'http://169.254.169.254/v2.1' },
                    ],
                  },
                ],
              },
            },
          }
        : undefined;
    await all.moveTo(later(2));
    await all.run();
    expect(await all.get(decided.id)).toMatchObject({ failure: { code: 'address' } });
  });

  it('T-CONN: a user and password of Keystone authenticate for their project', async () => {
    const made = await all.make({
      address: `${cloud.address}/v3/`,
      options: cloudOptions,
      credentials: {
        kind: 'keystone_password',
        user: 'billing',
        userDomain: 'Default',
        password: cloud.secret,
        project: 'admin',
        projectDomain: 'Default',
      },
      mapping: machineHours(rules()),
    });
    await all.moveTo(later(1));
    await all.run();
    expect((await all.get(made.id)).failure).toBeNull();
    expect(JSON.parse(cloud.asked[0]?.body ?? '{}')).toEqual({
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: 'billing', domain: { name: 'Default' }, password: cloud.secret } },
        },
        scope: { project: { name: 'admin', domain: { name: 'Default' } } },
      },
    });
  });
});

describe('OpenStack: measures, dataframes, inventory', () => {
  it('T-CONN: Gnocchi measures count as values over time, except those of another granularity', async () => {
    cloud.servers = [server('vm-1'), server('vm-2', { terminatedAt: '2024-09-09T12:00:00' })];
    cloud.measures = {
      'vm-1': [
        ...Array.from({ length: 12 }, (_, place): [string, number, number] => [
          `2024-09-10T00:${String(place * 5).padStart(2, '0')}:00+00:00`,
          300,
          2,
        ]),
        ['2024-09-10T00:00:00+00:00', 3600, 2],
      ],
    };
    const { id } = await make(
      { reads: 'gnocchi', metric: 'cpu', resourceType: 'instance', aggregation: 'mean' },
      'valueSeconds',
    );
    await all.moveTo(later(1));
    await all.run();
    expect(await all.get(id)).toMatchObject({ failure: null, events: 1 });
    expect(await all.counted(id)).toEqual({ [all.subs[0]]: '2' });
    // A server that had ended before the window is not queried.
    expect(cloud.asked.filter(({ path }) => path.includes('/measures'))).toHaveLength(1);
  });

  it('T-CONN: CloudKitty dataframes count for their own hour; an hour without any is not an error', async () => {
    const frame = (id: string, hour: number, qty: number) => ({
      period: { begin: `2024-09-10T0${hour}:00:00+00:00`, end: `2024-09-10T0${hour + 1}:00:00+00:00` },
      usage: {
        instance: [
          {
            vol: { unit: 'instance', qty },
            rating: { price: 3.8 },
            groupby: { project_id: 'acme', user_id: 'b28fd3f448c34c17bf70e32886900eed', id },
            metadata: { flavor_name: 'm1.tiny' },
          },
        ],
      },
    });
    const { id } = await make({ reads: 'cloudkitty', metric: 'instance' }, 'quantity');
    await all.moveTo(later(1));
    await all.run();
    expect(await all.get(id)).toMatchObject({ failure: null, events: 0 });
    // Pages shift while they are read: a frame is returned twice.
    cloud.frames = [
      frame('vm-1', 1, 3600),
      frame('vm-1', 1, 3600),
      frame('vm-2', 1, 1800),
      frame('vm-3', 2, 1),
    ];
    cloud.pageSize = 2;
    await all.moveTo(later(2));
    await all.run();
    expect(await all.counted(id)).toEqual({ [all.subs[0]]: '1.5' });
  });

  it('T-CONN: the inventory has servers, volumes and floating IPs of all projects, each once', async () => {
    cloud.servers = [
      server('vm-1', { flavor: 'm1.large', launchedAt: '2024-09-01T00:00:00' }),
      server('vm-2', { project: 'beta', status: 'SHUTOFF' }),
      server('gone', { terminatedAt: '2024-09-09T00:00:01' }),
    ];
    cloud.volumes = [
      { id: 'vol-1', name: 'data', project: 'acme', size: 100, createdAt: '2024-09-02T00:00:00.000000' },
    ];
    cloud.addresses = [
      { id: 'fip-1', address: '203.0.113.7', project: 'acme', createdAt: '2024-09-03T00:00:00Z' },
    ];
    cloud.pageSize = 1;
    const items = await readInventory(settings({ inventory: ['server', 'volume', 'floating_ip'] }), forever);
    expect(
      items?.map(({ resource, kind, name, project, size, since, state }) => [
        resource,
        kind,
        name,
        project,
        size,
        since?.toISOString().slice(0, 10),
        state,
      ]),
    ).toEqual([
      ['vm-1', 'server', 'vm-1', 'acme', 'm1.large', '2024-09-01', 'ACTIVE'],
      ['vm-2', 'server', 'vm-2', 'beta', 'm1.tiny', '2024-09-09', 'SHUTOFF'],
      ['vol-1', 'volume', 'data', 'acme', '100', '2024-09-02', 'in-use'],
      ['fip-1', 'floating_ip', '203.0.113.7', 'acme', '', '2024-09-03', 'ACTIVE'],
    ]);
    expect(await readInventory(settings({ inventory: [] }), forever)).toBeUndefined();
  });

  it('T-CONN: unsaved settings can be previewed, and stored credentials are not sent to another server', async () => {
    const wanted = {
      address: cloud.address,
      options: cloudOptions,
      credentials: credential,
      windowSeconds: 3600,
      settleSeconds: 0,
      mapping: machineHours(rules().slice(0, 1)),
    } as const;
    await all.moveTo(later(1));
    expect(await all.console.ok(connectors.tryConnector, wanted, { token: all.token })).toMatchObject({
      failure: null,
      resources: 1,
      perRule: [1],
      rows: [{ resource: 'vm-1', events: [{ quantity: '1' }] }],
    });
    const { id } = await make();
    const { credentials: _credentials, ...kept } = wanted;
    expect(
      await all.console.ok(connectors.tryConnector, { ...kept, connectorId: id }, { token: all.token }),
    ).toMatchObject({ failure: null, resources: 1 });
    expect(
      await all.console.call(
        connectors.tryConnector,
        { ...kept, connectorId: id, address: 'https://evil.example.com' },
        { token: all.token },
      ),
    ).toMatchObject({ status: 400, envelope: { code: 'connectors.credentials_again' } });
    expect(
      await all.console.call(
        connectors.tryConnector,
        { ...wanted, credentials: { kind: 'bearer', token: 'x' } },
        { token: all.token },
      ),
    ).toMatchObject({ status: 400, envelope: { code: 'connectors.credentials_kind' } });
    expect(
      await all.console.call(
        connectors.tryConnector,
        { ...wanted, options: { ...cloudOptions, reads: 'gnocchi' } },
        { token: all.token },
      ),
    ).toMatchObject({ status: 400, envelope: { errors: [{ field: 'options.metric' }] } });
  });
});

describe('configurable inventories', () => {
  const fields = { name: 'labels.domain', project: '', size: 'value', since: '', state: '' };

  it('T-CONN: from Prometheus, the series of an instant query are the inventory', async () => {
    // A response of a Prometheus that scrapes prometheus-libvirt-exporter at libvirt’s test:///default.
    const address = await listen(({ url, body }) => {
      expect(url.pathname).toBe('/api/v1/query');
      expect(new URLSearchParams(body).get('query')).toBe('libvirt_domain_info_virtual_cpus');
      const metric = { domain: 'test', uuid: '6695eb01-f6a4-8304-79aa-97f2502e193f' };
      return {
        body: { status: 'success', data: { resultType: 'vector', result: [{ metric, value: [1, '2'] }] } },
      };
    });
    const options: PrometheusOptions = {
      kind: 'prometheus',
      mode: 'gauge',
      query: 'x',
      resourceLabels: ['uuid'],
    };
    const asked = {
      address,
      credentials: { kind: 'none' },
      privateHosts: ['127.0.0.1'],
      timeoutMs: 30_000,
    } as const;
    expect(await readInventory({ ...asked, options }, forever)).toBeUndefined();
    expect(
      await readInventory(
        {
          ...asked,
          options: { ...options, inventory: { query: 'libvirt_domain_info_virtual_cpus', fields } },
        },
        forever,
      ),
    ).toMatchObject([
      {
        resource: '6695eb01-f6a4-8304-79aa-97f2502e193f',
        kind: 'other',
        name: 'test',
        size: '2',
        since: null,
      },
    ]);
  });

  it('T-CONN: from an HTTP API, a list is read page by page on the same server; a page on another server is rejected', async () => {
    const address = await listen(({ url }) => {
      const page = Number(url.searchParams.get('page'));
      return {
        body: { vms: page > 2 ? [] : [{ id: `vm-${page}`, made: '1725926400', owner: { team: 'acme' } }] },
      };
    });
    const options: HttpOptions = {
      kind: 'http_json',
      items: 'data',
      resourceFields: ['id'],
      timeField: '',
      paging: { kind: 'page', parameter: 'page', first: 1, cursorField: '' },
      inventory: {
        address: `${address}/inventory`,
        items: 'vms',
        fields: { name: 'id', project: 'owner.team', size: '', since: 'made', state: '' },
      },
    };
    const items = await readInventory(
      { address, options, credentials: { kind: 'none' }, privateHosts: ['127.0.0.1'], timeoutMs: 30_000 },
      forever,
    );
    expect(items?.map(({ resource, project, since }) => [resource, project, since?.toISOString()])).toEqual([
      ['vm-1', 'acme', '2024-09-10T00:00:00.000Z'],
      ['vm-2', 'acme', '2024-09-10T00:00:00.000Z'],
    ]);
    const refused = await all.console.call(
      connectors.createConnector,
      {
        name: 'x',
        address: 'https://other.example.com',
        options: { ...options, inventory: { ...options.inventory, address: 'https://evil.example.com/' } },
        credentials: { kind: 'none' },
        windowSeconds: 3600,
        settleSeconds: 0,
        mapping: machineHours([]),
      } as never,
      { token: all.token },
    );
    expect(refused).toMatchObject({
      status: 400,
      envelope: { errors: [{ field: 'options.inventory.address' }] },
    });
  });
});

describe('Proxmox VE and OpenCost', () => {
  it('T-CONN: Proxmox: running hours and traffic are counted once, with coarser averages for late windows', async () => {
    const pve = await startProxmox();
    pve.machines = [
      { id: 'qemu/100', node: 'pve1', name: 'web', pool: 'acme', maxcpu: 4 },
      { id: 'lxc/101', node: 'pve2', name: 'db', pool: 'beta', maxcpu: 2 },
    ];
    const zero = Date.UTC(2024, 8, 10) / 1000;
    pve.load = (id, time) =>
      id === 'lxc/101' && time < zero + 1800
        ? undefined
        : { cpu: 0.5, mem: 1024, netin: id === 'qemu/100' ? 100 : 0, netout: 1 };
    const mapping = machineHours(rules(), 'runningSeconds');
    const { id } = await all.make({
      address: pve.address,
      options: { kind: 'proxmox' },
      credentials: { kind: 'proxmox_token', tokenId: 'billing@pve!skytally', secret: '11111111-2222' },
      mapping: {
        ...mapping,
        measures: [
          ...mapping.measures,
          { eventType: 'net', quantity: 'netInBytes', multiplyBy: '1', divideBy: '1000', dimensions: {} },
        ].slice(0, 1),
      },
    });
    await all.moveTo(later(1));
    pve.now = later(1).getTime() / 1000;
    await all.run();
    expect(await all.get(id)).toMatchObject({ failure: null });
    expect(await all.counted(id)).toEqual({ [all.subs[0]]: '1', [all.subs[1]]: '0.5' });
    // The machine moves to another node, and the console reads a day late.
    pve.machines = pve.machines.map((each) => ({ ...each, node: 'pve3' }));
    await all.moveTo(later(20));
    pve.now = later(20).getTime() / 1000;
    await all.run();
    expect(await all.counted(id)).toEqual({ [all.subs[0]]: '20', [all.subs[1]]: '19.5' });
    const read = await all.console.ok(
      connectors.listResources,
      { connectorId: id, q: 'qemu' },
      { token: all.token },
    );
    expect(JSON.parse(read.items[0]?.fields ?? '{}')).toMatchObject({
      cpuCoreSeconds: '7200',
      memoryByteSeconds: '3686400',
      netInBytes: '360000',
      size: '4 CPU / 2048 MiB',
      node: 'pve3',
    });
  });

  it('T-CONN: OpenCost needs only its address and an aggregation', async () => {
    const paths: string[] = [];
    const address = await listen(({ url }) => {
      paths.push(`${url.pathname}${url.search}`);
      return {
        body: {
          code: 200,
          data: [
            { acme: { name: 'acme', properties: { cluster: 'one', namespace: 'acme' }, cpuCoreHours: 1.5 } },
          ],
        },
      };
    });
    const { id } = await all.make({
      address,
      options: { kind: 'opencost', aggregate: 'namespace' },
      credentials: { kind: 'none' },
      mapping: machineHours(
        [{ field: 'properties.namespace', value: 'acme', subscriptionId: all.subs[0] }],
        'cpuCoreHours',
      ),
    });
    await all.moveTo(later(1));
    await all.run();
    expect(await all.get(id)).toMatchObject({ failure: null, events: 1 });
    expect(paths).toEqual([
      '/allocation/compute?window=2024-09-10T00%3A00%3A00Z,2024-09-10T01%3A00%3A00Z&aggregate=namespace&accumulate=true',
    ]);
  });
});
