import { afterEach, expect, it, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { askedOnce } from './asked.ts';
import { noteReach } from './reach.ts';

afterEach(() => {
  vi.useRealTimers();
  noteReach(true);
});

/** A console that answers when the test says so, one question after the other. */
function slowly<T>() {
  const asked: { readonly answer: (data: T) => void; readonly fail: (error: Error) => void }[] = [];
  const ask = (): Promise<T> => new Promise((answer, fail) => void asked.push({ answer, fail }));
  return { asked, ask };
}
const failure = (status: number, code: string): ApiError => new ApiError({ status, code, message: code });

it('what is asked again is asked after the change, once for all who say so', async () => {
  const { asked, ask } = slowly<string>();
  const status = askedOnce(ask);
  const before = status.again();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const after = Promise.all([status.again(), status.again()]);
  asked[0]?.answer('before the change');
  expect(await before).toEqual({ data: 'before the change', error: null, isPending: false });
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.answer('after it');
  expect((await after).map(({ data }) => data)).toEqual(['after it', 'after it']);
  expect(asked).toHaveLength(2);
});

it('a failure is told, and leaves what was known', async () => {
  const answers = [
    Promise.resolve('known'),
    Promise.reject(failure(403, 'auth.forbidden')),
    Promise.resolve('known anew'),
  ];
  answers[1]?.catch(() => undefined);
  const status = askedOnce(() => answers.shift() ?? Promise.resolve('more than was asked'));
  await status.again();
  expect(await status.again()).toMatchObject({
    data: 'known',
    error: { code: 'auth.forbidden' },
    isPending: false,
  });
  expect(await status.again()).toEqual({ data: 'known anew', error: null, isPending: false });
});

it('asks three times, after one second and two more, where asking again may help', async () => {
  vi.useFakeTimers();
  const at: number[] = [];
  const status = askedOnce(async () => {
    at.push(Date.now());
    throw failure(503, 'platform.unavailable');
  });
  const told = status.again();
  await vi.runAllTimersAsync();
  expect(await told).toMatchObject({
    data: undefined,
    error: { code: 'platform.unavailable' },
    isPending: false,
  });
  expect(at.map((moment) => moment - (at[0] ?? 0))).toEqual([0, 1000, 3000]);
});

it('asks when the console answers again, if it never did', async () => {
  const { asked, ask } = slowly<string>();
  const status = askedOnce(ask);
  const told = status.again();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  noteReach(false);
  asked[0]?.fail(failure(400, 'nobody there'));
  await told;
  noteReach(true);
  expect(asked).toHaveLength(2);
  asked[1]?.answer('here');
  // The answer has arrived; what is known needs no second asking.
  await new Promise((done) => void setImmediate(done));
  noteReach(false);
  noteReach(true);
  expect(asked).toHaveLength(2);
});
