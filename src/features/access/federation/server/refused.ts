// Records a rejected external sign-in in the audit log with its reason, and gives the client one answer
// without details.
import { errors } from 'jose';
import { DomainError, domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { OutboundFailure } from '#platform/server/outbound/outbound.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { federationErrors, type ExternalIdentity } from '../contract.ts';

type Code = keyof typeof federationErrors;

/**
 * Records a rejected sign-in in the audit log and returns the error to throw. `reason` must never contain
 * parts of a token.
 */
export async function refused(
  ctx: Ctx,
  source: ExternalIdentity['source'],
  code: Code,
  reason: string,
): Promise<DomainError> {
  await unitOfWork(ctx.app, { actor: ctx.actor, requestId: ctx.requestId }, async (own) =>
    own.audit('federation.refused', undefined, { source, code, reason }),
  );
  return domainError(federationErrors, code);
}

/**
 * The error for a token that could not be verified: 503 when the provider failed, 401 when the token is
 * invalid.
 */
export async function unverified(
  ctx: Ctx,
  source: ExternalIdentity['source'],
  error: unknown,
): Promise<DomainError> {
  if (error instanceof DomainError) return error;
  if (error instanceof OutboundFailure) {
    ctx.app.log.warn(
      { requestId: ctx.requestId, source, reason: error.message },
      'a sign-in provider does not answer as it should',
    );
    return refused(
      ctx,
      source,
      source === 'google' ? 'federation.google_unavailable' : 'federation.provider_unavailable',
      error.message,
    );
  }
  if (error instanceof errors.JOSEError) {
    const claim = error instanceof errors.JWTClaimValidationFailed ? ` ${error.claim}` : '';
    return refused(ctx, source, 'federation.token_refused', `${error.code}${claim}`);
  }
  throw error;
}
