// Rules of federation: valid tokens and claims, the role derived from claims, and safe return paths. No
// clock, no database.
import { isRole, type Role } from '#kernel/roles.ts';

/** Google's issuer, which Google writes in two forms. Accounts are stored under the first. */
export const googleIssuers: readonly [string, string] = [
  'https://accounts.google.com',
  'accounts.google.com',
];
/** Tokens are accepted this long after they expire: clocks differ. */
export const toleranceSeconds = 60;
/** A token issued longer ago is refused, even if it has not expired. */
export const oldestTokenSeconds = 3600;
/** Without a nonce, only a token issued this recently is accepted. */
const oldestWithoutNonceSeconds = 300;
/** How long a link ticket waits for the owner's proof. */
export const linkTicketMinutes = 10;
/** How many attempts the owner has to prove ownership. */
export const linkAttempts = 5;
/** How long the nonce of a Google sign-in is valid. */
export const nonceMinutes = 60;

export type Claims = Readonly<Record<string, unknown>>;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
const isSubject = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= 255;

/**
 * Returns a path inside this site unchanged, anything else as '/'. Our paths need only letters, digits and
 * `-_.~/`, so everything that browsers, proxies or decoders could read as another site is rejected: `//`,
 * `\`, `%`, `@`, `:`, dot segments.
 */
export function safeReturnPath(path: string | null | undefined): string {
  if (typeof path !== 'string' || path.length > 2000) return '/';
  const [, place = '', rest = ''] = /^(\/[\w\-.~/]*)((?:[?#][\x21-\x5b\x5d-\x7e]*)?)$/.exec(path) ?? [];
  const isInside =
    place !== '' &&
    !place.includes('//') &&
    !place.split('/').some((part) => /^\.+$/.test(part)) &&
    !/%(0|1|7f|5c)/i.test(rest);
  return isInside ? path : '/';
}

/**
 * The problem with a Google ID token whose signature, issuer, audience and times are valid; undefined when
 * there is none.
 */
export function googleProblem(
  claims: Claims,
  expected: { clientId: string; hostedDomains: readonly string[]; nonce: string | null; nowSeconds: number },
): 'token' | 'email' | 'domain' | undefined {
  if (!isSubject(claims['sub']) || !isForUs(claims, expected.clientId)) return 'token';
  if (expected.nonce === null ? claims['nonce'] !== undefined : claims['nonce'] !== expected.nonce)
    return 'token';
  if (expected.nonce === null && expected.nowSeconds - Number(claims['iat']) > oldestWithoutNonceSeconds)
    return 'token';
  if (textOf(claims['email']) === '' || claims['email_verified'] !== true) return 'email';
  if (
    expected.hostedDomains.length > 0 &&
    !expected.hostedDomains.includes(textOf(claims['hd']).toLowerCase())
  )
    return 'domain';
  return undefined;
}

/** With several audiences, `azp` says for which one the token was issued (OpenID Connect Core, 3.1.3.7). */
const isForUs = (claims: Claims, clientId: string): boolean =>
  listOf(claims['aud']).length === 1 || claims['azp'] === clientId;

/** Whether Google is the authority for the address, so that its claim about the owner can be trusted. */
export function isGoogleAddress(claims: Claims): boolean {
  return textOf(claims['email']).toLowerCase().endsWith('@gmail.com') || textOf(claims['hd']) !== '';
}

const idTokenClaims = ['nonce', 'at_hash', 'c_hash', 's_hash'];

/**
 * Why a JWT is not an access token for this console; undefined when it is one. Signature, issuer and times
 * are checked elsewhere. An ID token is always rejected. The token's client (`azp`, `client_id`) must be us;
 * when the token names no client, the audience decides.
 */
export function accessTokenProblem(
  header: Claims,
  claims: Claims,
  ours: { clientId: string; audience: string | undefined },
): string | undefined {
  const type = textOf(header['typ'])
    .toLowerCase()
    .replace(/^application\//, '');
  if (type !== 'at+jwt') {
    if (type !== '' && type !== 'jwt') return 'typ';
    const isIdToken = claims['typ'] === 'ID' || idTokenClaims.some((name) => name in claims);
    const looksLikeAccess = ['scope', 'scp', 'client_id'].some((name) => name in claims);
    if (isIdToken || !looksLikeAccess) return 'id token';
  }
  if (!isSubject(claims['sub'])) return 'sub';
  return audienceProblem(claims, ours);
}

/** The same audience check for an introspection response, which has the same claims. */
export function audienceProblem(
  claims: Claims,
  ours: { clientId: string; audience: string | undefined },
): string | undefined {
  const makers = [claims['azp'], claims['client_id']].filter((maker) => maker !== undefined);
  if (makers.some((maker) => maker !== ours.clientId)) return 'client';
  const audiences = claims['aud'] === undefined ? [] : listOf(claims['aud']);
  if (audiences.length > 1 && makers.length === 0) return 'azp';
  const isNamed =
    audiences.includes(ours.clientId) || (ours.audience !== undefined && audiences.includes(ours.audience));
  // A configured audience is required; without one, the token must have been issued to our client.
  return isNamed || (ours.audience === undefined && makers.length > 0) ? undefined : 'audience';
}

/**
 * Whether an endpoint named by a provider is acceptable: on the issuer's host or a listed one, over HTTPS or
 * the issuer's own protocol.
 */
export function isEndpointAllowed(
  endpoint: { protocol: string; host: string },
  issuer: { protocol: string; host: string },
  hosts: readonly string[],
): boolean {
  return (
    (endpoint.protocol === 'https:' || endpoint.protocol === issuer.protocol) &&
    (endpoint.host === issuer.host || hosts.includes(endpoint.host))
  );
}

export type RolePolicy = {
  readonly allowAdmin: boolean;
  readonly defaultRole: 'User' | 'ReadOnly' | 'refuse';
};

/**
 * The role named by a claim: an exact match, or the default role; undefined when providers may not assign
 * that role.
 */
export function roleOfClaim(claim: unknown, policy: RolePolicy): Role | undefined {
  if (!isRole(claim)) return policy.defaultRole === 'refuse' ? undefined : policy.defaultRole;
  return claim === 'Admin' && !policy.allowAdmin ? undefined : claim;
}

/** The reference under which an organization from a provider's claim is stored. */
export function organizationRef(issuer: string, claim: unknown): { ref: string; name: string } | undefined {
  const name = textOf(claim).trim();
  return name === '' || name.length > 160 ? undefined : { ref: `oidc:${issuer}:${name}`, name };
}

/** A display name derived from the available claims. */
export function nameOfClaims(claims: Claims, email: string): string {
  const given = [claims['name'], claims['given_name'], claims['preferred_username']]
    .map((value) =>
      textOf(value)
        .replace(/\p{Cc}/gu, ' ')
        .trim(),
    )
    .find((value) => value !== '');
  return (given ?? email.split('@')[0] ?? email).slice(0, 120);
}
