import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { markChanged, refetchChanged } from './queries.ts';

/** A screen that shows a query of `key`; `answer` responds to its oldest open call. */
function show(cache: QueryClient, key: readonly string[]) {
  const open: ((value: string) => void)[] = [];
  const calls = vi.fn<() => Promise<string>>(() => new Promise<string>((resolve) => open.push(resolve)));
  const observer = new QueryObserver(cache, { queryKey: key, queryFn: calls, staleTime: 30_000 });
  return {
    calls,
    shown: () => observer.getCurrentResult().data,
    open: () => observer.subscribe(() => undefined),
    answer: async (value: string) => {
      await vi.waitFor(() => expect(open.length).toBeGreaterThan(0), 1000);
      open.shift()?.(value);
      await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(value), 1000);
    },
  };
}

describe('R-NOTE-03 changed data is fetched again', () => {
  it('even while the first response, which may be outdated, is in transit', async () => {
    const cache = new QueryClient();
    const screen = show(cache, ['billing', 'currentBill']);
    screen.open();
    const done = refetchChanged(cache, ['billing']);
    await screen.answer('before');
    await screen.answer('after');
    await done;
    expect(screen.calls).toHaveBeenCalledTimes(2);
  });

  it('once after the response, and nothing else', async () => {
    const cache = new QueryClient();
    const [screen, other] = [show(cache, ['billing', 'currentBill']), show(cache, ['usage', 'statistics'])];
    screen.open();
    other.open();
    await screen.answer('before');
    await other.answer('same');
    const done = refetchChanged(cache, ['billing']);
    await screen.answer('after');
    await done;
    expect([screen.calls, other.calls].map(({ mock }) => mock.calls.length)).toEqual([2, 1]);
  });

  it('when a screen shows it next, if none does now', async () => {
    const cache = new QueryClient();
    const screen = show(cache, ['billing', 'currentBill']);
    const close = screen.open();
    await screen.answer('before');
    close();
    markChanged(cache, ['billing']);
    expect(screen.calls).toHaveBeenCalledTimes(1);
    screen.open();
    await screen.answer('after');
    expect(screen.calls).toHaveBeenCalledTimes(2);
  });
});
