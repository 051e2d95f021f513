// The browser application: index.html with a fresh nonce for each answer, hashed assets that never change.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The policy of every page: nothing from elsewhere, nothing inline without this answer's nonce. */
function policy(nonce: string, connect: readonly string[]): string {
  return [
    "default-src 'none'", `script-src 'self' 'nonce-${nonce}'`, `style-src 'self' 'nonce-${nonce}'`, "img-src 'self' data: blob:",
    `connect-src 'self' ${connect.join(' ')}`.trim(), "font-src 'self'", "manifest-src 'self'", "form-action 'self'",
    "base-uri 'none'", "object-src 'none'", "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Serves the built application from `directory`. Any path that is no file and no API is the application's own,
 * and answers index.html. `connect` lists further origins that pages may talk to (an identity provider).
 */
export async function servePages(app: FastifyInstance, options: { directory: string; connect?: readonly string[] }): Promise<void> {
  const template = readFileSync(join(options.directory, 'index.html'), 'utf8');
  const sendPage = (reply: FastifyReply, status: number): FastifyReply => {
    const nonce = randomBytes(18).toString('base64url');
    return reply
      .status(status)
      .header('content-security-policy', policy(nonce, options.connect ?? []))
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(template.replaceAll('__CSP_NONCE__', nonce));
  };
  await app.register(staticFiles, {
    root: options.directory,
    preCompressed: true,
    index: false,
    wildcard: false,
    dotfiles: 'deny',
    globIgnore: ['**/index.html*', '**/*.map', '**/stamp.json', '**/*.br', '**/*.gz'],
    setHeaders: (response, path) => {
      // Names under assets/ carry a hash of their content.
      response.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });
  const isPage = (request: FastifyRequest): boolean => request.method === 'GET' && !/^\/(api|locales|assets|mqtt|healthz|readyz|metrics)(\/|$|\?)/.test(request.url);
  app.get('/', async (_request, reply) => sendPage(reply, 200));
  app.get('/*', async (request, reply) => (isPage(request) ? sendPage(reply, 200) : reply.callNotFound()));
}
