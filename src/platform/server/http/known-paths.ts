// Every path of the server with its methods: for 405 instead of 404, and for a test that checks all routes.
import type { FastifyInstance } from 'fastify';

export type KnownPaths = {
  /** The methods of a URL's path; empty when the path is unknown. */
  readonly methodsOf: (url: string) => readonly string[];
  /** All routes, such as `GET /api/bills/:billId`. */
  readonly all: () => readonly string[];
};

declare module 'fastify' {
  interface FastifyInstance {
    knownPaths: KnownPaths;
  }
}

/** Records the routes of a server; call it before the first route is added. */
export function knownPaths(fastify: FastifyInstance): KnownPaths {
  const routes: { readonly method: string; readonly url: string; readonly pattern: RegExp }[] = [];
  fastify.addHook('onRoute', (route) => {
    // The browser application's route matches every path, so it does not count for 405.
    const pattern =
      route.url === '/*'
        ? /^$/
        : new RegExp(
            `^${route.url
              .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
              .replace(/:\w+/g, '[^/]+')
              .replace(/\*$/, '.*')}$`,
          );
    for (const method of [route.method].flat()) routes.push({ method, url: route.url, pattern });
  });
  const known: KnownPaths = {
    methodsOf: (url) => {
      const path = url.split(/[?#]/)[0] ?? '';
      return [...new Set(routes.filter((route) => route.pattern.test(path)).map((route) => route.method))];
    },
    all: () => routes.map((route) => `${route.method} ${route.url}`),
  };
  fastify.decorate('knownPaths', known);
  return known;
}
