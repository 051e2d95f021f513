// Loads text bundles: from local storage while they are fresh and of this build, else from /locales/{lng}/{ns}.json.
import type { BackendModule, ReadCallback, ResourceKey } from 'i18next';

/** R-I18N-04: a stored bundle is used for seven days. */
export const bundleLifeMs = 7 * 24 * 60 * 60 * 1000;
/** Prefix of the storage keys: i18next_res_zhTW-billing. */
const prefix = 'i18next_res_';

export type LocaleBackendOptions = {
  /** Content hash of this build: bundles of another build are not used. */
  readonly build: string;
  readonly store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly load: (url: string) => Promise<Response>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

type Stored = { texts: Record<string, string>; build: string; savedAt: number };

/** An i18next backend. Retries and the number of parallel reads are i18next's own (see i18n.ts). */
export function localeBackend(options: LocaleBackendOptions): BackendModule {
  return {
    type: 'backend',
    init: () => undefined,
    read(language: string, namespace: string, done: ReadCallback) {
      const key = `${prefix}${language}-${namespace}`;
      const stored = read(options, key);
      if (stored) return done(null, stored);
      fetchBundle(options, `/locales/${language}/${namespace}.json`).then(
        (texts) => {
          save(options, key, texts);
          done(null, texts);
        },
        // `true` as the second value asks i18next to try again; a bundle that is not there stays so.
        (problem: unknown) => done(problem instanceof Error ? problem : String(problem), !(problem instanceof MissingBundle)),
      );
    },
  };
}

class MissingBundle extends Error {}

async function fetchBundle(options: LocaleBackendOptions, url: string): Promise<Record<string, string>> {
  const answer = await options.load(`${url}?v=${options.build}`);
  if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) throw new MissingBundle(`${url}: ${answer.status}`);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const texts: unknown = await answer.json();
  if (!isTexts(texts)) throw new MissingBundle(`${url} is no text bundle`);
  return texts;
}

const isTexts = (value: unknown): value is Record<string, string> & ResourceKey =>
  typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string');

function read(options: LocaleBackendOptions, key: string): Record<string, string> | undefined {
  try {
    const stored = JSON.parse(options.store.getItem(key) ?? 'null') as Partial<Stored> | null;
    if (!stored || stored.build !== options.build || typeof stored.savedAt !== 'number' || !isTexts(stored.texts)) return undefined;
    const age = options.now() - stored.savedAt;
    return age >= 0 && age < bundleLifeMs ? stored.texts : undefined;
  } catch {
    // Storage that is forbidden or holds something else is as good as empty.
    return undefined;
  }
}

function save(options: LocaleBackendOptions, key: string, texts: Record<string, string>): void {
  const stored: Stored = { texts, build: options.build, savedAt: options.now() };
  try {
    options.store.setItem(key, JSON.stringify(stored));
  } catch {
    // Full or forbidden storage only costs a request next time.
    options.store.removeItem(key);
  }
}
