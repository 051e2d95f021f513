import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { countChange, LastSeen } from '#platform/server/database/seen.ts';
import { createTestConsole } from '../support/console.ts';

const { app } = await createTestConsole();

// Both clocks of it stand still but for what a test lets pass.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());
const inSecondHalf = (): void => void vi.advanceTimersByTime(51);

/** A reading that is answered when the test says so. */
function answered<T>(): { promise: Promise<T>; answer: (value: T) => void; fail: (error: Error) => void } {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  return { promise, answer: resolve, fail: reject };
}

/** What was answered has arrived. */
const settled = async (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

it('what was read is used until something may have changed', async () => {
  const seen = new LastSeen<string>(app);
  expect(seen.value()).toBeUndefined();
  await seen.read(async () => 'first');
  expect(seen.value()).toBe('first');
  countChange(app);
  expect(seen.value()).toBeUndefined();
  await seen.read(async () => 'second');
  vi.advanceTimersByTime(101);
  expect(seen.value()).toBeUndefined();
});

it('is renewed once in its second half, while everybody goes on with what is there', async () => {
  const seen = new LastSeen<string>(app);
  const reading = answered<string>();
  let asked = 0;
  const renew = (): void => seen.renewInTime(async () => (asked++, reading.promise));
  renew();
  await seen.read(async () => 'first');
  renew();
  expect(asked).toBe(0);
  inSecondHalf();
  renew();
  renew();
  expect([asked, seen.value()]).toEqual([1, 'first']);
  reading.answer('second');
  await settled();
  expect(seen.value()).toBe('second');
});

it('is not what it was renewed to when something changed meanwhile, and a failure leaves what is there', async () => {
  const seen = new LastSeen<string>(app);
  await seen.read(async () => 'first');
  inSecondHalf();
  const reading = answered<string>();
  seen.renewInTime(async () => reading.promise);
  countChange(app);
  reading.answer('from before the change');
  await settled();
  expect(seen.value()).toBeUndefined();
  await seen.read(async () => 'second');
  inSecondHalf();
  const failing = answered<string>();
  seen.renewInTime(async () => failing.promise);
  failing.fail(new Error('planted'));
  await settled();
  expect(seen.value()).toBe('second');
});
