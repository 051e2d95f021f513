// Signs in to OpenStack: a Keystone v3 token and the catalogue that locates the services
// (https://docs.openstack.org/api-ref/identity/v3/). A token that expires while a window is read is replaced
// once per request.
import * as z from 'zod/mini';
import type { Credentials, OpenStackOptions } from '../../contract-sources.ts';
import { askSource, type SourceAnswer, type SourceQuestion } from '../ask-source.ts';
import { SourceFailure, type SourceSettings } from '../source.ts';

type Settings = SourceSettings<OpenStackOptions>;

const Catalogue = z.object({
  token: z.object({
    catalog: z.array(
      z.object({
        type: z.string(),
        endpoints: z.array(
          z.object({ interface: z.string(), region_id: z.nullish(z.string()), url: z.string() }),
        ),
      }),
    ),
  }),
});
type Catalogue = z.output<typeof Catalogue>['token']['catalog'];

/** The services that are read, with the types that catalogues have used for them. */
const serviceTypes = {
  compute: ['compute'],
  volume: ['block-storage', 'volumev3', 'volume'],
  network: ['network'],
  metric: ['metric'],
  rating: ['rating'],
} as const;
export type CloudService = keyof typeof serviceTypes;

/** A signed-in OpenStack session. */
export type Cloud = {
  /** Returns the response at a path of a service. @throws SourceFailure */
  ask(service: CloudService, path: string, question?: SourceQuestion): Promise<SourceAnswer>;
};

/** The body of the token request to Keystone. */
function identityOf(credentials: Credentials): object {
  if (credentials.kind === 'keystone_application') {
    const { applicationId, secret } = credentials;
    return {
      identity: {
        methods: ['application_credential'],
        application_credential: { id: applicationId, secret },
      },
    };
  }
  if (credentials.kind !== 'keystone_password') throw new SourceFailure('refused_credentials', 'Keystone');
  const { user, userDomain, password, project, projectDomain } = credentials;
  return {
    identity: {
      methods: ['password'],
      password: { user: { name: user, domain: { name: userDomain }, password } },
    },
    scope: { project: { name: project, domain: { name: projectDomain } } },
  };
}

async function tokenOf(
  settings: Settings,
  signal: AbortSignal,
): Promise<{ readonly token: string; readonly catalogue: Catalogue }> {
  const address = settings.address.replace(/\/+$/, '').replace(/\/v3$/, '');
  const { status, value, subjectToken } = await askSource(`${address}/v3/auth/tokens`, settings, signal, {
    json: { auth: identityOf(settings.credentials) },
    accepts: [201, 404],
  });
  // Keystone also responds with 404 to a revoked application credential.
  if (status === 400 || status === 404 || status === 422)
    throw new SourceFailure('refused_credentials', String(status));
  const read = z.safeParse(Catalogue, value);
  if (subjectToken === undefined || !/^[\x21-\x7e]+$/.test(subjectToken) || !read.success)
    throw new SourceFailure('bad_answer', 'no token of Keystone');
  return { token: subjectToken, catalogue: read.data.token.catalog };
}

/**
 * Finds the address of a service by region and interface. A catalogue's address passes the same checks as one
 * entered by an Admin.
 */
function endpointOf(
  catalogue: Catalogue,
  service: CloudService,
  { region, interface: wanted }: Pick<OpenStackOptions, 'region' | 'interface'>,
): string {
  const types: readonly string[] = serviceTypes[service];
  for (const type of types) {
    const found = catalogue
      .filter((each) => each.type === type)
      .flatMap(({ endpoints }) => endpoints)
      .filter((each) => each.interface === wanted && (region === '' || each.region_id === region));
    const regions = new Set(found.map(({ region_id }) => region_id ?? ''));
    if (regions.size > 1)
      throw new SourceFailure('no_endpoint', `${service}: ${[...regions].toSorted().join(', ')}`);
    const [first] = found;
    if (first) return first.url.replace(/\/+$/, '');
  }
  throw new SourceFailure('no_endpoint', [service, wanted, region].filter((each) => each !== '').join(', '));
}

const isExpired = (error: unknown): boolean =>
  error instanceof SourceFailure && error.code === 'refused_credentials' && error.detail === '401';

/** Signs in. @throws SourceFailure */
export async function signInToCloud(settings: Settings, signal: AbortSignal): Promise<Cloud> {
  let current = await tokenOf(settings, signal);
  // Concurrent requests whose token expired share one new sign-in.
  let renewal: Promise<void> | undefined;
  const renew = (): Promise<void> =>
    (renewal ??= tokenOf(settings, signal)
      .then((next) => void (current = next))
      .finally(() => (renewal = undefined)));
  const send = (
    { token, catalogue }: typeof current,
    service: CloudService,
    path: string,
    question: SourceQuestion = {},
  ): Promise<SourceAnswer> =>
    askSource(
      `${endpointOf(catalogue, service, settings.options)}${path}`,
      { ...settings, credentials: { kind: 'none' } },
      signal,
      { ...question, headers: { ...question.headers, 'x-auth-token': token } },
    );
  return {
    ask: async (service, path, question) => {
      const used = current;
      try {
        return await send(used, service, path, question);
      } catch (error) {
        if (!isExpired(error)) throw error;
        if (current === used) await renew();
        return send(current, service, path, question);
      }
    },
  };
}

const maxPages = 200;

/**
 * Returns all items of a list paged by marker. Links to the next page may name a host that is only reachable
 * inside the cloud, so they only indicate whether there is one; the last item's id is the marker.
 */
export async function allPages<Item>(
  page: (
    marker: string | undefined,
  ) => Promise<{ readonly items: readonly Item[]; readonly hasNext: boolean }>,
  markerOf: (item: Item) => string,
): Promise<Item[]> {
  const items: Item[] = [];
  let marker: string | undefined;
  for (let count = 0; count < maxPages; count++) {
    const { items: found, hasNext } = await page(marker);
    items.push(...found);
    const last = found.at(-1);
    if (!hasNext || last === undefined) return items;
    if (markerOf(last) === marker) throw new SourceFailure('bad_answer', 'the same page again');
    marker = markerOf(last);
  }
  throw new SourceFailure('too_many_readings', `${maxPages} pages`);
}

/**
 * Parses a response with its schema. @throws SourceFailure when the service rejected the request or the
 * response does not match
 */
export function answerAs<T extends z.core.$ZodType>(
  form: T,
  { status, value }: SourceAnswer,
  what: string,
): z.output<T> {
  if (status === 400 || status === 422)
    throw new SourceFailure('refused_query', JSON.stringify(value).slice(0, 300));
  const read = z.safeParse(form, value);
  if (!read.success) throw new SourceFailure('bad_answer', what);
  return read.data;
}

/** Builds a path with a query, leaving out undefined values. */
export const pathWith = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] satisfies [string, string]],
    ),
  );
  return `${path}?${parameters.toString()}`;
};
