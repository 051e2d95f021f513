// Group commit: calls that arrive while others are being committed share the next transaction.
import { setImmediate as nextTurn } from 'node:timers/promises';
import DataLoader from 'dataloader';
import pLimit from 'p-limit';
import { asError } from '#kernel/errors.ts';
import { isDatabaseUnavailable } from '#platform/server/database/unavailable.ts';

// While one group commits, the next is prepared. More concurrent groups would be smaller and wait for each
// other's row locks.
const groupsAtOnce = 2;
const largestGroup = 100;

/**
 * Returns a function that passes calls to `record` in groups; `record` returns the result of each call at its
 * own position. When a group fails, its calls are recorded one by one, so that the fault of one call reaches
 * only its own caller; when the database is unavailable, all of them fail.
 */
export function groupCommit<C, R>(
  record: (calls: readonly C[]) => Promise<readonly R[]>,
  onFailedGroup: (error: unknown, size: number) => void,
): (call: C) => Promise<R> {
  const slots = pLimit(groupsAtOnce);
  let lastGroup: Promise<readonly (R | Error)[]> = Promise.resolve([]);

  async function recordGroup(calls: readonly C[]): Promise<readonly (R | Error)[]> {
    try {
      return await record(calls);
    } catch (error) {
      // Without a database each of them would fail by itself, one after the other.
      if (calls.length === 1 || isDatabaseUnavailable(error)) return calls.map(() => asError(error));
      onFailedGroup(error, calls.length);
      const results: (R | Error)[] = [];
      for (const call of calls) results.push(...(await recordGroup([call])));
      return results;
    }
  }

  const loader = new DataLoader<C, R>(
    (calls) => {
      lastGroup = recordGroup(calls);
      return lastGroup;
    },
    {
      cache: false,
      maxBatchSize: largestGroup,
      // A group is closed when a slot is free; until then further calls join it.
      batchScheduleFn: (dispatch) =>
        void slots(async () => {
          await nextTurn();
          dispatch();
          await lastGroup;
        }),
    },
  );
  return (call) => loader.load(call);
}
