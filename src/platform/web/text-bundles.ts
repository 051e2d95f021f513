// Loads text bundles: from local storage while they are fresh and of this build, else from /locales/{lng}/{ns}.json.
import { defaultLanguage, type Language } from '#kernel/language.ts';
import type { Texts } from '#kernel/text.ts';

/** R-I18N-04: a stored bundle is used for seven days; a load is tried again 5 times from 350 ms, doubling; 10 loads at a time. */
export const bundleLifeMs = 7 * 24 * 60 * 60 * 1000;
const mostRetries = 5;
const firstPauseMs = 350;
const mostParallel = 10;
/** Prefix of the storage keys: i18next_res_zhTW-billing. */
const prefix = 'i18next_res_';

export type BundleApp = {
  /** Content hash of this build: bundles of another build are not used. */
  readonly build: string;
  readonly store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly fetch: (url: string) => Promise<Response>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
};

/** Loads one bundle; a language that lacks it is answered with the default language's. Throws when neither can be had. */
export type LoadBundle = (language: Language, namespace: string) => Promise<Texts>;

type Stored = { texts: Texts; build: string; savedAt: number };

class MissingBundle extends Error {}

/** Makes the loader of a browser tab. */
export function bundleLoader(app: BundleApp): LoadBundle {
  let running = 0;
  const waiting: (() => void)[] = [];

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= mostParallel) await new Promise<void>((go) => waiting.push(go));
    running++;
    try {
      return await work();
    } finally {
      running--;
      waiting.shift()?.();
    }
  };

  const load: LoadBundle = async (language, namespace) => {
    const key = `${prefix}${language}-${namespace}`;
    const stored = read(app, key);
    if (stored) return stored;
    try {
      const texts = await patiently(app, () =>
        inTurn(() => fetchBundle(app, `/locales/${language}/${namespace}.json?v=${app.build}`)),
      );
      save(app, key, texts);
      return texts;
    } catch (problem) {
      if (problem instanceof MissingBundle && language !== defaultLanguage)
        return load(defaultLanguage, namespace);
      throw problem;
    }
  };
  return load;
}

/** Tries again after network loss and faults of the server; a bundle that is not there stays so. */
async function patiently(app: BundleApp, attempt: () => Promise<Texts>): Promise<Texts> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt();
    } catch (problem) {
      if (problem instanceof MissingBundle || retry === mostRetries) throw problem;
      await app.pause(firstPauseMs * 2 ** retry);
    }
  }
}

async function fetchBundle(app: BundleApp, url: string): Promise<Texts> {
  const answer = await app.fetch(url);
  if (answer.status >= 400 && answer.status < 500 && answer.status !== 429)
    throw new MissingBundle(`${url}: ${answer.status}`);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const texts: unknown = await answer.json();
  if (!isTexts(texts)) throw new MissingBundle(`${url} is no text bundle`);
  return texts;
}

const isTexts = (value: unknown): value is Texts =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((text) => typeof text === 'string');

function read(app: BundleApp, key: string): Texts | undefined {
  try {
    const stored = JSON.parse(app.store.getItem(key) ?? 'null') as Partial<Stored> | null;
    if (!stored || stored.build !== app.build || typeof stored.savedAt !== 'number' || !isTexts(stored.texts))
      return undefined;
    const age = app.now() - stored.savedAt;
    return age >= 0 && age < bundleLifeMs ? stored.texts : undefined;
  } catch {
    // Storage that is forbidden or holds something else is as good as empty.
    return undefined;
  }
}

function save(app: BundleApp, key: string, texts: Texts): void {
  const stored: Stored = { texts, build: app.build, savedAt: app.now() };
  try {
    app.store.setItem(key, JSON.stringify(stored));
  } catch {
    // Full or forbidden storage only costs a request next time.
  }
}
