// The browser application: index.html with a fresh nonce per response, and assets with a hash in their names.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The other origins that pages may use; empty without an identity provider. */
export type PageOrigins = {
  readonly script: readonly string[];
  readonly style: readonly string[];
  readonly connect: readonly string[];
  readonly frame: readonly string[];
  /** Where our forms may be submitted to. */
  readonly form?: readonly string[];
  readonly image?: readonly string[];
  /** Whether one of these scripts injects styles into the page, which it cannot mark with our nonce. */
  readonly inlineStyles?: boolean;
  /** Paths of our own that our pages may embed in a frame. */
  readonly framed: readonly string[];
  /** Whether a popup opened by a page may send messages back to it, and learns the page's origin (never its path). */
  readonly popups: boolean;
};
/**
 * The referrer policy in index.html, and the one that Google's button needs to verify that the origin is
 * registered.
 */
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

/**
 * The content security policy of a page: nothing from other origins except the listed ones, nothing inline
 * without this response's nonce.
 */
function policy(nonce: string, origins: PageOrigins, ancestors: readonly string[]): string {
  const list = (name: string, ...sources: readonly string[]): string => [name, ...sources].join(' ');
  return [
    "default-src 'none'",
    list('script-src', "'self'", `'nonce-${nonce}'`, ...origins.script),
    list(
      'style-src',
      "'self'",
      origins.inlineStyles ? "'unsafe-inline'" : `'nonce-${nonce}'`,
      ...origins.style,
    ),
    list('img-src', "'self'", 'data:', 'blob:', ...(origins.image ?? [])),
    list('connect-src', "'self'", ...origins.connect),
    ...(origins.frame.length > 0 ? [list('frame-src', ...origins.frame)] : []),
    "font-src 'self'",
    "manifest-src 'self'",
    list('form-action', "'self'", ...(origins.form ?? [])),
    "base-uri 'none'",
    "object-src 'none'",
    list('frame-ancestors', ...(ancestors.length > 0 ? ancestors : ["'none'"])),
  ].join('; ');
}

/** Under whose name a page is seen. */
export type PageBrand = {
  /** The title of the page until a screen sets its own, and the name in the bar. */
  readonly title: string;
  /** What the application is told before it asks. */
  readonly data: Readonly<Record<string, string | null>>;
};

/** The title of R-SHELL-17, for pages of a console whose brand cannot be read. */
const defaultTitle = 'System';

const asHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Fills in what differs between responses. In one pass, so that nothing is replaced within a brand's name. */
function fillPage(template: string, nonce: string, brand: PageBrand | undefined): string {
  const parts: Readonly<Record<string, string>> = {
    __CSP_NONCE__: nonce,
    __BRAND_TITLE__: asHtml(brand?.title ?? defaultTitle),
    // The name in the bar: nothing rather than a name that changes.
    __BRAND_NAME__: asHtml(brand?.title ?? ''),
    __BRAND__: JSON.stringify(brand?.data ?? null).replaceAll('<', String.raw`\u003c`),
  };
  return template.replace(/__(?:CSP_NONCE|BRAND(?:_TITLE|_NAME)?)__/g, (place) => parts[place] ?? place);
}

/** The other origins that may embed one of our pages in a frame, by its URL; none for most pages. */
export type AncestorsOf = (address: URL) => Promise<readonly string[]>;

const workerPolicy = "default-src 'none'; connect-src 'self'";

/**
 * Files that need their own policy: the page that browsers cache for when they are offline, and the service
 * worker, which requests pages from the console.
 */
const policiesOfFiles: ReadonlyMap<string, string> = new Map([
  ['offline.html', "default-src 'none'; script-src 'self'; style-src 'self'; frame-ancestors 'none'"],
  ['push-worker.js', workerPolicy],
]);

/** The policy of a file; a worker runs under the policy that its own file is served with. */
function policyOf(file: string): string | undefined {
  const name = file.replace(/\.(br|gz)$/, '');
  return /^live-worker-[\w-]+\.js$/.test(name) ? workerPolicy : policiesOfFiles.get(name);
}

/**
 * Serves the built application from `directory`. Any path that is neither a file nor part of the API belongs
 * to the application and gets index.html. `origins` are the other origins that pages may use (an identity
 * provider); `brandOf` is under whose name the sender of a request sees the console, undefined if that is not
 * known now.
 */
export async function servePages(
  fastify: FastifyInstance,
  options: {
    directory: string;
    origins?: PageOrigins;
    /** Origins of individual pages, which replace `origins`, by path. */
    originsOf?: (path: string) => PageOrigins | undefined;
    ancestors?: AncestorsOf;
    brandOf?: (request: FastifyRequest) => Promise<PageBrand | undefined>;
    scripts?: readonly string[];
  },
): Promise<void> {
  const origins = options.origins ?? ownOriginOnly;
  const page = readFileSync(join(options.directory, 'index.html'), 'utf8');
  // The referrer policy of the meta element overrides the header's, so both must be the same.
  const template = origins.popups ? page.replace(ownReferrer, `content="${originReferrer}"`) : page;
  const ancestorsOf = async (request: FastifyRequest): Promise<readonly string[]> => {
    if (origins.framed.includes(request.url.split('?')[0] ?? '')) return ["'self'"];
    return (await options.ancestors?.(new URL(request.url, 'http://console'))) ?? [];
  };
  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (origins.popups)
      reply.headers({
        'cross-origin-opener-policy': 'same-origin-allow-popups',
        'referrer-policy': originReferrer,
      });
    const [ancestors, brand] = await Promise.all([ancestorsOf(request), options.brandOf?.(request)]);
    const nonce = randomBytes(18).toString('base64url');
    return reply
      .status(200)
      .header(
        'content-security-policy',
        policy(nonce, options.originsOf?.(request.url.split('?')[0] ?? '') ?? origins, ancestors),
      )
      .header('cache-control', 'private, no-cache')
      .type('text/html; charset=utf-8')
      .send(fillPage(template, nonce, brand));
  };
  await fastify.register(staticFiles, {
    root: options.directory,
    preCompressed: true,
    index: false,
    wildcard: false,
    dotfiles: 'deny',
    globIgnore: ['**/index.html*', '**/*.map', '**/stamp.json', '**/*.br', '**/*.gz'],
    setHeaders: (response, path) => {
      // Names under assets/ contain a hash of their content.
      response.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
      // Scripts that pages of other sites load.
      if (options.scripts?.includes(basename(path).replace(/\.(br|gz)$/, ''))) {
        response.header('cross-origin-resource-policy', 'cross-origin');
        response.header('access-control-allow-origin', '*');
      }
      const policyOfFile = policyOf(basename(path));
      if (policyOfFile !== undefined) response.header('content-security-policy', policyOfFile);
    },
  });
  const isPage = (request: FastifyRequest): boolean =>
    request.method === 'GET' &&
    !/^\/(api|locales|assets|mqtt|healthz|readyz|metrics|scim)(\/|$|\?)/.test(request.url);
  fastify.get('/', async (request, reply) => sendPage(request, reply));
  fastify.get('/*', async (request, reply) =>
    isPage(request) ? sendPage(request, reply) : reply.callNotFound(),
  );
}
