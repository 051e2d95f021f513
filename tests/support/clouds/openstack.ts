// A simulated OpenStack that responds as in its API references: Keystone, Nova, Cinder, Neutron, Gnocchi and
// CloudKitty behind one address. Tests create its machines, expire its tokens, and make it return false data.
import { listen, type Asked, type Reply } from './listen.ts';

export type FakeServer = {
  id: string;
  name: string;
  project: string;
  flavor: string;
  launchedAt: string;
  terminatedAt: string | null;
  status: string;
};
export type FakeVolume = { id: string; name: string; project: string; size: number; createdAt: string };
export type FakeAddress = { id: string; address: string; project: string; createdAt: string };

export type FakeOpenStack = {
  readonly address: string;
  servers: FakeServer[];
  volumes: FakeVolume[];
  addresses: FakeAddress[];
  /** Gnocchi: the measures of the metric `cpu`, per resource. */
  measures: Record<string, [at: string, granularity: number, value: number][]>;
  frames: unknown[];
  /** The number of items per page, whatever limit is requested. */
  pageSize: number;
  /** How many requests a token is valid for. */
  tokenUses: number;
  secret: string;
  regions: string[];
  /** Overrides the response when it returns one. */
  lie: ((asked: Asked) => Reply | undefined) | undefined;
  /** Every request: its path and query, and the body of requests to Keystone. */
  readonly asked: { readonly path: string; readonly body: string }[];
  signIns: number;
};

const flavors: Record<string, { vcpus: number; ram: number; disk: number }> = {
  'm1.tiny': { vcpus: 1, ram: 512, disk: 1 },
  'm1.large': { vcpus: 4, ram: 8192, disk: 80 },
};
const details = (flavor: string) => flavors[flavor] ?? { vcpus: 1, ram: 512, disk: 1 };

/** Starts one; it ends with the test file. */
export async function startOpenStack(): Promise<FakeOpenStack> {
  const state: Omit<FakeOpenStack, 'address'> = {
    servers: [],
    volumes: [],
    addresses: [],
    measures: {},
    frames: [],
    pageSize: 1000,
    tokenUses: Number.POSITIVE_INFINITY,
    secret: 'the secret of the credential',
    regions: ['RegionOne'],
    lie: undefined,
    asked: [],
    signIns: 0,
  };
  const left = new Map<string, number>();
  const fake: { address: string } & typeof state = Object.assign(state, { address: '' });

  const signIn = ({ body }: Asked): Reply => {
    fake.signIns++;
    const { auth } = JSON.parse(body) as {
      auth: {
        identity: {
          application_credential?: { secret: string };
          password?: { user: { name: string; password: string; domain: { name: string } } };
        };
        scope?: { project: { name: string } };
      };
    };
    const given = auth.identity.application_credential?.secret ?? auth.identity.password?.user.password;
    if (given !== fake.secret)
      return {
        status: 401,
        body: {
          error: {
            code: 401,
            message: 'The request you have made requires authentication.',
            title: 'Unauthorized',
          },
        },
      };
    const token = `gAAAA${fake.signIns}`;
    left.set(token, fake.tokenUses);
    const service = (type: string, path: string) => ({
      type,
      name: type,
      endpoints: fake.regions.flatMap((region) =>
        ['public', 'internal'].map((kind) => ({
          interface: kind,
          region,
          region_id: region,
          url: `${fake.address}${path}`,
        })),
      ),
    });
    return {
      status: 201,
      headers: { 'x-subject-token': token },
      body: {
        token: {
          methods: ['application_credential'],
          expires_at: '2030-01-01T00:00:00.000000Z',
          catalog: [
            service('compute', '/compute/v2.1'),
            service('volumev3', '/volume/v3/0c2eba2c5af04d3f9e9d0d410b371fde'),
            service('network', '/network/'),
            service('metric', '/metric'),
            service('rating', '/rating'),
          ],
        },
      },
    };
  };

  const paged = <T extends { id: string }>(
    items: readonly T[],
    url: URL,
    name: string,
  ): [T[], Reply['body']] => {
    const marker = url.searchParams.get('marker');
    const from = marker === null ? 0 : items.findIndex(({ id }) => id === marker) + 1;
    const page = items.slice(from, from + fake.pageSize);
    // The link's host can be resolved only inside the cloud.
    const links =
      from + fake.pageSize < items.length
        ? {
            [`${name}_links`]: [
              { rel: 'next', href: `http://openstack.internal/?marker=${page.at(-1)?.id}` },
            ],
          }
        : {};
    return [page, links];
  };

  const usage = (url: URL): Reply => {
    const [start, end] = ['start', 'end'].map((name) => Date.parse(`${url.searchParams.get(name)}Z`));
    const visible = fake.servers
      .filter(
        ({ launchedAt, terminatedAt }) =>
          Date.parse(`${launchedAt}Z`) < (end ?? 0) &&
          (terminatedAt === null || Date.parse(`${terminatedAt}Z`) > (start ?? 0)),
      )
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const [page, links] = paged(visible, url, 'tenant_usages');
    return {
      body: {
        tenant_usages: [...Map.groupBy(page, ({ project }) => project)].map(([project, servers]) => ({
          start: url.searchParams.get('start'),
          stop: url.searchParams.get('end'),
          tenant_id: project,
          total_hours: 1,
          total_local_gb_usage: 1,
          total_memory_mb_usage: 512,
          total_vcpus_usage: 1,
          server_usages: servers.map((server) => ({
            ended_at: server.terminatedAt,
            flavor: server.flavor,
            // Nova has such rounding errors in fractions of a second.
            hours: 1.0000017,
            instance_id: server.id,
            local_gb: details(server.flavor).disk,
            memory_mb: details(server.flavor).ram,
            name: server.name,
            started_at: server.launchedAt,
            state: server.terminatedAt === null ? 'active' : 'terminated',
            tenant_id: server.project,
            uptime: 3600,
            vcpus: details(server.flavor).vcpus,
          })),
        })),
        ...(links as object),
      },
    };
  };

  const servers = (url: URL): Reply => {
    const [page, links] = paged(
      fake.servers.filter(({ terminatedAt }) => terminatedAt === null),
      url,
      'servers',
    );
    return {
      body: {
        servers: page.map((server) => ({
          id: server.id,
          name: server.name,
          tenant_id: server.project,
          status: server.status,
          created: `${server.launchedAt.slice(0, 19)}Z`,
          'OS-SRV-USG:launched_at': server.launchedAt,
          'OS-SRV-USG:terminated_at': null,
          flavor: {
            original_name: server.flavor,
            ...details(server.flavor),
            ephemeral: 0,
            swap: 0,
            extra_specs: {},
          },
        })),
        ...(links as object),
      },
    };
  };

  const volumes = (url: URL): Reply => {
    const [page, links] = paged(fake.volumes, url, 'volumes');
    return {
      body: {
        volumes: page.map((volume) => ({
          id: volume.id,
          name: volume.name,
          size: volume.size,
          status: 'in-use',
          created_at: volume.createdAt,
          volume_type: 'lvmdriver-1',
          'os-vol-tenant-attr:tenant_id': volume.project,
        })),
        ...(links as object),
      },
    };
  };

  const floating = (url: URL): Reply => {
    const [page, links] = paged(fake.addresses, url, 'floatingips');
    return {
      body: {
        floatingips: page.map((each) => ({
          id: each.id,
          floating_ip_address: each.address,
          project_id: each.project,
          tenant_id: each.project,
          status: 'ACTIVE',
          created_at: each.createdAt,
        })),
        ...(links as object),
      },
    };
  };

  const metric = (url: URL): Reply => {
    if (url.pathname.startsWith('/metric/v1/resource/')) {
      // The link names a host that can be resolved only inside the cloud.
      const [page, links] = paged(fake.servers, url, 'resources');
      return {
        headers:
          Object.keys(links ?? {}).length === 0
            ? {}
            : { link: '<http://gnocchi.internal/v1/resource/instance>; rel="next"' },
        body: page.map((server) => ({
          id: server.id,
          original_resource_id: server.id,
          type: 'instance',
          project_id: server.project,
          display_name: server.name,
          flavor_name: server.flavor,
          started_at: `${server.launchedAt}+00:00`,
          ended_at: server.terminatedAt && `${server.terminatedAt}+00:00`,
          metrics: { cpu: `metric-of-${server.id}` },
        })),
      };
    }
    const id = /metric-of-([^/]+)\/measures/.exec(url.pathname)?.[1] ?? '';
    const [start, stop] = ['start', 'stop'].map((name) => Date.parse(url.searchParams.get(name) ?? ''));
    return {
      body: (fake.measures[id] ?? []).filter(
        ([at]) => Date.parse(at) >= (start ?? 0) && Date.parse(at) < (stop ?? 0),
      ),
    };
  };

  const rating = (url: URL): Reply => {
    const offset = Number(url.searchParams.get('offset') ?? '0');
    const page = fake.frames.slice(offset, offset + fake.pageSize);
    return page.length === 0
      ? { status: 404, body: { message: 'No resource found for provided filters.' } }
      : { body: { total: fake.frames.length, dataframes: page } };
  };

  fake.address = await listen((asked) => {
    const { url, request } = asked;
    fake.asked.push({ path: `${url.pathname}${url.search}`, body: asked.body });
    const lie = fake.lie?.(asked);
    if (lie) return lie;
    if (url.pathname === '/v3/auth/tokens') return signIn(asked);
    const token = String(request.headers['x-auth-token']);
    const uses = left.get(token) ?? 0;
    if (uses <= 0) return { status: 401, body: { error: { code: 401, title: 'Unauthorized' } } };
    left.set(token, uses - 1);
    if (url.pathname === '/compute/v2.1/os-simple-tenant-usage') return usage(url);
    if (url.pathname === '/compute/v2.1/servers/detail') return servers(url);
    if (url.pathname.endsWith('/volumes/detail')) return volumes(url);
    if (url.pathname === '/network/v2.0/floatingips') return floating(url);
    if (url.pathname.startsWith('/metric/')) return metric(url);
    if (url.pathname === '/rating/v2/dataframes') return rating(url);
    return { status: 404, body: {} };
  });
  return fake;
}
