// Cached reads: one statement for simultaneous requests, and never an answer older than the last change.
import { expect, it } from 'vitest';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { createTestConsole } from '../support/console.ts';
import { batchedReads, cachedReads, ttlCache } from '#platform/server/database/cached-reads.ts';

const { app } = await createTestConsole();
const change = () => unitOfWork(app, { actor: { kind: 'system', name: 'test' } }, async () => undefined);

it('concurrent reads are one statement, and its result is used until a transaction ends', async () => {
  const loads: (readonly string[])[] = [];
  const reads = cachedReads(async (_app, keys) => {
    loads.push(keys);
    return keys.map((key) => `${key}${loads.length}`);
  });
  expect(await Promise.all(['a', 'b', 'a'].map((key) => reads(app).load(key)))).toEqual(['a1', 'b1', 'a1']);
  await change();
  expect(await reads(app).load('a')).toBe('a2');
  expect(loads).toEqual([['a', 'b'], ['a']]);
});

it('a result read before a change is not used after it', async () => {
  const before = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const answers = [before.promise, 'after'];
  const reads = cachedReads(async () => {
    begun.resolve();
    return [await (answers.shift() ?? 'none')];
  });
  const first = reads(app).load('key');
  await begun.promise;
  await change();
  before.resolve('before');
  expect(await first).toBe('before');
  expect(await reads(app).load('key')).toBe('after');

  const cache = ttlCache<string>();
  const duringRead = cache(app);
  await change();
  duringRead.set('key', 'before');
  expect(cache(app).get('key')).toBeUndefined();
});

it('a failed read is repeated', async () => {
  const answers = [new Error('planted'), undefined];
  const reads = cachedReads(async (_app, keys) => {
    const error = answers.shift();
    if (error) throw error;
    return keys;
  });
  await expect(reads(app).load('key')).rejects.toThrow('planted');
  expect(await reads(app).load('key')).toBe('key');
});

it('concurrent uncached reads are one statement, and later ones read again', async () => {
  const statements: (readonly string[])[] = [];
  const reads = batchedReads(async (_app, keys) => {
    statements.push(keys);
    return keys.map((key) => `${key}${statements.length}`);
  });
  expect(await Promise.all(['a', 'b', 'a'].map((key) => reads(app).load(key)))).toEqual(['a1', 'b1', 'a1']);
  expect(await reads(app).load('a')).toBe('a2');
  expect(statements).toEqual([['a', 'b'], ['a']]);
});
