// Forwards calls to the consoles of sandboxes: `/sandbox/{id}/api/…` becomes `/api/…` there. Headers, limits
// and origins are checked there as here; cookies are not forwarded, so that only a key of the sandbox grants
// access.
import type { FastifyInstance } from 'fastify';
import { isId } from '#kernel/ids.ts';
import { DomainError } from '#kernel/errors.ts';
import { withCallsClosed } from '#platform/server/outbound/closed-calls.ts';
import { hasCode } from '#platform/server/system-error.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { placeToServe } from '#features/operations/sandboxes/server/index.ts';
import type { RunningSandboxes } from './host.ts';

// Accepts no path that a proxy or a router could interpret differently: no dot segments, no double or encoded
// slashes, no backslashes.
const callPattern = /^\/sandbox\/([a-z0-9_]+)(\/api(?:\/[^/?#\\]+)+)(\?[^#]*)?$/;
const isPlain = (path: string): boolean =>
  !/%(?:2e|2f|5c|00)/i.test(path) && path.split('/').every((part) => part !== '.' && part !== '..');

/** The sandbox and the call that a URL names; undefined when it names none. */
export function sandboxCallOf(url: string): { readonly id: string; readonly url: string } | undefined {
  const [, id = '', path = '', query = ''] = callPattern.exec(url) ?? [];
  return isId('sbx', id) && isPlain(path) ? { id, url: `${path}${query}` } : undefined;
}

export function serveSandboxes(fastify: FastifyInstance, app: App, sandboxes: RunningSandboxes): void {
  fastify.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/sandbox/*',
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      const asked = sandboxCallOf(request.raw.url ?? '');
      const place = asked && (await placeToServe(app, asked.id));
      if (!asked || !place) throw new DomainError('platform.not_found', 404);
      try {
        await sandboxes.useRunning(place, async ({ fastify: inside }) => {
          reply.hijack();
          const { raw } = request;
          raw.url = asked.url;
          delete raw.headers.cookie;
          const answered = new Promise<void>((resolve) => reply.raw.once('close', resolve));
          withCallsClosed(() => inside.routing(raw, reply.raw));
          await answered;
        });
      } catch (error) {
        // The sandbox was deleted or reset a moment ago.
        if (hasCode(error, '3D000')) throw new DomainError('platform.not_found', 404);
        throw error;
      }
    },
    handler: async () => {
      throw new DomainError('platform.not_found', 404);
    },
  });
}
