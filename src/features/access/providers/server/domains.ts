// Mail domains of providers, and the TXT records that verify them.
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { randomSecret } from '#features/access/identity/server/index.ts';
import { providersErrors, type IdentityProvider, type providers } from '../contract.ts';
import { mailDomain, proofRecord } from '../rules.ts';
import { txtRecords } from './dns.ts';
import { requireProvider, shownProvider } from './providers.ts';
import { deleteDomain, domainsOf, insertDomain, markDomainVerified, type DomainRow } from './store.ts';

export async function addDomain(ctx: Ctx, input: In<typeof providers.addDomain>): Promise<IdentityProvider> {
  await requireProvider(ctx, input.providerId);
  const domain = mailDomain(input.domain);
  if (domain === undefined) throw domainError(providersErrors, 'providers.domain_wrong', {}, ['domain']);
  if (!(await insertDomain(ctx, input.providerId, domain, randomSecret())))
    throw domainError(providersErrors, 'providers.domain_known', { domain }, ['domain']);
  ctx.audit('providers.addDomain', input.providerId, { domain });
  return shownProvider(ctx, input.providerId);
}

async function requireDomain(ctx: Ctx, providerId: string, domainId: string): Promise<DomainRow> {
  const domain = (await domainsOf(ctx.db, [providerId])).find(({ id }) => id === domainId);
  if (!domain) throw domainError(providersErrors, 'providers.domain_not_found');
  return domain;
}

/** Verifies a domain. The lookup runs outside of transactions, because a DNS server may take seconds. */
export async function verifyDomain(
  ctx: Ctx,
  { providerId, domainId }: In<typeof providers.verifyDomain>,
): Promise<IdentityProvider> {
  const domain = await requireDomain(ctx, providerId, domainId);
  const record = proofRecord(domain.domain, domain.challenge);
  const texts = await txtRecords(ctx.app, record.name);
  if (texts === undefined) throw domainError(providersErrors, 'providers.dns_unavailable');
  if (!texts.some((each) => each.trim() === record.value))
    throw domainError(
      providersErrors,
      texts.length === 0 ? 'providers.domain_record_missing' : 'providers.domain_record_other',
      { name: record.name },
    );
  return unitOfWork(
    ctx.app,
    { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId },
    async (own) => {
      if (!(await markDomainVerified(own, domain)))
        throw domainError(providersErrors, 'providers.domain_taken', { domain: domain.domain });
      own.audit('providers.verifyDomain', providerId, { domain: domain.domain });
      return shownProvider(own, providerId);
    },
  );
}

export async function removeDomain(
  ctx: Ctx,
  { providerId, domainId }: In<typeof providers.removeDomain>,
): Promise<IdentityProvider> {
  const { domain } = await requireDomain(ctx, providerId, domainId);
  await deleteDomain(ctx, providerId, domainId);
  ctx.audit('providers.removeDomain', providerId, { domain });
  return shownProvider(ctx, providerId);
}
