// Takes the answers of identity providers. A browser posts them from the provider's site, so no cookie of ours
// comes along; a good answer becomes a ticket, which our own page then takes to a session.
import type { In, Out } from '#kernel/contract.ts';
import { DomainError, domainError } from '#kernel/errors.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { randomSecret } from '#features/access/identity/server/index.ts';
import { roleOfGroups } from '#features/access/providers/rules.ts';
import { providerById, storeResult, type Provider } from '#features/access/providers/server/index.ts';
import { federationErrors, federationPaths, type federation } from '../contract.ts';
import { safeReturnPath } from '../rules.ts';
import { companyTicketMinutes, type AcceptedAssertion, type SamlPerson } from '../rules-saml.ts';
import { limitAttempts } from './limit-attempts.ts';
import { unitOptions } from './open-identity.ts';
import { refused } from './refused.ts';
import { acceptAnswer, SamlRefused } from './saml.ts';
import { claimAssertion, insertTicket, takeRequest } from './store-company.ts';

type Input = In<typeof federation.samlAcs>;
type Answer = Out<typeof federation.samlAcs>;

/** Answers always by sending the browser to a page: people see a sentence, never JSON. */
export async function samlAcs(ctx: Ctx, input: Input, reply: Reply): Promise<Answer> {
  try {
    return await counted(ctx, input, reply);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { location: `${federationPaths.company}?problem=${encodeURIComponent(error.code)}` };
  }
}

const counted = limitAttempts(receive);

async function receive(ctx: Ctx, input: Input, reply: Reply): Promise<Answer> {
  const provider = await providerById(ctx.db, input.providerId);
  if (!provider) throw domainError(federationErrors, 'federation.not_configured');
  const form = new URLSearchParams(reply.raw?.bytes.toString('utf8') ?? '');
  const encoded = form.getAll('SAMLResponse');
  if (encoded.length !== 1) throw await refused(ctx, 'saml', 'federation.answer_refused', 'no answer');
  const accepted = await acceptAnswer(ctx.app, provider, encoded[0] ?? '', ctx.now).catch(
    async (error: unknown) => failed(ctx, provider, encoded[0] ?? '', error),
  );
  if ('location' in accepted) return accepted;
  const taken = await unitOfWork(ctx.app, unitOptions(ctx), (own) =>
    take(own, provider, accepted, safeReturnPath(form.get('RelayState'))),
  );
  if ('location' in taken) return taken;
  throw await refused(ctx, 'saml', taken.code, taken.reason);
}

type Code = keyof typeof federationErrors;
type Refusal = { readonly code: Code; readonly reason: string };

/** Remembers an answer as used, and keeps it as a ticket for its browser, or as the result of a test. */
async function take(
  ctx: Ctx,
  provider: Provider,
  accepted: AcceptedAssertion,
  relayState: string,
): Promise<Answer | Refusal> {
  if (!(await claimAssertion(ctx, provider.id, accepted.assertionId, accepted.rememberUntil)))
    return { code: 'federation.answer_used', reason: `assertion ${accepted.assertionId} again` };
  const request =
    accepted.inResponseTo === null ? undefined : await takeRequest(ctx, accepted.inResponseTo, provider.id);
  if (!request && (accepted.inResponseTo !== null || !provider.allowsUnsolicited))
    return { code: 'federation.answer_unasked', reason: 'no sign-in waits for this answer' };
  if (request?.isTest) {
    await storeTest(ctx, provider, accepted.person);
    return { location: request.returnTo };
  }
  if (!provider.isActive) return { code: 'federation.not_configured', reason: 'the provider is off' };
  const secret = randomSecret();
  await insertTicket(
    ctx,
    sha256(secret),
    {
      ...accepted.person,
      providerId: provider.id,
      browserHash: request?.browserHash ?? null,
      returnTo: request?.returnTo ?? relayState,
    },
    new Date(ctx.now.getTime() + companyTicketMinutes * 60_000),
  );
  // The part behind # reaches no server and no log.
  return { location: `${federationPaths.company}#${secret}` };
}

async function storeTest(ctx: Ctx, provider: Provider, person: SamlPerson): Promise<void> {
  const role = roleOfGroups(person.groups, provider.groups, provider.defaultRole) ?? null;
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

/**
 * An answer that was refused. Whoever began it as a test, which its unguessable request shows, sees the reason
 * at the provider; nobody else learns more than that it was refused.
 */
async function failed(ctx: Ctx, provider: Provider, encoded: string, error: unknown): Promise<Answer> {
  if (!(error instanceof SamlRefused)) throw error;
  const code: Code = error.isStatus
    ? 'federation.provider_refused'
    : error.isLate
      ? 'federation.answer_late'
      : 'federation.answer_refused';
  const requestId = /InResponseTo\s*=\s*["'](_[0-9a-f]{40})["']/.exec(
    Buffer.from(encoded, 'base64').toString('utf8'),
  )?.[1];
  const tested =
    requestId !== undefined &&
    (await unitOfWork(ctx.app, unitOptions(ctx), async (own) => {
      const request = await takeRequest(own, requestId, provider.id);
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
    }));
  if (tested) return { location: tested.returnTo };
  throw await refused(ctx, 'saml', code, error.message);
}
