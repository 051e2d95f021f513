// Counts rejected tokens per IP address like wrong passwords (reliability.md 2.A-12).
import { DomainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { beginAttempt } from '#features/access/signin/server/index.ts';

/** Wraps an API call so that a rejected token (401) counts as a failed sign-in; other errors do not. */
export function limitAttempts<Input, Answer>(
  verb: (ctx: Ctx, input: Input, reply: Reply) => Promise<Answer>,
): (ctx: Ctx, input: Input, reply: Reply) => Promise<Answer> {
  return async (ctx, input, reply) => {
    const attempt = await beginAttempt(ctx.app, { address: reply.address });
    try {
      const answer = await verb(ctx, input, reply);
      await attempt.good();
      return answer;
    } catch (error) {
      await (error instanceof DomainError && error.status === 401 ? attempt.failed() : attempt.undone());
      throw error;
    }
  };
}
