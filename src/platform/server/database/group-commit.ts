// Group commit: calls that arrive while others are being committed share the next transaction.
import { setImmediate as nextTurn } from 'node:timers/promises';
import DataLoader from 'dataloader';
import pLimit from 'p-limit';
import { asError } from '../system-error.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

// While one group is committed the next one is prepared. With more at once each would be smaller, and they would wait for each other's rows.
const groupsAtOnce = 2;
const largestGroup = 100;

/**
 * Makes a function that hands calls to `record` in groups; `record` answers each call at its own place. When a group fails, its calls
 * are recorded one by one, so that a fault of one call is answered to its own caller only; all of them when there is no database.
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
      // A group is closed when a slot is free; until then calls go on joining it.
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
