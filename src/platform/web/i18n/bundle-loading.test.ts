import { createInstance, type i18n } from 'i18next';
import ChainedBackend from 'i18next-chained-backend';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Language } from '#kernel/language.ts';
import { textSyntax } from '#kernel/translate.ts';
import { bundleLoading, joiningMs } from './bundle-loading.ts';

const week = 7 * 24 * 60 * 60 * 1000;
let stored: Map<string, string>;
let urls: string[];
/** The server’s response; undefined when it cannot be reached. */
let answer: (url: string) => Promise<Response | undefined>;
const json = (texts: object) => Promise.resolve(Response.json(texts));
/** The languages and namespaces of an address. */
const named = (url: string): [string[], string[]] => {
  const [, languages = '', namespaces = ''] = /^\/locales\/([^/]+)\/([^/]+)\.json\?v=\w+$/.exec(url) ?? [];
  return [languages.split('+'), namespaces.split('+')];
};
/** The server’s response to joined names: the same texts in each existing bundle. */
const joined = (url: string, exists: (language: string, namespace: string) => boolean = () => true) => {
  const [languages, namespaces] = named(url);
  const texts = (lng: string) =>
    namespaces.filter((ns) => exists(lng, ns)).map((ns) => [ns, { [`${ns}.b`]: `${lng} ${ns}` }] as const);
  return json(
    Object.fromEntries(
      languages
        .map((lng) => [lng, Object.fromEntries(texts(lng))] as const)
        .filter(([, held]) => Object.keys(held).length > 0),
    ),
  );
};

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

/** A page that requests namespaces, and waits for all of them. */
async function open(namespaces: string[], lng: Language = 'zhTW', build = 'b1'): Promise<i18n> {
  const page = createInstance().use(ChainedBackend);
  const arriving = page.init({ ...textSyntax(), ...bundleLoading(build), lng, ns: namespaces });
  await vi.runAllTimersAsync();
  await arriving;
  return page;
}

describe('R-I18N-04 text bundles', () => {
  it('are loaded from the server once and then from local storage for seven days', async () => {
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

  it('are retried five times from 350 ms, doubling, after network loss and server errors', async () => {
    const begun = Date.now();
    const at: number[] = [];
    answer = () => {
      at.push(Date.now() - begun);
      return Promise.resolve(at.length % 2 === 0 ? new Response('', { status: 503 }) : undefined);
    };
    const page = await open(['billing']);
    const first = at[0] ?? 0;
    // Each attempt also waits for others to join it.
    const pauses = at.map((moment, tries) => moment - first - tries * joiningMs);
    expect(pauses).toEqual([0, 350, 1050, 2450, 5250, 10_850]);
    expect(joiningMs).toBeLessThanOrEqual(5);
    expect(page.t('a.b')).toBe('a.b');
  });

  it('are complete when a later attempt succeeds', async () => {
    answer = () => (urls.length < 3 ? Promise.resolve(undefined) : json({ 'a.b': '甲' }));
    expect((await open(['billing'])).t('a.b')).toBe('甲');
  });

  it('are loaded ten at a time at most', async () => {
    let [now, most] = [0, 0];
    answer = async (url) => {
      const { length } = named(url)[1];
      most = Math.max(most, (now += length));
      await new Promise((done) => setTimeout(done, 10));
      now -= length;
      return joined(url);
    };
    const namespaces = Array.from({ length: 25 }, (_, index) => `n${index}`);
    const page = await open(namespaces);
    expect(urls.flatMap((url) => named(url)[1])).toEqual(namespaces);
    expect(most).toBe(10);
    expect(urls).toHaveLength(3);
    expect(page.t('n24.b', { ns: 'n24' })).toBe('zhTW n24');
  });

  it('that are requested together are loaded in one request, and each is cached by itself', async () => {
    answer = (url) => joined(url);
    const page = await open(['billing', 'payments'], 'enUS');
    expect(urls).toEqual(['/locales/enUS+zhTW/billing+payments.json?v=b1']);
    expect(page.t('payments.b', { ns: 'payments' })).toBe('enUS payments');
    expect([...stored.keys()].toSorted()).toEqual(
      ['enUS', 'zhTW'].flatMap((lng) => ['billing', 'payments'].map((ns) => `i18next_res_${lng}-${ns}`)),
    );
    // None of the cached ones is requested again.
    const next = await open(['billing', 'payments', 'books'], 'enUS');
    expect(urls.slice(1)).toEqual(['/locales/enUS+zhTW/books.json?v=b1']);
    expect(next.t('books.b', { ns: 'books' })).toBe('enUS books');
  });

  it('that parts of a page request one after another within a moment are joined', async () => {
    answer = (url) => joined(url);
    const page = await open(['app']);
    const parts = ['billing', 'payments', 'books'].map(async (part) => {
      await Promise.resolve();
      await page.loadNamespaces(part);
    });
    await vi.runAllTimersAsync();
    await Promise.all(parts);
    expect(urls.slice(1)).toEqual(['/locales/zhTW/billing+payments+books.json?v=b1']);
  });

  it('that the server does not have do not affect the others', async () => {
    answer = (url) => joined(url, (_, namespace) => namespace !== 'nothing');
    const page = await open(['billing', 'nothing', 'payments']);
    expect(['billing', 'payments'].map((ns) => page.t(`${ns}.b`, { ns }))).toEqual([
      'zhTW billing',
      'zhTW payments',
    ]);
    // The next page requests it again: this response may have been an older console’s.
    answer = () => json({ 'nothing.b': '有' });
    const next = await open(['billing', 'nothing', 'payments']);
    expect(urls.slice(1)).toEqual(['/locales/zhTW/nothing.json?v=b1']);
    expect(next.t('nothing.b', { ns: 'nothing' })).toBe('有');
  });

  it('of a joined request are all retried', async () => {
    answer = (url) => (urls.length < 3 ? Promise.resolve(new Response('', { status: 503 })) : joined(url));
    const page = await open(['billing', 'payments']);
    expect(new Set(urls)).toEqual(new Set(['/locales/zhTW/billing+payments.json?v=b1']));
    expect(urls).toHaveLength(3);
    expect(page.t('payments.b', { ns: 'payments' })).toBe('zhTW payments');
  });

  it('R-I18N-01 fall back to zhTW when a language lacks one', async () => {
    answer = (url) => joined(url, (language) => language !== 'enUS');
    const page = await open(['billing', 'payments'], 'enUS');
    expect(page.t('payments.b', { ns: 'payments' })).toBe('zhTW payments');
  });

  it('work with broken storage as with an empty one', async () => {
    answer = () => json({ 'a.b': '甲' });
    stored.set('i18next_res_zhTW-billing', '{broken');
    expect((await open(['billing'])).t('a.b')).toBe('甲');
  });
});
