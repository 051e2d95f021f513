// What a refused outside sign-in leaves behind: an audit row with the reason, and one answer that tells no more than needed.
import { errors } from 'jose';
import { Refusal, refuse } from '#kernel/refusal.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { OutboundFailure } from '#platform/server/outbound/outbound.ts';
import { work } from '#platform/server/unit-of-work/work.ts';
import { federationErrors, type ExternalIdentity } from '../contract.ts';

type Code = keyof typeof federationErrors;

/** Notes a refusal in the audit log and answers it, to be thrown. `reason` never holds anything of a token. */
export async function refused(
  ctx: Ctx,
  source: ExternalIdentity['source'],
  code: Code,
  reason: string,
): Promise<Refusal> {
  await work(ctx.world, { actor: ctx.actor, requestId: ctx.requestId }, async (own) =>
    own.note('federation.refused', undefined, { source, code, reason }),
  );
  return refuse(federationErrors, code);
}

/** The refusal of a token that could not be checked: the provider's fault (503) or the token's own (401). */
export async function unverified(
  ctx: Ctx,
  source: ExternalIdentity['source'],
  error: unknown,
): Promise<Refusal> {
  if (error instanceof Refusal) return error;
  if (error instanceof OutboundFailure) {
    ctx.world.log.warn(
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
