// An answer that all pages share, those before sign-in too: asked for by the first that wants it, and again when it is old.
import { useEffect } from 'react';
import { create } from 'zustand';
import { isWorthRetrying } from './api-error.ts';
import { nowMs } from './clock.ts';
import { useReach } from './reach.ts';

type Known<T> = { readonly data: T | undefined; readonly error: Error | null; readonly isPending: boolean };
/** In the form of a query: `isPending` until there is an answer, or a failure that asking again did not mend. */
export type Asked<T> = Known<T> & { readonly refetch: () => void };

const lifeMs = 10 * 60_000;
const mostRetries = 2;

/** `const status = askedOnce(askStatus)`; `status.use()` in components, `status.again()` when it has changed: that answers what is known then. */
export function askedOnce<T>(ask: () => Promise<T>): {
  readonly use: () => Asked<T>;
  readonly again: () => Promise<Known<T>>;
} {
  const useAnswer = create<Known<T>>()(() => ({ data: undefined, error: null, isPending: true }));
  let answeredAt = -Infinity;
  let asking: Promise<void> | undefined;

  const share = (): Promise<void> => {
    asking ??= patiently(ask)
      .then(
        (data) => {
          answeredAt = nowMs();
          useAnswer.setState({ data, error: null, isPending: false });
        },
        // What was known stays.
        (error: unknown) =>
          useAnswer.setState({
            error: error instanceof Error ? error : new Error(String(error)),
            isPending: false,
          }),
      )
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };
  const again = async (): Promise<Known<T>> => {
    // What is under way may have been answered before the change.
    await asking;
    await share();
    return useAnswer.getState();
  };

  // Nobody answered, and now somebody does again.
  useReach.subscribe((now, before) => {
    if (before.isLost && !now.isLost && answeredAt === -Infinity && !useAnswer.getState().isPending)
      void share();
  });

  return {
    again,
    use() {
      useEffect(() => {
        if (nowMs() - answeredAt > lifeMs) void share();
      }, []);
      return { ...useAnswer(), refetch: () => void share() };
    },
  };
}

async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await ask();
    } catch (error) {
      if (retry === mostRetries || !isWorthRetrying(error)) throw error;
      await new Promise((done) => setTimeout(done, 1000 * 2 ** retry));
    }
  }
}
