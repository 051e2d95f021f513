// Shared by the tests of company sign-in: a provider registered at a console, and browsers that sign in
// through it.
import { federation } from '#features/access/federation/contract.ts';
import { providers, type IdentityProvider } from '#features/access/providers/contract.ts';
import type { TestConsole } from './console.ts';
import type { TestDns } from './dns.ts';
import { readRequest, type SamlIdp, type SamlTarget } from './saml-idp.ts';

/** What an Admin enters for a provider. */
export function newProvider(given: {
  readonly idp: SamlIdp;
  readonly organizationId: string | null;
  readonly name?: string;
}) {
  return {
    kind: 'saml',
    name: given.name ?? 'Harbour',
    organizationId: given.organizationId,
    isActive: true,
    entityId: given.idp.entityId,
    ssoUrl: given.idp.ssoUrl,
    certificates: [given.idp.certificate],
    clientId: '',
    clientSecret: null,
    allowsUnsolicited: false,
    mustUse: false,
    defaultRole: null,
    emailAttribute: '',
    nameAttribute: '',
    groupsAttribute: '',
    groups: [{ group: 'console-users', role: given.organizationId === null ? 'Admin' : 'User' }],
  } as never;
}

/** The settings of a provider as they are sent back, with changes. */
export function changed(provider: IdentityProvider, changes: Partial<IdentityProvider>) {
  const next = { ...provider, ...changes };
  return {
    providerId: next.id,
    name: next.name,
    isActive: next.isActive,
    entityId: next.entityId,
    ssoUrl: next.ssoUrl,
    certificates: next.certificates.map(({ pem }) => pem),
    clientId: next.clientId,
    clientSecret: null,
    allowsUnsolicited: next.allowsUnsolicited,
    mustUse: next.mustUse,
    defaultRole: next.defaultRole,
    emailAttribute: next.emailAttribute,
    nameAttribute: next.nameAttribute,
    groupsAttribute: next.groupsAttribute,
    groups: next.groups,
  };
}

/** Adds a domain to a provider, publishes its record and verifies it. */
export async function verifyDomain(
  console: TestConsole,
  dns: TestDns,
  token: string,
  provider: IdentityProvider,
  domain: string,
): Promise<IdentityProvider> {
  const added = await console.ok(providers.addDomain, { providerId: provider.id, domain }, { token });
  const row = added.domains.find((each) => each.domain === domain);
  if (!row) throw new Error(`${domain} was not added`);
  dns.texts.set(row.recordName, [row.recordValue]);
  return console.ok(providers.verifyDomain, { providerId: provider.id, domainId: row.id }, { token });
}

export type Landing = { readonly status: number; readonly problem: string | null; readonly ticket: string };
export type Completed = {
  readonly status: number;
  readonly code: string | undefined;
  readonly data: {
    readonly user: { id: string; role: string; account: string; organization: string | null; name: string };
    readonly token: string;
    readonly redirectUrl: string;
  } | null;
  readonly cookies: readonly string[];
};

/** A browser with its own cookies. */
export class CompanyBrowser {
  readonly #address: string;
  readonly #cookies = new Map<string, string>();
  readonly #from: string;
  static #last = 0;
  constructor(address: string) {
    this.#address = address;
    const number = CompanyBrowser.#last++;
    this.#from = `10.9.${number >> 8}.${number & 255}`;
  }

  async #post(path: string, type: string, body: string, more: Record<string, string>): Promise<Response> {
    const response = await fetch(`${this.#address}/api${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': type, 'x-forwarded-for': this.#from, 'accept-language': 'en-US', ...more },
      body,
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const cut = pair.indexOf('=');
      this.#cookies.set(pair.slice(0, cut), pair.slice(cut + 1));
    }
    return response;
  }

  /** A call from our own page, with the browser's cookies. */
  async call(path: string, body: object): Promise<Completed> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await this.#post(path, 'application/json', JSON.stringify(body), { cookie });
    const envelope = (await response.json()) as { code?: string; data: Completed['data'] };
    return {
      status: response.status,
      code: envelope.code,
      data: envelope.data,
      cookies: response.headers.getSetCookie(),
    };
  }

  /** Starts at the sign-in page; returns the request that the provider's response must match. */
  async begin(console: TestConsole, email: string, returnTo?: string): Promise<SamlTarget> {
    const answer = await this.call(federation.startCompanySignIn.path, {
      email,
      ...(returnTo !== undefined && { returnTo }),
    });
    const data = answer.data as unknown as { url: string } | null;
    if (!data) throw new Error(`${answer.status} ${answer.code}`);
    const request = readRequest(data.url);
    return {
      entityId: request.issuer,
      acsUrl: request.acsUrl,
      requestId: request.id,
      now: console.clock.now(),
    };
  }

  /** Posts the provider's response: from another site, so without our cookies. */
  async post(target: SamlTarget, answer: string, relayState?: string): Promise<Landing> {
    const form = new URLSearchParams({
      SAMLResponse: answer,
      ...(relayState !== undefined && { RelayState: relayState }),
    });
    const path = new URL(target.acsUrl).pathname.replace(/^\/api/, '');
    const response = await this.#post(path, 'application/x-www-form-urlencoded', form.toString(), {
      origin: 'https://idp.harbour.example',
    });
    const location = new URL(response.headers.get('location') ?? '/none', 'https://console.example');
    return {
      status: response.status,
      problem: location.searchParams.get('problem'),
      ticket: location.hash.slice(1),
    };
  }

  complete(ticket: string): Promise<Completed> {
    return this.call(federation.completeCompanySignIn.path, { ticket });
  }
}
