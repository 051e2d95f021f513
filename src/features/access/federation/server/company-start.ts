// Starts a sign-in at a company's identity provider, for a person or for an Admin who tests the provider.
import { randomBytes } from 'node:crypto';
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { randomSecret } from '#features/access/identity/server/index.ts';
import { providersPaths } from '#features/access/providers/contract.ts';
import { domainOf } from '#features/access/providers/rules.ts';
import {
  providerById,
  providerOfDomain,
  requireProvider,
  type Provider,
} from '#features/access/providers/server/index.ts';
import { federationErrors, type federation } from '../contract.ts';
import { safeReturnPath } from '../rules.ts';
import { samlRequestMinutes } from '../rules-saml.ts';
import { AnswerRefused } from './answer-refused.ts';
import { oidcAddress } from './company-oidc.ts';
import { unitOptions } from './open-identity.ts';
import { refused } from './refused.ts';
import { metadataFor, signInAddress } from './saml.ts';
import { insertRequest } from './store-company.ts';

/** Ties a sign-in to the browser that started it; only this server reads it. */
export const browserCookie = 'company_sign_in';

/** Returns the URL at which a person with this address signs in at their provider. */
export async function startCompanySignIn(
  ctx: Ctx,
  input: In<typeof federation.startCompanySignIn>,
  reply: Reply,
): Promise<Out<typeof federation.startCompanySignIn>> {
  const provider = await providerOfDomain(ctx.db, domainOf(input.email));
  if (!provider)
    throw domainError(federationErrors, 'federation.company_unknown', { domain: domainOf(input.email) }, [
      'email',
    ]);
  return begin(ctx, provider, { isTest: false, returnTo: safeReturnPath(input.returnTo) }, reply);
}

/** Returns the URL at which an Admin tests a provider, even one that is disabled. */
export async function testProvider(
  ctx: Ctx,
  input: In<typeof federation.testProvider>,
  reply: Reply,
): Promise<Out<typeof federation.testProvider>> {
  const provider = await requireProvider(ctx, input.providerId);
  const returnTo = `${providersPaths.screen}?provider=${provider.id}`;
  return begin(ctx, provider, { isTest: true, returnTo }, reply);
}

async function begin(
  ctx: Ctx,
  provider: Provider,
  { isTest, returnTo }: { isTest: boolean; returnTo: string },
  reply: Reply,
): Promise<{ url: string }> {
  // The browser's existing secret is reused, so that sign-ins in two tabs can both complete.
  const secret = reply.cookie(browserCookie) ?? randomSecret();
  reply.setCookie(browserCookie, secret, samlRequestMinutes * 60);
  const id = `_${randomBytes(20).toString('hex')}`;
  const verifier = provider.kind === 'oidc' ? randomSecret() : '';
  const url = await addressOf(ctx, provider, id, verifier);
  const expiresAt = new Date(ctx.now.getTime() + samlRequestMinutes * 60_000);
  await unitOfWork(ctx.app, unitOptions(ctx), (own) =>
    insertRequest(
      own,
      id,
      provider.id,
      { browserHash: sha256(secret), isTest, verifier, returnTo },
      expiresAt,
    ),
  );
  return { url };
}

async function addressOf(ctx: Ctx, provider: Provider, id: string, verifier: string): Promise<string> {
  if (provider.kind === 'saml') return signInAddress(ctx.app, provider, id);
  try {
    return await oidcAddress(ctx.app, provider, { id, verifier });
  } catch (error) {
    if (!(error instanceof AnswerRefused)) throw error;
    throw await refused(ctx, 'company', 'federation.provider_unavailable', error.message);
  }
}

/** Our SAML metadata as a file. */
export async function samlMetadata(
  ctx: Ctx,
  { providerId }: In<typeof federation.samlMetadata>,
): Promise<Out<typeof federation.samlMetadata>> {
  const provider = await providerById(ctx.db, providerId);
  if (provider?.kind !== 'saml') throw domainError(federationErrors, 'federation.not_configured');
  return {
    fileName: `${provider.id}.xml`,
    mediaType: 'application/samlmetadata+xml; charset=utf-8',
    body: Buffer.from(await metadataFor(ctx.app, provider)),
  };
}
