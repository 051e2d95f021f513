import { describe, expect, it } from 'vitest';
import { bundleLifeMs, bundleLoader } from './text-bundles.ts';

type Answer = () => Response | Promise<Response>;
function app(answer: (url: string, call: number) => Answer | undefined) {
  const memory = new Map<string, string>();
  const urls: string[] = [];
  const pauses: number[] = [];
  const clock = { now: 1_000_000 };
  const loader = (build: string) =>
    bundleLoader({
      build,
      store: {
        getItem: (key) => memory.get(key) ?? null,
        setItem: (key, value) => void memory.set(key, value),
        removeItem: (key) => void memory.delete(key),
      },
      fetch: async (url) => {
        urls.push(url);
        const make = answer(url, urls.length);
        if (!make) throw new TypeError('no network');
        return make();
      },
      now: () => clock.now,
      pause: (ms) => {
        pauses.push(ms);
        return Promise.resolve();
      },
    });
  return { load: loader('b1'), loader, urls, memory, pauses, clock };
}
const json = (texts: unknown) => () => Response.json(texts);
const status = (code: number) => () => new Response('', { status: code });

describe('R-I18N-04 text bundles', () => {
  it('come from the server once and then from local storage for seven days', async () => {
    const { load, urls, memory, clock } = app((_url, call) => json({ a: call === 1 ? '甲' : '乙' }));
    expect(await load('zhTW', 'billing')).toEqual({ a: '甲' });
    expect(urls).toEqual(['/locales/zhTW/billing.json?v=b1']);
    expect([...memory.keys()]).toEqual(['i18next_res_zhTW-billing']);
    clock.now += bundleLifeMs - 1;
    expect(await load('zhTW', 'billing')).toEqual({ a: '甲' });
    clock.now += 1;
    expect(await load('zhTW', 'billing')).toEqual({ a: '乙' });
  });

  it('of another build are not used', async () => {
    const { load, loader, urls } = app(() => json({ a: '甲' }));
    await load('zhTW', 'billing');
    await loader('b2')('zhTW', 'billing');
    expect(urls).toHaveLength(2);
  });

  it('are tried again five times from 350 ms, doubling, after network loss and server faults', async () => {
    const { load, urls, pauses } = app((_url, call) => (call % 2 === 0 ? status(503) : undefined));
    await expect(load('zhTW', 'billing')).rejects.toThrow();
    expect(pauses).toEqual([350, 700, 1400, 2800, 5600]);
    expect(urls).toHaveLength(6);
  });

  it('arrive when a later try succeeds', async () => {
    const { load, pauses } = app((_url, call) => (call < 3 ? undefined : json({ a: '甲' })));
    expect(await load('zhTW', 'billing')).toEqual({ a: '甲' });
    expect(pauses).toEqual([350, 700]);
  });

  it('at most ten are loaded at a time', async () => {
    let [now, most] = [0, 0];
    const gates: (() => void)[] = [];
    const { load } = app(() => async () => {
      most = Math.max(most, ++now);
      await new Promise<void>((open) => gates.push(open));
      now--;
      return Response.json({ a: '甲' });
    });
    const all = Promise.all(Array.from({ length: 25 }, (_, index) => load('zhTW', `n${index}`)));
    while (gates.length > 0 || now > 0) {
      gates.shift()?.();
      await new Promise((turn) => setImmediate(turn));
    }
    expect(await all).toHaveLength(25);
    expect(most).toBe(10);
  });

  it('R-I18N-01 fall back to zhTW when a language lacks one', async () => {
    const { load, pauses } = app((url) => (url.includes('enUS') ? status(404) : json({ a: '甲' })));
    expect(await load('enUS', 'billing')).toEqual({ a: '甲' });
    expect(pauses).toEqual([]);
  });

  it('broken storage is as good as empty', async () => {
    const { load, memory } = app(() => json({ a: '甲' }));
    memory.set('i18next_res_zhTW-billing', '{broken');
    expect(await load('zhTW', 'billing')).toEqual({ a: '甲' });
  });
});
