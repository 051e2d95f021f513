// Handles the redirect back from OpenID providers that Admins added, with the authorization code in the URL.
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { providerById } from '#features/access/providers/server/index.ts';
import { federationErrors, type federation } from '../contract.ts';
import { AnswerRefused } from './answer-refused.ts';
import { accept, rejected, sentToPage, type Redirect } from './company-answer.ts';
import { acceptCode } from './company-oidc.ts';
import { limitAttempts } from './limit-attempts.ts';
import { unitOptions } from './open-identity.ts';
import { refused } from './refused.ts';
import { takeRequest } from './store-company.ts';

type Input = In<typeof federation.oidcCallback>;

export const oidcCallback = (ctx: Ctx, input: Input, reply: Reply): Promise<Redirect> =>
  sentToPage(counted(ctx, input, reply));

const counted = limitAttempts(receive);

async function receive(ctx: Ctx, input: Input): Promise<Redirect> {
  const provider = await providerById(ctx.db, input.providerId);
  if (provider?.kind !== 'oidc') throw domainError(federationErrors, 'federation.not_configured');
  const request = await unitOfWork(ctx.app, unitOptions(ctx), (own) =>
    takeRequest(own, input.state ?? '', provider.id),
  );
  if (!request)
    throw await refused(ctx, 'company', 'federation.answer_unasked', 'no sign-in waits for this answer');
  const person = await personIn(ctx, input, provider, request.verifier).catch(async (error: unknown) =>
    rejected(ctx, provider, error, async () => request),
  );
  if ('location' in person) return person;
  const taken = await unitOfWork(ctx.app, unitOptions(ctx), (own) =>
    accept(own, provider, person, request, request.returnTo),
  );
  if ('location' in taken) return taken;
  throw await refused(ctx, 'company', taken.code, taken.reason);
}

async function personIn(
  ctx: Ctx,
  input: Input,
  provider: NonNullable<Awaited<ReturnType<typeof providerById>>>,
  verifier: string,
) {
  if (input.error !== undefined)
    throw new AnswerRefused(`${input.error} ${input.error_description ?? ''}`.trim().slice(0, 300), {
      status: true,
    });
  // The answer comes from another issuer (RFC 9207).
  if (input.iss !== undefined && input.iss !== provider.entityId) throw new AnswerRefused('another issuer');
  if (input.code === undefined) throw new AnswerRefused('no code');
  return acceptCode(ctx.app, provider, { code: input.code, verifier }, ctx.now);
}
