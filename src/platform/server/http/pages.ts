// The browser application: index.html with a fresh nonce for each answer, hashed assets that never change.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What pages may do beyond their own origin; empty for a console that stands alone. */
export type PageOrigins = {
  readonly script: readonly string[];
  readonly style: readonly string[];
  readonly connect: readonly string[];
  readonly frame: readonly string[];
  /** Where forms of ours may be posted to. */
  readonly form?: readonly string[];
  /** Paths that a page of our own may show in a frame. */
  readonly framed: readonly string[];
  /** A page opened from here may answer here, and is told which origin opened it (never which page). */
  readonly popups: boolean;
};
/** What index.html says of referrers, and what Google's button needs in order to see that it may be there. */
const ownReferrer = 'content="same-origin"';
const originReferrer = 'strict-origin';
const ownOriginOnly: PageOrigins = {
  script: [],
  style: [],
  connect: [],
  frame: [],
  framed: [],
  popups: false,
};

/** The policy of a page: nothing from elsewhere but what is listed, nothing inline without this answer's nonce. */
function policy(nonce: string, origins: PageOrigins, isFramed: boolean): string {
  const list = (name: string, ...sources: readonly string[]): string => [name, ...sources].join(' ');
  return [
    "default-src 'none'",
    list('script-src', "'self'", `'nonce-${nonce}'`, ...origins.script),
    list('style-src', "'self'", `'nonce-${nonce}'`, ...origins.style),
    "img-src 'self' data: blob:",
    list('connect-src', "'self'", ...origins.connect),
    ...(origins.frame.length > 0 ? [list('frame-src', ...origins.frame)] : []),
    "font-src 'self'",
    "manifest-src 'self'",
    list('form-action', "'self'", ...(origins.form ?? [])),
    "base-uri 'none'",
    "object-src 'none'",
    isFramed ? "frame-ancestors 'self'" : "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Serves the built application from `directory`. Any path that is no file and no API is the application's own,
 * and answers index.html. `origins` says where pages may reach to (an identity provider).
 */
export async function servePages(
  fastify: FastifyInstance,
  options: { directory: string; origins?: PageOrigins },
): Promise<void> {
  const origins = options.origins ?? ownOriginOnly;
  const page = readFileSync(join(options.directory, 'index.html'), 'utf8');
  // The element outdoes the header, so both say it.
  const template = origins.popups ? page.replace(ownReferrer, `content="${originReferrer}"`) : page;
  const sendPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (origins.popups)
      reply.headers({
        'cross-origin-opener-policy': 'same-origin-allow-popups',
        'referrer-policy': originReferrer,
      });
    const nonce = randomBytes(18).toString('base64url');
    return reply
      .status(200)
      .header(
        'content-security-policy',
        policy(nonce, origins, origins.framed.includes(request.url.split('?')[0] ?? '')),
      )
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(template.replaceAll('__CSP_NONCE__', nonce));
  };
  await fastify.register(staticFiles, {
    root: options.directory,
    preCompressed: true,
    index: false,
    wildcard: false,
    dotfiles: 'deny',
    globIgnore: ['**/index.html*', '**/*.map', '**/stamp.json', '**/*.br', '**/*.gz'],
    setHeaders: (response, path) => {
      // Names under assets/ carry a hash of their content.
      response.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
    },
  });
  const isPage = (request: FastifyRequest): boolean =>
    request.method === 'GET' &&
    !/^\/(api|locales|assets|mqtt|healthz|readyz|metrics)(\/|$|\?)/.test(request.url);
  fastify.get('/', async (request, reply) => sendPage(request, reply));
  fastify.get('/*', async (request, reply) =>
    isPage(request) ? sendPage(request, reply) : reply.callNotFound(),
  );
}
