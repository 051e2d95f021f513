// SCIM's own HTTP routes (RFC 7644): media types, errors and paths differ from the API's, and the provider's
// token replaces a person's.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '#kernel/errors.ts';
import { failureOf } from '#platform/server/http/http-errors.ts';
import { countCall } from '#platform/server/http/store-rate-windows.ts';
import { recordUnexpectedError } from '#platform/server/monitoring/unexpected-errors.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import {
  isScimToken,
  markScimUsed,
  providerById,
  type Provider,
} from '#features/access/providers/server/index.ts';
import { errorBody, listBody, ScimError } from '../rules.ts';
import { resourceTypes, schemas, serviceProviderConfig } from '../rules-discovery.ts';
import {
  createScimGroup,
  deleteScimGroup,
  getScimGroup,
  listScimGroups,
  patchScimGroup,
  replaceScimGroup,
} from './groups.ts';
import {
  createScimUser,
  deleteScimUser,
  getScimUser,
  listScimUsers,
  patchScimUser,
  replaceScimUser,
  type ListQuery,
} from './users.ts';

export const scimPrefix = '/scim/v2';
const mediaType = 'application/scim+json; charset=utf-8';
const bodyLimit = 1024 * 1024;
/** The most calls of a provider per minute, across all consoles. */
const callsPerMinute = 1200;
/** The most wrong tokens from one address per minute; then it must wait. */
const refusalsPerMinute = 30;

type Params = { readonly providerId: string; readonly id: string };
type Call = { readonly params: Params; readonly query: ListQuery; readonly body: unknown };
type Verb = (ctx: Ctx, provider: Provider, call: Call) => Promise<object | void>;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const routes: readonly (readonly [method: Method, path: string, verb: Verb, status?: number])[] = [
  ['GET', '/Users', (ctx, provider, { query }) => listScimUsers(ctx, provider, query)],
  ['POST', '/Users', (ctx, provider, { body }) => createScimUser(ctx, provider, body), 201],
  ['GET', '/Users/:id', (ctx, provider, { params }) => getScimUser(ctx, provider, params.id)],
  ['PUT', '/Users/:id', (ctx, provider, { params, body }) => replaceScimUser(ctx, provider, params.id, body)],
  ['PATCH', '/Users/:id', (ctx, provider, { params, body }) => patchScimUser(ctx, provider, params.id, body)],
  ['DELETE', '/Users/:id', (ctx, provider, { params }) => deleteScimUser(ctx, provider, params.id), 204],
  ['GET', '/Groups', (ctx, provider, { query }) => listScimGroups(ctx, provider, query)],
  ['POST', '/Groups', (ctx, provider, { body }) => createScimGroup(ctx, provider, body), 201],
  ['GET', '/Groups/:id', (ctx, provider, { params, query }) => getScimGroup(ctx, provider, params.id, query)],
  [
    'PUT',
    '/Groups/:id',
    (ctx, provider, { params, body }) => replaceScimGroup(ctx, provider, params.id, body),
  ],
  [
    'PATCH',
    '/Groups/:id',
    (ctx, provider, { params, body }) => patchScimGroup(ctx, provider, params.id, body),
  ],
  ['DELETE', '/Groups/:id', (ctx, provider, { params }) => deleteScimGroup(ctx, provider, params.id), 204],
  ['GET', '/ServiceProviderConfig', async () => serviceProviderConfig],
  [
    'GET',
    '/ResourceTypes',
    async () => listBody(resourceTypes, { startIndex: 1, total: resourceTypes.length }),
  ],
  ['GET', '/ResourceTypes/:id', async (_ctx, _provider, { params }) => known(resourceTypes, params.id)],
  ['GET', '/Schemas', async () => listBody(schemas, { startIndex: 1, total: schemas.length })],
  ['GET', '/Schemas/:id', async (_ctx, _provider, { params }) => known(schemas, params.id)],
];

function known<T extends { readonly id: string }>(all: readonly T[], id: string): T {
  const found = all.find((each) => each.id === id);
  if (!found) throw new ScimError(404, `There is no ${id}.`);
  return found;
}

/** Serves SCIM under {@link scimPrefix}. */
export async function serveScim(fastify: FastifyInstance, app: App): Promise<void> {
  await fastify.register(
    async (scope) => {
      scope.removeAllContentTypeParsers();
      const readJson = scope.getDefaultJsonParser('error', 'error');
      scope.addContentTypeParser(
        ['application/scim+json', 'application/json'],
        { parseAs: 'string', bodyLimit },
        (request, body, done) => void readJson(request, String(body), done),
      );
      scope.setErrorHandler((error, request, reply) => answerError(app, request, reply, error));
      scope.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store').type(mediaType);
        await authorize(app, request);
      });
      for (const [method, path, verb, status = 200] of routes)
        scope.route<{ Params: Params; Querystring: Record<string, unknown> }>({
          method,
          url: `/:providerId${path}`,
          exposeHeadRoute: false,
          handler: async (request, reply) => {
            const call = { params: request.params, query: readQuery(request.query), body: request.body };
            const answer = await unitOfWork(
              app,
              { actor: { kind: 'system', name: 'scim' }, requestId: request.id },
              (ctx) => run(ctx, verb, call),
            );
            return status === 204
              ? reply.status(204).send()
              : reply.status(status).send(JSON.stringify(answer));
          },
        });
    },
    { prefix: scimPrefix },
  );
}

async function run(ctx: Ctx, verb: Verb, call: Call): Promise<object | void> {
  const provider = await providerById(ctx.db, call.params.providerId);
  if (!provider?.isActive) throw new ScimError(401, 'The token is not valid.');
  await markScimUsed(ctx, provider.id);
  return verb(ctx, provider, call);
}

/** Authenticates a request by the provider's token. @throws ScimError */
async function authorize(app: App, request: FastifyRequest): Promise<void> {
  const { providerId = '' } = request.params as { providerId?: string };
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  const isGood =
    scheme?.toLowerCase() === 'bearer' &&
    token !== undefined &&
    (await isScimToken(app.database.kysely, providerId, sha256(token)));
  const counted = await countCall(
    app.database.pool,
    sha256(isGood ? `scim ${providerId}` : `scim refused ${request.ip}`),
    60_000,
  );
  if (counted.calls > (isGood ? callsPerMinute : refusalsPerMinute))
    throw new DomainError('platform.too_many_requests', 429, {
      retryAfter: Math.ceil(counted.leftMs / 1000),
    });
  if (!isGood) throw new ScimError(401, 'The token is not valid.');
}

/** Reads the known query parameters; a repeated one is ambiguous. */
function readQuery(query: Record<string, unknown>): ListQuery {
  const text = (name: keyof ListQuery): object => {
    const value = query[name];
    if (value === undefined) return {};
    if (typeof value !== 'string') throw new ScimError(400, `${name} stands twice.`, 'invalidValue');
    return { [name]: value };
  };
  return { ...text('filter'), ...text('startIndex'), ...text('count'), ...text('excludedAttributes') };
}

async function answerError(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<FastifyReply> {
  reply.type(mediaType);
  if (error instanceof ScimError) {
    if (error.status === 401) reply.header('www-authenticate', 'Bearer');
    return reply
      .status(error.status)
      .send(JSON.stringify(errorBody(error.status, error.message, error.scimType)));
  }
  const { status, body, retryAfter } = failureOf(app, error, 'enUS', request.id);
  if (status >= 500) {
    app.log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'request failed');
    // Not awaited, so that recording the error does not delay the response.
    void recordUnexpectedError(app, {
      source: 'request',
      place: `${request.method} ${request.routeOptions.url ?? ''}`,
      requestId: request.id,
      error,
    });
  }
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  const type = body.code === 'platform.malformed' ? 'invalidSyntax' : undefined;
  return reply.status(status).send(JSON.stringify(errorBody(status, body.message, type)));
}
