// `npm run idp`: a real, certified identity provider for a console, for development and tests. Its people are
// fictitious.
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, jwtVerify, type CryptoKey, type JWK } from 'jose';
import { Provider, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';

type Person = {
  readonly sub: string;
  readonly name: string;
  readonly email: string;
  readonly role?: string;
  readonly organization?: string;
};
/** Who can sign in, by the name on their button. */
export const people: Readonly<Record<string, Person>> = {
  user: {
    sub: 'idp-user',
    name: 'user',
    email: 'user@harbour.example',
    role: 'User',
    organization: 'Harbour Logistics',
  },
  reader: {
    sub: 'idp-reader',
    name: 'reader',
    email: 'reader@harbour.example',
    role: 'ReadOnly',
    organization: 'Harbour Logistics',
  },
  admin: { sub: 'idp-admin', name: 'admin', email: 'admin@harbour.example', role: 'Admin' },
  spare: { sub: 'idp-spare', name: 'spare', email: 'spare@elsewhere.example' },
  newcomer: { sub: 'idp-newcomer', name: 'newcomer', email: 'newcomer@elsewhere.example' },
};
const bySubject = new Map(Object.values(people).map((person) => [person.sub, person]));
const claimsOf = (person: Person): Record<string, unknown> => ({ ...person, email_verified: true });

export type Idp = { readonly issuer: string; readonly clientId: string; readonly end: () => Promise<void> };
export type IdpOptions = {
  readonly port?: number;
  /** The addresses of consoles as browsers see them. */
  readonly consoles: readonly string[];
  /** `jwt`: access tokens for an API of the provider's; `opaque`: tokens that only the provider can read. */
  readonly accessTokens?: 'jwt' | 'opaque';
  readonly accessTokenSeconds?: number;
};

const clientId = 'console';
const api = 'urn:skytally:api';

/** Starts the provider; port 0 (the default) selects a free port. */
export async function startIdp(options: IdpOptions): Promise<Idp> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(options.port ?? 0, 'localhost', done));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const key: JWK = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'idp-1' };
  const provider = new Provider(issuer, configuration(options, key));
  if (options.accessTokens !== 'opaque') provider.use(userInfoForJwt(issuer, publicKey));
  provider.use(signInPage(provider));
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  return { issuer, clientId, end: () => stop(server) };
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}

function configuration(
  { consoles, accessTokens, accessTokenSeconds = 300 }: IdpOptions,
  key: JWK,
): Configuration {
  return {
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: consoles.map((origin) => `${origin}/callback`),
        post_logout_redirect_uris: consoles.map((origin) => `${origin}/`),
      },
    ],
    clientBasedCORS: (_context, origin) => consoles.includes(origin),
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    scopes: ['openid', 'profile', 'email', 'api', 'offline_access'],
    claims: {
      openid: ['sub'],
      profile: ['name'],
      email: ['email', 'email_verified'],
      api: ['role', 'organization'],
    },
    findAccount: async (_context, sub) => {
      const person = bySubject.get(sub);
      return person && { accountId: sub, claims: async () => ({ ...claimsOf(person), sub }) };
    },
    extraTokenClaims: async (_context, token) => {
      const person =
        'accountId' in token && typeof token.accountId === 'string'
          ? bySubject.get(token.accountId)
          : undefined;
      return { role: person?.role, organization: person?.organization };
    },
    // The console belongs to the operator, so people are not asked for consent.
    loadExistingGrant: async (context) => {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client?.clientId ?? clientId,
        accountId: context.oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email api offline_access');
      grant.addResourceScope(api, 'api');
      await grant.save();
      return grant;
    },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    ttl: {
      AccessToken: accessTokenSeconds,
      IdToken: accessTokenSeconds,
      RefreshToken: 86_400,
      Session: 86_400,
      Grant: 86_400,
      Interaction: 600,
    },
    features: {
      devInteractions: { enabled: false },
      introspection: {
        enabled: true,
        allowedPolicy: (_context, client, token) => 'clientId' in token && token.clientId === client.clientId,
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (context, form) =>
          page(
            context,
            `<h1>Sign out?</h1>${form}<button type="submit" form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>`,
          ),
      },
      ...(accessTokens === 'opaque'
        ? {}
        : {
            resourceIndicators: {
              enabled: true,
              defaultResource: () => api,
              useGrantedResource: () => true,
              getResourceServerInfo: () => ({
                scope: 'api',
                audience: api,
                accessTokenFormat: 'jwt',
                accessTokenTTL: accessTokenSeconds,
                jwt: { sign: { alg: 'RS256' } },
              }),
            },
          }),
    },
  };
}

function page(context: { type: string; body: unknown }, html: string): void {
  context.type = 'html';
  context.body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Development provider</title><body style="font-family:sans-serif;max-width:24rem;margin:4rem auto">${html}</body></html>`;
}

type Middleware = Parameters<Provider['use']>[0];

/** One button per person, instead of passwords. */
function signInPage(provider: Provider): Middleware {
  return async (context, next) => {
    const uid = /^\/interaction\/([\w-]+)$/.exec(context.path)?.[1];
    if (uid === undefined) return next();
    const chosen = new URLSearchParams(context.querystring).get('person');
    const person = chosen === null ? undefined : people[chosen];
    if (person)
      return provider.interactionFinished(context.req, context.res, { login: { accountId: person.sub } });
    const { prompt } = await provider.interactionDetails(context.req, context.res);
    const buttons = Object.keys(people)
      .map((name) => `<p><button name="person" value="${name}">Sign in as ${name}</button></p>`)
      .join('');
    page(
      context as unknown as KoaContextWithOIDC,
      `<h1>Development provider</h1><p>${prompt.name}</p><form action="/interaction/${uid}">${buttons}</form>`,
    );
  };
}

/** Makes user-info also accept access tokens issued for the API, as most providers do but this library does not. */
function userInfoForJwt(issuer: string, key: CryptoKey): Middleware {
  return async (context, next) => {
    const bearer = /^Bearer (.+\..+\..+)$/.exec(context.get('authorization'))?.[1];
    if (context.path !== '/me' || context.method !== 'GET' || bearer === undefined) return next();
    context.set('access-control-allow-origin', '*');
    try {
      const { payload } = await jwtVerify(bearer, key, { issuer, typ: 'at+jwt' });
      const person = bySubject.get(payload.sub ?? '');
      if (!person) throw new Error('nobody');
      context.body = claimsOf(person);
    } catch {
      // The provider's own response to an unknown token.
      context.status = 401;
      context.body = { error: 'invalid_token' };
    }
  };
}

if (import.meta.main) {
  const own = process.env['PUBLIC_URL'];
  const { issuer } = await startIdp({
    port: Number(process.env['IDP_PORT'] ?? 4000),
    consoles: own === undefined ? ['http://localhost:3000', 'http://127.0.0.1:3000'] : [own],
  });
  console.log(
    `\n  Identity provider  ${issuer}   (people: ${Object.keys(people).join(', ')})\n  Start the console with\n\n    OIDC_ISSUER=${issuer} OIDC_CLIENT_ID=${clientId} npm start\n`,
  );
}
