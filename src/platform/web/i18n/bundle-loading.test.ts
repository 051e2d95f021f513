import { createInstance, type i18n } from 'i18next';
import ChainedBackend from 'i18next-chained-backend';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Language } from '#kernel/language.ts';
import { textSyntax } from '#kernel/translate.ts';
import { bundleLoading } from './bundle-loading.ts';

const week = 7 * 24 * 60 * 60 * 1000;
let stored: Map<string, string>;
let urls: string[];
/** What the server answers; undefined when it cannot be reached. */
let answer: (url: string) => Promise<Response | undefined>;
const json = (texts: object) => Promise.resolve(Response.json(texts));

beforeEach(() => {
  vi.useFakeTimers();
  stored = new Map();
  urls = [];
  vi.stubGlobal('window', {
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    },
  });
  vi.stubGlobal('fetch', async (url: string) => {
    urls.push(url);
    const response = await answer(url);
    if (!response) throw new TypeError('Failed to fetch');
    return response;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page that asks for namespaces, and waits for all of them. */
async function open(namespaces: string[], lng: Language = 'zhTW', build = 'b1'): Promise<i18n> {
  const page = createInstance().use(ChainedBackend);
  const arriving = page.init({ ...textSyntax(), ...bundleLoading(build), lng, ns: namespaces });
  await vi.runAllTimersAsync();
  await arriving;
  return page;
}

describe('R-I18N-04 text bundles', () => {
  it('come from the server once and then from local storage for seven days', async () => {
    answer = () => json({ 'a.b': urls.length === 1 ? '甲' : '乙' });
    expect((await open(['billing'])).t('a.b')).toBe('甲');
    expect(urls).toEqual(['/locales/zhTW/billing.json?v=b1']);
    expect([...stored.keys()]).toEqual(['i18next_res_zhTW-billing']);
    vi.advanceTimersByTime(week - 10_000);
    expect((await open(['billing'])).t('a.b')).toBe('甲');
    vi.advanceTimersByTime(10_000);
    expect((await open(['billing'])).t('a.b')).toBe('乙');
  });

  it('of another build are not used', async () => {
    answer = () => json({ 'a.b': '甲' });
    await open(['billing']);
    await open(['billing'], 'zhTW', 'b2');
    expect(urls).toHaveLength(2);
  });

  it('are tried again five times from 350 ms, doubling, after network loss and server faults', async () => {
    const begun = Date.now();
    const at: number[] = [];
    answer = () => {
      at.push(Date.now() - begun);
      return Promise.resolve(at.length % 2 === 0 ? new Response('', { status: 503 }) : undefined);
    };
    const page = await open(['billing']);
    const first = at[0] ?? 0;
    expect(at.map((moment) => moment - first)).toEqual([0, 350, 1050, 2450, 5250, 10_850]);
    expect(page.t('a.b')).toBe('a.b');
  });

  it('arrive when a later try succeeds', async () => {
    answer = () => (urls.length < 3 ? Promise.resolve(undefined) : json({ 'a.b': '甲' }));
    expect((await open(['billing'])).t('a.b')).toBe('甲');
  });

  it('at most ten are loaded at a time', async () => {
    let [now, most] = [0, 0];
    answer = async () => {
      most = Math.max(most, ++now);
      await new Promise((done) => setTimeout(done, 10));
      now--;
      return Response.json({ 'a.b': '甲' });
    };
    await open(Array.from({ length: 25 }, (_, index) => `n${index}`));
    expect(urls).toHaveLength(25);
    expect(most).toBe(10);
  });

  it('R-I18N-01 fall back to zhTW when a language lacks one', async () => {
    answer = (url) =>
      url.includes('enUS') ? Promise.resolve(new Response('', { status: 404 })) : json({ 'a.b': '甲' });
    expect((await open(['billing'], 'enUS')).t('a.b')).toBe('甲');
  });

  it('broken storage is as good as empty', async () => {
    answer = () => json({ 'a.b': '甲' });
    stored.set('i18next_res_zhTW-billing', '{broken');
    expect((await open(['billing'])).t('a.b')).toBe('甲');
  });
});
