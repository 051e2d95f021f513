// Handles a provider's answer, whatever its protocol: issues a ticket for the browser that began, stores the
// result of a test, or rejects it with one code for the person and the reason for the audit log.
import type { Out } from '#kernel/contract.ts';
import { DomainError } from '#kernel/errors.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { randomSecret } from '#features/access/identity/server/index.ts';
import { roleOfGroups } from '#features/access/providers/rules.ts';
import { storeResult, type Provider } from '#features/access/providers/server/index.ts';
import { federationPaths, type federation, type federationErrors } from '../contract.ts';
import { companyTicketMinutes, type CompanyPerson } from '../rules-saml.ts';
import { AnswerRefused } from './answer-refused.ts';
import { unitOptions } from './open-identity.ts';
import { refused } from './refused.ts';
import { insertTicket, type CompanyRequest } from './store-company.ts';

export type Redirect = Out<typeof federation.samlAcs>;
type Code = keyof typeof federationErrors;
export type Refusal = { readonly code: Code; readonly reason: string };

/** Always redirects the browser to a page: people see a sentence, never JSON. */
export async function sentToPage(answering: Promise<Redirect>): Promise<Redirect> {
  try {
    return await answering;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { location: `${federationPaths.company}?problem=${encodeURIComponent(error.code)}` };
  }
}

/** Stores an accepted person as a ticket for their browser, or as the result of a test. */
export async function accept(
  ctx: Ctx,
  provider: Provider,
  person: CompanyPerson,
  request: CompanyRequest | undefined,
  relayState: string,
): Promise<Redirect | Refusal> {
  if (request?.isTest) {
    await storeTest(ctx, provider, person);
    return { location: request.returnTo };
  }
  if (!provider.isActive) return { code: 'federation.not_configured', reason: 'the provider is off' };
  const secret = randomSecret();
  await insertTicket(
    ctx,
    sha256(secret),
    {
      ...person,
      providerId: provider.id,
      browserHash: request?.browserHash ?? null,
      returnTo: request?.returnTo ?? relayState,
    },
    new Date(ctx.now.getTime() + companyTicketMinutes * 60_000),
  );
  // Browsers do not send the fragment, so it reaches no server and no log.
  return { location: `${federationPaths.company}#${secret}` };
}

async function storeTest(ctx: Ctx, provider: Provider, person: CompanyPerson): Promise<void> {
  const role = roleOfGroups(person.groups, provider.groups, provider.defaultRole)?.role ?? null;
  await storeResult(ctx, provider.id, {
    at: ctx.now.toISOString(),
    isTest: true,
    problem: role === null ? 'federation.group_refused' : null,
    detail: '',
    email: person.email,
    name: person.name,
    groups: [...person.groups],
    role,
  });
}

const codeOf = (error: AnswerRefused): Code => {
  if (error.isStatus) return 'federation.provider_refused';
  return error.isLate ? 'federation.answer_late' : 'federation.answer_refused';
};

/**
 * Handles a rejected answer. An Admin who tests the provider sees the reason on the provider's page; nobody
 * else learns more than the rejection. `findRequest` uses up the request that it belongs to.
 */
export async function rejected(
  ctx: Ctx,
  provider: Provider,
  error: unknown,
  findRequest: (own: Ctx) => Promise<CompanyRequest | undefined>,
): Promise<Redirect> {
  if (!(error instanceof AnswerRefused)) throw error;
  const code = codeOf(error);
  const tested = await unitOfWork(ctx.app, unitOptions(ctx), async (own) => {
    const request = await findRequest(own);
    if (!request?.isTest) return undefined;
    await storeResult(own, provider.id, {
      at: own.now.toISOString(),
      isTest: true,
      problem: code,
      detail: error.message,
      email: '',
      name: '',
      groups: [],
      role: null,
    });
    return request;
  });
  if (tested) return { location: tested.returnTo };
  throw await refused(ctx, 'company', code, error.message);
}
