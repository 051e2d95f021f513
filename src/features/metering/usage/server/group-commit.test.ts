// Group commit: which calls share a transaction, and that an error affects only its own call.
import { expect, it } from 'vitest';
import { groupCommit } from './group-commit.ts';
import { DatabaseUnavailable } from '#platform/server/database/unavailable.ts';

/** Records groups whose end the test controls. */
function recorder() {
  const groups: { calls: readonly string[]; end: () => void }[] = [];
  const record = async (calls: readonly string[]): Promise<string[]> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    groups.push({ calls, end: resolve });
    await promise;
    if (calls.includes('bad')) throw new Error(`planted in ${calls.join()}`);
    return calls.map((call) => `${call}!`);
  };
  const group = async (index: number) => {
    await expect.poll(() => groups[index]?.calls).toBeDefined();
    return groups[index] ?? { calls: [], end: () => undefined };
  };
  return { groups, group, record };
}

it('calls that arrive while two groups are recorded are the next one', async () => {
  const { groups, group, record } = recorder();
  const add = groupCommit(record, () => undefined);
  const first = [add('a'), add('b')];
  expect((await group(0)).calls).toEqual(['a', 'b']);
  const second = add('c');
  expect((await group(1)).calls).toEqual(['c']);
  const third = [add('d'), add('e')];
  (await group(0)).end();
  expect((await group(2)).calls).toEqual(['d', 'e']);
  expect(groups).toHaveLength(3);
  for (const { end } of groups) end();
  expect(await Promise.all([...first, second, ...third])).toEqual(['a!', 'b!', 'c!', 'd!', 'e!']);
});

it('an error of one call affects only that call', async () => {
  const failed: number[] = [];
  const add = groupCommit(
    async (calls: readonly string[]) => {
      if (calls.includes('bad')) throw new Error('planted');
      return calls;
    },
    (_error, size) => failed.push(size),
  );
  expect(await Promise.allSettled(['a', 'bad', 'c'].map(add))).toMatchObject([
    { value: 'a' },
    { reason: { message: 'planted' } },
    { value: 'c' },
  ]);
  expect(failed).toEqual([3]);
});

it('an unavailable database is queried once for all of them, not once each', async () => {
  let asked = 0;
  const add = groupCommit(
    async () => {
      asked++;
      throw new DatabaseUnavailable('planted');
    },
    () => undefined,
  );
  expect(await Promise.allSettled(['a', 'b', 'c'].map(add))).toMatchObject(
    Array(3).fill({ reason: { message: 'planted' } }),
  );
  expect(asked).toBe(1);
});
