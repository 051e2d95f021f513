// The texts of one tab: which language is on, which bundles are there, and the sentence for a key.
import type { Language } from '#kernel/language.ts';
import { interpolate, type TextParams, type Texts } from '#kernel/text.ts';
import { kept } from './kept.ts';
import type { LoadBundle } from './text-bundles.ts';

export type TextTable = {
  readonly language: () => Language;
  /** Loads everything in use in the other language first and then switches at once: nothing flickers. */
  readonly change: (next: Language) => Promise<void>;
  /** The promise that the bundle is there, for React's `use`: always the same one, and readable at once when it is kept. */
  readonly ready: (namespace: string) => Promise<void>;
  /** The sentence from the first of the namespaces that has it; undefined when none has. */
  readonly find: (
    language: Language,
    namespaces: readonly string[],
    key: string,
    params?: TextParams,
  ) => string | undefined;
  /** Whether a namespace could not be loaded, after all tries. */
  readonly hasFailed: (namespace: string) => boolean;
  readonly subscribe: (notify: () => void) => () => void;
};

/** Makes the table. `built` are texts that travel with the code. */
export function createTexts(
  first: Language,
  load: LoadBundle,
  built: Record<Language, Record<string, Texts>>,
): TextTable {
  let language = first;
  const bundles = new Map<string, Texts>();
  const promises = new Map<string, Promise<void>>();
  const failed = new Set<string>();
  const listeners = new Set<() => void>();
  const name = (one: Language, namespace: string): string => `${one} ${namespace}`;
  for (const [one, namespaces] of Object.entries(built)) {
    for (const [namespace, texts] of Object.entries(namespaces))
      bundles.set(name(one as Language, namespace), texts);
  }
  const notify = () => {
    for (const listener of listeners) listener();
  };

  const ready = (one: Language, namespace: string): Promise<void> => {
    const key = name(one, namespace);
    const known = promises.get(key);
    if (known) return known;
    const promise = bundles.has(key)
      ? Promise.resolve()
      : load(one, namespace).then(
          (texts) => void bundles.set(key, texts),
          () => {
            // The screen shows keys instead of nothing; the frame's own loss is shown by hasFailed.
            bundles.set(key, {});
            failed.add(key);
            notify();
          },
        );
    promises.set(key, bundles.has(key) ? kept(promise, undefined) : promise);
    // What is kept needs no second render: `use` reads it at once.
    void promise.then(() => kept(promise, undefined));
    return promises.get(key) ?? promise;
  };

  return {
    language: () => language,
    async change(next) {
      if (next === language) return;
      const inUse = [...bundles.keys()]
        .filter((key) => key.startsWith(`${language} `))
        .map((key) => key.slice(language.length + 1));
      await Promise.all(inUse.map((namespace) => ready(next, namespace)));
      language = next;
      notify();
    },
    ready: (namespace) => ready(language, namespace),
    find(one, namespaces, key, params) {
      for (const namespace of namespaces) {
        const sentence = bundles.get(name(one, namespace))?.[key];
        if (sentence !== undefined) return interpolate(sentence, params);
      }
      return undefined;
    },
    hasFailed: (namespace) => failed.has(name(language, namespace)),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
