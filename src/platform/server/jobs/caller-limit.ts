// Limits how many of an expensive call one caller may run concurrently.
import { DomainError } from '#kernel/errors.ts';
import { callerOf, type Actor } from '../unit-of-work/ctx.ts';

export type CallerLimit = { readonly run: <T>(actor: Actor, work: () => Promise<T>) => Promise<T> };

const retryAfterSeconds = 2;

/** Counts the running calls of each caller and rejects those beyond `atOnce` (429). Without a limit everything runs. */
export function limitPerCaller(atOnce: number | undefined): CallerLimit {
  const running = new Map<string, number>();
  return {
    run: async (actor, work) => {
      if (atOnce === undefined) return work();
      const caller = callerOf(actor);
      const others = running.get(caller) ?? 0;
      if (others >= atOnce)
        throw new DomainError('platform.too_many_requests', 429, { retryAfter: retryAfterSeconds });
      running.set(caller, others + 1);
      try {
        return await work();
      } finally {
        const left = (running.get(caller) ?? 1) - 1;
        if (left > 0) running.set(caller, left);
        else running.delete(caller);
      }
    },
  };
}
