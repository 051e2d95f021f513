import { describe, expect, it } from 'vitest';
import { bundleLifeMs, localeBackend } from './locale-backend.ts';

function world(answers: (() => Response)[]) {
  const memory = new Map<string, string>();
  const urls: string[] = [];
  const clock = { now: 1_000_000 };
  const make = (build: string) =>
    localeBackend({
      build,
      store: { getItem: (key) => memory.get(key) ?? null, setItem: (key, value) => void memory.set(key, value), removeItem: (key) => void memory.delete(key) },
      load: (url) => {
        urls.push(url);
        const answer = answers.shift();
        return answer ? Promise.resolve(answer()) : Promise.reject(new Error('no network'));
      },
      now: () => clock.now,
    });
  const read = (build = 'b1', namespace = 'billing') =>
    new Promise<[unknown, unknown]>((resolve) => make(build).read('zhTW', namespace, (problem, data) => resolve([problem, data])));
  return { read, urls, memory, clock };
}
const json = (texts: unknown) => () => Response.json(texts);

describe('R-I18N-04 text bundles', () => {
  it('come from the server once and then from local storage for seven days', async () => {
    const { read, urls, memory, clock } = world([json({ a: '甲' }), json({ a: '乙' })]);
    expect(await read()).toEqual([null, { a: '甲' }]);
    expect(urls).toEqual(['/locales/zhTW/billing.json?v=b1']);
    expect([...memory.keys()]).toEqual(['i18next_res_zhTW-billing']);
    clock.now += bundleLifeMs - 1;
    expect(await read()).toEqual([null, { a: '甲' }]);
    clock.now += 1;
    expect(await read()).toEqual([null, { a: '乙' }]);
  });

  it('of another build are not used', async () => {
    const { read } = world([json({ a: '甲' }), json({ a: '丙' })]);
    await read('b1');
    expect(await read('b2')).toEqual([null, { a: '丙' }]);
  });

  it('ask for a retry on network loss and server errors, not on a missing bundle', async () => {
    const { read } = world([() => new Response('', { status: 503 }), () => new Response('', { status: 404 })]);
    expect((await read())[1]).toBe(true);
    expect((await read())[1]).toBe(false);
    expect((await read())[1]).toBe(true);
  });

  it('broken storage is as good as empty', async () => {
    const { read, memory } = world([json({ a: '甲' })]);
    memory.set('i18next_res_zhTW-billing', '{broken');
    expect(await read()).toEqual([null, { a: '甲' }]);
  });
});
