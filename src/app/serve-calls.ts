// The HTTP server of a console or a sandbox: all features' calls, and the documents that describe them. It
// does not listen yet.
import type { FastifyInstance } from 'fastify';
import type { Feature } from '#platform/server/unit-of-work/feature.ts';
import type { Authenticate } from '#platform/server/http/admission.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { makeHttp } from '#platform/server/http/http.ts';
import { serveBatchReads } from '#platform/server/http/batch-reads.ts';
import { serveLocales } from '#platform/server/http/locales-http.ts';
import { serveDocs } from '#platform/server/http/docs.ts';
import { authenticate } from '#features/access/identity/server/index.ts';
import { actorOfPortal, isPortalToken } from '#features/access/portal/server/index.ts';
import { serveScim } from '#features/access/scim/server/index.ts';
import { holdsOf } from '#features/access/approvals/server/index.ts';
import { choices } from './approvals/choices.ts';
import { approvalsConsole } from './features.ts';
import { apiDocument } from './api-document.ts';
import { isWithdrawn } from './grants/grants.ts';
import { assertOnlyNarrows } from './grants/verbs.ts';
import { mayBeLate } from './replica-reads.ts';
import { callPermissions } from './role-permissions.ts';
import { languageFolders } from './language-packs.ts';
import { namespaces } from './locales/namespaces.ts';

/** Authenticates every kind of API caller. */
const authenticateAll: Authenticate = (app, bearer) =>
  isPortalToken(bearer) ? actorOfPortal(app, bearer) : authenticate(app, bearer);

export async function serveCalls(app: App, all: readonly Feature[]): Promise<FastifyInstance> {
  assertOnlyNarrows(all);
  // A choice that contains a call which cannot be held must fail at startup.
  for (const { calls } of Object.values(choices)) for (const call of calls) approvalsConsole.callOf(call);
  const fastify = await makeHttp(app, all, {
    authenticate: authenticateAll,
    isWithdrawn,
    mayBeLate,
    ...callPermissions,
    holds: holdsOf(approvalsConsole),
  });
  serveBatchReads(fastify, all);
  await serveScim(fastify, app);
  await serveLocales(fastify, {
    namespaces,
    packs: languageFolders,
    files: app.files,
    log: app.log,
    takeMissing: app.config.mode === 'development' && app.config.sandboxId === undefined,
  });
  // Created at the first request: it is rarely used, and takes a megabyte.
  let document: ReturnType<typeof apiDocument> | undefined;
  fastify.get('/api/openapi.json', async () => (document ??= apiDocument(all)));
  serveDocs(fastify);
  return fastify;
}
