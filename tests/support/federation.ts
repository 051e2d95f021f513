// Shared by the tests of federated sign-in: a console, a hostile provider, and callers from many addresses.
import { sql } from 'kysely';
import { beforeEach } from 'vitest';
import { atFileEnd } from './clean-up.ts';
import { startHostileIdp, type Answers, type HostileIdp } from './hostile-idp.ts';
import { adminAccount, createTestConsole, setUp, signIn, type TestConsole } from './console.ts';

export type Answered = {
  status: number;
  code: string | undefined;
  data: {
    user: { id: string; role: string; account: string; organization: string | null };
    token: string;
    redirectUrl: string;
    nonce: string;
    items: { id: string; source: string; email: string }[];
    id: string;
  };
  cookies: string[];
};
type AuditRow = { subject: string | null; detail: Record<string, unknown> };

export type FederationTrial = {
  readonly console: TestConsole;
  readonly idp: HostileIdp;
  readonly honest: Answers;
  readonly admin: () => Promise<string>;
  readonly send: (
    method: string,
    path: string,
    body?: object,
    options?: { cookie?: string; token?: string },
  ) => Promise<Answered>;
  readonly newSubject: () => string;
  /** A Google ID token that is valid except for `claims` and `header`. */
  readonly google: (claims?: Record<string, unknown>, header?: Record<string, unknown>) => Promise<string>;
  readonly googleLogin: (idToken: string, cookie?: string) => Promise<Answered>;
  readonly googleRegister: (idToken: string, cookie?: string) => Promise<Answered>;
  /** An access token that is valid except for `claims` and `header`; user-info matches its subject. */
  readonly access: (claims?: Record<string, unknown>, header?: Record<string, unknown>) => Promise<string>;
  readonly sso: (accessToken: string, redirectUrl?: string) => Promise<Answered>;
  readonly seconds: () => number;
  readonly pass: (seconds: number) => void;
  readonly audit: (action: string) => Promise<AuditRow[]>;
};

const start = new Date('2026-11-20T10:00:00Z');
export const trialStart = start;
export const cookieOf = (answer: Answered, name: string): string =>
  answer.cookies.find((one) => one.startsWith(`${name}=`))?.split(';')[0] ?? '';

/**
 * Starts console and provider for the calling test file; before each test the provider is honest again and
 * some time has passed.
 */
export async function startFederationTrial(
  environment: Readonly<Record<string, string>> = {},
): Promise<FederationTrial> {
  let now = () => start;
  const idp = await startHostileIdp(() => now());
  const honest = { ...idp.answers };
  const console = await createTestConsole(start, {
    OIDC_ISSUER: idp.issuer,
    OIDC_CLIENT_ID: 'console',
    GOOGLE_CLIENT_ID: 'google-us',
    GOOGLE_JWKS_URL: `${idp.issuer}/jwks`,
    TRUST_PROXY: '127.0.0.1',
    ...environment,
  });
  now = () => console.clock.now();
  await setUp(console);
  let lastSubject = 0;
  let lastAddress = 0;
  const pass = (seconds: number): void =>
    console.clock.set(new Date(console.clock.now().getTime() + seconds * 1000));
  atFileEnd(() => idp.end());
  beforeEach(() => {
    Object.assign(idp.answers, honest);
    // Recently requested documents are not requested again.
    pass(11 * 60);
  });
  const send: FederationTrial['send'] = async (method, path, body, options = {}) => {
    const response = await fetch(`${console.address}/api${path}`, {
      // Each call comes from another address, because these tests are not about the rate limit per address.
      method,
      headers: {
        'x-forwarded-for': `10.0.${lastAddress >> 8}.${lastAddress++ & 255}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(options.cookie ? { cookie: options.cookie } : {}),
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const envelope = (await response.json()) as { code?: string; data: Answered['data'] };
    return {
      status: response.status,
      code: envelope.code,
      data: envelope.data,
      cookies: response.headers.getSetCookie(),
    };
  };
  const newSubject = (): string => `sub-${++lastSubject}`;
  const subjectOf = (claims: Record<string, unknown>): unknown =>
    'sub' in claims ? claims['sub'] : newSubject();
  return {
    console,
    idp,
    honest,
    send,
    newSubject,
    pass,
    // The clock moves so far that an Admin must sign in again for each use.
    admin: () => signIn(console, adminAccount.account, adminAccount.password),
    google: (claims = {}, header = {}) => {
      const sub = subjectOf(claims);
      return idp.sign(
        {
          iss: 'https://accounts.google.com',
          aud: 'google-us',
          sub,
          email: `${String(sub)}@gmail.com`,
          email_verified: true,
          name: 'Google person',
          ...claims,
        },
        { typ: 'JWT', ...header },
      );
    },
    googleLogin: (idToken, cookie = '') => send('POST', '/user/google-sso/login', { idToken }, { cookie }),
    googleRegister: (idToken, cookie = '') =>
      send(
        'POST',
        '/user/google-sso/register',
        { idToken, agreeToTerms: true, subscribeToNewsletter: false },
        { cookie },
      ),
    access: (claims = {}, header = {}) => {
      const sub = subjectOf(claims);
      const name = String(sub);
      idp.answers.userInfo = () => ({
        body: {
          sub,
          email: `${name}@harbour.example`,
          email_verified: true,
          name,
          role: 'User',
          organization: 'Harbour',
        },
      });
      return idp.sign({ aud: 'console', client_id: 'console', scope: 'openid api', ...claims, sub }, header);
    },
    sso: (accessToken, redirectUrl) =>
      send('POST', '/user/sso', { accessToken, ...(redirectUrl === undefined ? {} : { redirectUrl }) }),
    seconds: () => Math.floor(console.clock.now().getTime() / 1000),
    audit: async (action) =>
      (
        await sql<AuditRow>`select subject, detail from audit_log where action = ${action} order by id desc`.execute(
          console.app.database.kysely,
        )
      ).rows,
  };
}

/** A part of a forged token. */
export const encodePart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
