// Handles the answers of SAML providers. The browser posts them from the provider's site, so it sends none of
// our cookies; a valid answer becomes a ticket, which our own page then exchanges for a session.
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { providerById, type Provider } from '#features/access/providers/server/index.ts';
import { federationErrors, type federation } from '../contract.ts';
import { safeReturnPath } from '../rules.ts';
import type { AcceptedAssertion } from '../rules-saml.ts';
import { accept, rejected, sentToPage, type Redirect, type Refusal } from './company-answer.ts';
import { limitAttempts } from './limit-attempts.ts';
import { unitOptions } from './open-identity.ts';
import { refused } from './refused.ts';
import { acceptAnswer } from './saml.ts';
import { claimAssertion, takeRequest } from './store-company.ts';

type Input = In<typeof federation.samlAcs>;

export const samlAcs = (ctx: Ctx, input: Input, reply: Reply): Promise<Redirect> =>
  sentToPage(counted(ctx, input, reply));

const counted = limitAttempts(receive);

async function receive(ctx: Ctx, input: Input, reply: Reply): Promise<Redirect> {
  const provider = await providerById(ctx.db, input.providerId);
  if (provider?.kind !== 'saml') throw domainError(federationErrors, 'federation.not_configured');
  const form = new URLSearchParams(reply.raw?.bytes.toString('utf8') ?? '');
  const [encoded = '', ...more] = form.getAll('SAMLResponse');
  if (encoded === '' || more.length > 0)
    throw await refused(ctx, 'company', 'federation.answer_refused', 'not one answer');
  const accepted = await acceptAnswer(ctx.app, provider, encoded, ctx.now).catch(async (error: unknown) =>
    rejected(ctx, provider, error, async (own) => {
      const requestId = requestIn(encoded);
      return requestId === undefined ? undefined : takeRequest(own, requestId, provider.id);
    }),
  );
  if ('location' in accepted) return accepted;
  const taken = await unitOfWork(ctx.app, unitOptions(ctx), (own) =>
    take(own, provider, accepted, safeReturnPath(form.get('RelayState'))),
  );
  if ('location' in taken) return taken;
  throw await refused(ctx, 'company', taken.code, taken.reason);
}

/** Marks an assertion as used, and uses up the request that it answers. */
async function take(
  ctx: Ctx,
  provider: Provider,
  accepted: AcceptedAssertion,
  relayState: string,
): Promise<Redirect | Refusal> {
  if (!(await claimAssertion(ctx, provider.id, accepted.assertionId, accepted.rememberUntil)))
    return { code: 'federation.answer_used', reason: `assertion ${accepted.assertionId} again` };
  const request =
    accepted.inResponseTo === null ? undefined : await takeRequest(ctx, accepted.inResponseTo, provider.id);
  if (!request && (accepted.inResponseTo !== null || !provider.allowsUnsolicited))
    return { code: 'federation.answer_unasked', reason: 'no sign-in waits for this answer' };
  return accept(ctx, provider, accepted.person, request, relayState);
}

/** The request id in a rejected answer: it is unguessable, so it identifies who began. */
function requestIn(encoded: string): string | undefined {
  const xml = Buffer.from(encoded, 'base64').toString('utf8');
  return /InResponseTo\s*=\s*["'](_[0-9a-f]{40})["']/.exec(xml)?.[1];
}
