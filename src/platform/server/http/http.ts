// HTTP: one Fastify route per contract route. Access, limits and input are checked before an operation runs.
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import cookie from '@fastify/cookie';
import rateLimit, { type RateLimitOptions } from '@fastify/rate-limit';
import * as z from 'zod/mini';
import {
  file,
  pathNames,
  redirect,
  takesIdempotencyKey,
  type Envelope,
  type FileAnswer,
  type RedirectAnswer,
  type Route,
} from '#kernel/contract.ts';
import { acceptedLanguage, languageOf, type Language } from '#kernel/language.ts';
import { ValidationError, DomainError } from '#kernel/errors.ts';
import { traceRequests } from '../monitoring/telemetry.ts';
import { admit, admitInput, type Gate } from './admission.ts';
import type { Actor, Ctx, App } from '../unit-of-work/ctx.ts';
import { recordUnexpectedError } from '../monitoring/unexpected-errors.ts';
import type { Feature, Reply } from '../unit-of-work/feature.ts';
import { failureOf, fieldErrors } from './http-errors.ts';
import { assertUnchanged, conditionOf, conditionsOf, saysState, type Conditions } from './conditional.ts';
import { askedToExpand, expandableBy, sendExpanded, withoutExpand, type Expandable } from './expand.ts';
import { withGeneratedParsers } from './generated-schemas.ts';
import { knownPaths } from './known-paths.ts';
import { rateWindowsIn } from './rate-windows.ts';
import { cookieName, cookieOf, isSecure } from './cookies.ts';
import { bodyObject, idempotencyKey, isTooDeep, mediaTypeOf, queryObject } from './request-fields.ts';
import { hasBody, watchBody } from './slow-bodies.ts';
import { endConnectionsOnClose } from './closing-connections.ts';
import { limitPerCaller } from '../jobs/caller-limit.ts';
import { hold, withoutSecrets, type Holds } from './held-calls.ts';
import { claimKey, storeAnswer, requestHash } from './idempotency.ts';
import { recordingWrite } from '../unit-of-work/fit-replica.ts';
import { requestIdAt, unitOfWork } from '../unit-of-work/unit-of-work.ts';

const jsonLimit = 1024 * 1024;
const longestCookieSeconds = 3 * 86_400;

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor;
    language: Language;
  }
}

function readLanguage(request: FastifyRequest): Language {
  const query = request.query;
  const asked =
    typeof query === 'object' && query !== null && 'language' in query && typeof query.language === 'string'
      ? languageOf(query.language)
      : undefined;
  return asked ?? acceptedLanguage(request.headers['accept-language']);
}

// A connection without traffic for this long is closed.
const silentMs = 60_000;
// A request's headers are short; a client that needs longer only holds a connection open. Node checks all
// connections periodically.
const headMs = 20_000;
const checkEveryMs = 5000;
const wholeRequestMs = 1_800_000;

/** Whether a route's response may lack changes that others made in the last seconds, so that a replica may serve it. */
export type MayBeLate = (feature: string, route: Route) => boolean;

/** What the app decides about calls. */
export type CallRules = Gate & { readonly mayBeLate: MayBeLate; readonly holds?: Holds };

/** Without other rules: nothing is withdrawn or held, and keys, custom roles and portal links allow nothing. */
const defaultRules: Omit<CallRules, 'authenticate'> = {
  isWithdrawn: async () => false,
  mayBeLate: () => false,
  permissionOf: () => undefined,
  rolePermissionOf: () => undefined,
  portalAllows: () => false,
  demandsOf: () => undefined,
};

/** Creates the HTTP server with all routes of all features below /api. It does not listen yet. */
export async function makeHttp(
  app: App,
  features: readonly Feature[],
  rules: Pick<CallRules, 'authenticate'> & Partial<CallRules>,
): Promise<FastifyInstance> {
  const decide = { ...defaultRules, ...rules };
  const conditions = conditionsOf(features);
  const expandable = expandableBy(features);
  const fastify = Fastify({
    logger: false,
    genReqId: () => requestIdAt(app.clock.now()),
    // A whole request may take this long, provided that its body keeps arriving (slow-bodies.ts).
    requestTimeout: wholeRequestMs,
    http: { headersTimeout: headMs, connectionsCheckingInterval: checkEveryMs },
    connectionTimeout: silentMs,
    bodyLimit: jsonLimit,
    trustProxy: app.config.trustProxy ? app.config.trustProxy.split(',') : false,
    routerOptions: { maxParamLength: 200, caseSensitive: true },
    return503OnClosing: true,
    forceCloseConnections: 'idle',
  });
  // Few routes read a cookie, so they parse it themselves instead of running a hook for every request.
  await fastify.register(cookie, { hook: false });
  await fastify.register(rateLimit, {
    global: false,
    store: rateWindowsIn(app.database.pool),
    errorResponseBuilder: (_request, context) =>
      new DomainError('platform.too_many_requests', 429, { retryAfter: Math.ceil(context.ttl / 1000) }),
  });

  endConnectionsOnClose(fastify);
  traceRequests(fastify);
  fastify.decorateRequest('actor');
  fastify.decorateRequest('language', 'zhTW');
  fastify.addHook('onRequest', (request, reply, done) => {
    watchBody(request.raw);
    request.language = readLanguage(request);
    reply.headers(isSecure(app, request) ? protectionsOverTls : protections);
    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store');
    done();
  });
  fastify.setErrorHandler((error, request, reply) => answerFailure(app, request, reply, error));
  const known = knownPaths(fastify);
  fastify.setNotFoundHandler((request, reply) => {
    const methods = known.methodsOf(request.url);
    // The route exists but responded with 404 itself (no such file, no such language).
    if (methods.length === 0 || methods.includes(request.method))
      return answerFailure(app, request, reply, new DomainError('platform.not_found', 404));
    return answerFailure(
      app,
      request,
      reply.header('allow', methods.join(', ')),
      new DomainError('platform.method_not_allowed', 405),
    );
  });
  fastify.removeContentTypeParser('text/plain');
  const readJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    void readJson(request, String(body), (error, value) => {
      if (error) done(error);
      else if (isTooDeep(value)) done(new DomainError('platform.malformed', 400));
      else done(null, value);
    });
  });

  for (const feature of features) {
    for (const [name, route] of Object.entries(feature.contract)) {
      if (!route.raw) mount(fastify, app, feature, name, route, { ...decide, conditions, expandable });
      else {
        // A separate Fastify scope: only in it are this route's media types accepted, as bytes.
        const { types } = route.raw;
        await fastify.register(async (scope) => {
          scope.removeAllContentTypeParsers();
          for (const type of types)
            scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) =>
              done(null, body),
            );
          mount(scope, app, feature, name, route, { ...decide, conditions, expandable });
        });
      }
    }
  }
  return fastify;
}

/** Headers of every response, including errors (reliability.md, check 105). */
const protections = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};
const protectionsOverTls = {
  ...protections,
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

async function answerFailure(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<FastifyReply> {
  const failure = failureOf(app, error, request.language, request.id);
  // One log line per request, so that it is known how long the outage lasted and whom it affected.
  if (failure.body.code === 'platform.database_unavailable')
    app.log.warn(
      { err: error, requestId: request.id, method: request.method, route: request.routeOptions.url },
      'request failed: the database cannot be used at the moment',
    );
  if (failure.body.code === 'platform.fault' || failure.body.code === 'platform.no_space') {
    app.log.error(
      { err: error, requestId: request.id, method: request.method, route: request.routeOptions.url },
      'request failed',
    );
    // Not awaited, so that recording the error does not delay the response.
    void recordUnexpectedError(app, {
      source: 'request',
      place: `${request.method} ${request.routeOptions.url ?? ''}`,
      requestId: request.id,
      error,
    });
  }
  if (failure.retryAfter !== undefined) reply.header('retry-after', failure.retryAfter);
  return reply.status(failure.status).send(failure.body);
}

function mount(
  fastify: FastifyInstance,
  app: App,
  feature: Feature,
  name: string,
  route: Route,
  decide: CallRules & { conditions: Conditions; expandable: (route: Route) => Expandable },
): void {
  const verb = feature.verbs[name];
  if (!verb) throw new Error(`${feature.name}.${name} has no verb`);
  // The types require it, but a route without access must never be open, even if a cast got past the
  // compiler.
  if (!route.access) throw new Error(`${feature.name}.${name} declares no access`);
  const fullName = `${feature.name}.${name}`;
  const types = route.raw?.types ?? ['application/json'];
  const places = pathNames(route.path);
  const queryNames = new Set(Object.keys(route.input.shape).filter((field) => !places.includes(field)));
  const turns = limitPerCaller(route.atOnce);
  const ownUnitOfWork = feature.ownUnitOfWork.includes(name);
  const mayBeLate = route.method === 'GET' && !ownUnitOfWork && decide.mayBeLate(feature.name, route);
  const repeats = takesIdempotencyKey(route, ownUnitOfWork);
  const shownBy = decide.conditions.shownBy(route);
  const isShown = decide.conditions.isShown(route);
  const expandable = decide.expandable(route);
  const takesBody = route.method !== 'GET' && route.method !== 'DELETE' && !route.raw;

  fastify.route({
    method: route.method,
    url: `/api${route.path}`,
    ...(route.raw ? { bodyLimit: route.raw.maxBytes } : {}),
    config: route.perMinute ? { rateLimit: limitOf(route, route.perMinute) } : {},
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      if (route.deprecated) reply.headers(deprecationHeaders(route.deprecated));
      request.actor = await admit(app, fullName, route, request, decide);
      const mediaType = mediaTypeOf(request);
      if (
        route.method !== 'GET' &&
        (hasBody(request.raw) || route.raw) &&
        (!mediaType || !types.includes(mediaType))
      )
        throw new DomainError('platform.media_type', 415, { types: types.join(', ') });
    },
    handler: (request, reply) =>
      turns.run(request.actor, async () => {
        const body = takesBody ? bodyObject(request.body) : {};
        const expand = expandable.size === 0 ? [] : askedToExpand(request, expandable);
        const query = queryObject(
          expandable.size === 0 ? request.query : withoutExpand(request.query),
          queryNames,
        );
        const fields = { ...query, ...body, ...(request.params as object) };
        // With the input, a wrong value can be told from a missing one.
        const parsed = z.safeParse(withGeneratedParsers(route.input), fields, { reportInput: true });
        if (!parsed.success) throw new ValidationError(fieldErrors(parsed.error.issues));
        await admitInput(app, fullName, parsed.data, request, decide);
        const status = route.status ?? 200;
        const condition = conditionOf(request, shownBy);
        const given = repeats ? idempotencyKey(request) : undefined;
        // A verb with its own units of work claims the key itself, in the unit that has the effect.
        const key = ownUnitOfWork ? undefined : given;
        const toReply = makeReply(
          app,
          request,
          reply,
          route,
          ownUnitOfWork && given !== undefined
            ? { key: given, route: fullName, hash: requestHash(fullName, parsed.data) }
            : undefined,
        );
        const held = await hold(app, route, decide.holds, {
          name: fullName,
          request,
          fields,
          input: parsed.data,
          condition,
          reply: toReply,
          key: given,
        });
        if (held) return reply.status(202).send({ data: held.data, isSuccess: true, message: 'Success' });
        const run = async (ctx: Ctx): Promise<{ status: number; data: unknown }> => {
          const earlier =
            key === undefined
              ? undefined
              : await claimKey(ctx, key, fullName, requestHash(fullName, parsed.data));
          if (earlier) return earlier;
          if (condition) await assertUnchanged(ctx, condition, toReply);
          const result = await verb(ctx, parsed.data as never, toReply);
          if (route.output === file) return { status, data: result };
          const data = z.encode(withGeneratedParsers(route.output), result as never) ?? null;
          if (key !== undefined)
            await storeAnswer(ctx, key, status, withoutSecrets(data, route.returnedOnce));
          if (route.method !== 'GET' && ctx.actor.kind === 'user')
            ctx.audit(
              `${feature.name}.${name}`,
              places[0] ? String((parsed.data as Record<string, unknown>)[places[0]]) : undefined,
            );
          return { status, data };
        };
        const mode = modeOf(route, request.actor, ownUnitOfWork);
        if (route.long) request.raw.socket.setTimeout(0);
        const working = unitOfWork(
          app,
          { actor: request.actor, language: request.language, requestId: request.id, mode, mayBeLate },
          run,
        ).finally(() => {
          if (route.long) request.raw.socket.setTimeout(silentMs);
        });
        const answer = await (route.method === 'GET' ? working : recordingWrite(app, request.actor, working));
        if (route.lasting) reply.header('cache-control', 'private, max-age=31536000, immutable');
        if (route.output === file) return sendFile(reply, answer.data as FileAnswer);
        if (route.output === redirect) return reply.redirect((answer.data as RedirectAnswer).location, 303);
        // The tag covers the resource alone, because changes can be conditional on it; expanded reads may
        // change while it does not.
        const isKnown = isShown && saysState(request, reply, answer.data);
        if (expand.length > 0) return sendExpanded(request, reply, expandable, expand, answer.data);
        if (isKnown) return reply.status(304).send();
        const envelope: Envelope = { data: answer.data, isSuccess: true, message: 'Success' };
        return reply.status(answer.status).send(envelope);
      }),
  });
}

/** The rate limit of a call per address, across all consoles. */
const limitOf = ({ method, path }: Route, perMinute: number): RateLimitOptions => ({
  max: perMinute,
  timeWindow: 60_000,
  keyGenerator: (request) => `${method} ${path} ${request.ip}`,
});

/** The deprecation headers of a call, sent whether it succeeds or not. */
const deprecationHeaders = ({
  since,
  until,
  use,
}: Required<Route>['deprecated']): Record<string, string> => ({
  deprecation: `@${Date.parse(since) / 1000}`,
  sunset: new Date(until).toUTCString(),
  link: `</api${use}>; rel="successor-version"`,
});

/** While an Admin views as another user, the transaction is read-only, so that no verb can write by mistake. */
function modeOf(route: Route, actor: Actor, ownUnitOfWork: boolean): 'snapshot' | 'read' | 'write' {
  if (route.method !== 'GET' && !ownUnitOfWork) return 'write';
  return actor.kind === 'user' && actor.viewing && !ownUnitOfWork ? 'snapshot' : 'read';
}

function makeReply(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  once: Reply['once'],
): Reply {
  const secure = isSecure(app, request);
  const sessionCookie = cookieName('session', secure);
  const base = { path: '/', secure, sameSite: 'strict' } as const;
  return {
    cookie: (name) => cookieOf(app, request, name),
    setCookie: (name, value, maxAgeSeconds) => {
      reply.setCookie(cookieName(name, secure), value, {
        ...base,
        httpOnly: true,
        maxAge: Math.min(maxAgeSeconds, longestCookieSeconds),
      });
    },
    clearCookie: (name) => {
      reply.clearCookie(cookieName(name, secure), base);
    },
    setSessionCookies: (token, expiresAt, userView) => {
      reply.setCookie(sessionCookie, token, { ...base, httpOnly: true, expires: expiresAt });
      reply.setCookie('user', JSON.stringify(userView), { ...base, httpOnly: false, expires: expiresAt });
    },
    clearSessionCookies: () => {
      reply.clearCookie(sessionCookie, base);
      reply.clearCookie('user', base);
    },
    address: request.ip,
    host: request.host,
    userAgent: request.headers['user-agent'] ?? '',
    raw:
      route.raw && Buffer.isBuffer(request.body)
        ? {
            bytes: request.body,
            mediaType: mediaTypeOf(request) ?? '',
            headers: request.headers,
          }
        : undefined,
    once,
  };
}

function sendFile(reply: FastifyReply, answer: FileAnswer): FastifyReply {
  const ascii = answer.fileName.replace(/[^\x20-\x7e]|["\\]/g, '_');
  reply.header('content-type', answer.mediaType);
  // A file without a name is displayed instead of saved: a program requested exactly this text.
  if (ascii !== '')
    reply.header(
      'content-disposition',
      `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(answer.fileName)}`,
    );
  if (answer.totalRows !== undefined) reply.header('x-total-rows', answer.totalRows);
  // Chunks in the stream's buffer live long enough to be promoted to the old generation. Two keep the
  // connection busy; the default of sixteen only grows the heap.
  return reply.send(
    answer.body instanceof Uint8Array
      ? Buffer.from(answer.body)
      : Readable.from(answer.body, { highWaterMark: 2 }),
  );
}
