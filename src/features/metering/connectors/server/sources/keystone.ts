// Signing in to OpenStack: a token of Keystone v3 and the catalogue that says where the services are
// (https://docs.openstack.org/api-ref/identity/v3/). A token that ends while a window is read is replaced once per question.
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

/** An OpenStack that was signed in to. */
export type Cloud = {
  /** The answer at a path of a service. @throws SourceFailure */
  ask(service: CloudService, path: string, question?: SourceQuestion): Promise<SourceAnswer>;
};

/** What Keystone is asked for a token with. */
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
  // An application credential that was revoked is answered with 404 by Keystone, too.
  if (status === 400 || status === 404 || status === 422)
    throw new SourceFailure('refused_credentials', String(status));
  const read = z.safeParse(Catalogue, value);
  if (subjectToken === undefined || !/^[\x21-\x7e]+$/.test(subjectToken) || !read.success)
    throw new SourceFailure('bad_answer', 'no token of Keystone');
  return { token: subjectToken, catalogue: read.data.token.catalog };
}

/** The address of a service, by region and interface. The address of a catalogue passes the same checks as one that an Admin enters. */
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
  // Questions that run side by side and meet the same end of the token sign in once.
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
 * All items of a list that is paged by marker. Links to the next page may name a host that only the cloud's inside knows, so that they say
 * whether there is one, and the id of the last item says where it begins.
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

/** An answer in its form. @throws SourceFailure when the service refused the question or answered something else */
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

/** Path and query, without values that are not given. */
export const pathWith = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] satisfies [string, string]],
    ),
  );
  return `${path}?${parameters.toString()}`;
};
