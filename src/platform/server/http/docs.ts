// The API documentation at /api/docs, loaded at the first request.
import fastify, { type FastifyInstance } from 'fastify';

// The viewer brings its own inline styles and script, so its page has a more permissive policy, but still
// allows no other origins.
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The viewer takes 25 MB of memory, so it runs in a separate Fastify server that is created at the first request. */
async function makeViewer(): Promise<FastifyInstance> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const viewer = fastify();
  await viewer.register(apiReference, {
    routePrefix: '/api/docs',
    configuration: {
      url: '/api/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      // Disables the vendor's own online services: a console sends nothing to third parties.
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
    },
  });
  await viewer.ready();
  return viewer;
}

/** Serves the documentation. */
export function serveDocs(fastify: FastifyInstance): void {
  let viewer: Promise<FastifyInstance> | undefined;
  const answer = async (url: string) => {
    viewer ??= makeViewer();
    return (await viewer).inject({ method: 'GET', url });
  };
  for (const path of ['/api/docs', '/api/docs/*']) {
    fastify.get(path, async (request, reply) => {
      const page = await answer(request.url);
      const { location } = page.headers;
      if (typeof location === 'string') reply.header('location', location);
      return reply
        .status(page.statusCode)
        .header('content-security-policy', policy)
        .type(page.headers['content-type'] ?? 'text/plain')
        .send(page.rawPayload);
    });
  }
  fastify.addHook('onClose', async () => {
    if (viewer) await (await viewer).close();
  });
}
