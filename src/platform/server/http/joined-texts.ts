// What an address of texts means: `zhTW/billing.json` is a bundle, `enUS+zhTW/billing+payments.json` several in one answer.
import type { Texts } from '#kernel/text.ts';

/** The most namespaces, and the most languages, of one address. Pages ask for at most ten bundles at a time. */
export const mostJoined = 10;

type TextsByNamespace = Readonly<Record<string, Texts>>;

/**
 * The answer to `/locales/<languages>/<file>`: a bundle's own texts, or for joined names those of each language by namespace.
 * Of joined names those that are not known are left out, as a page can do without them until it asks again.
 * Undefined when nothing of it is known.
 */
export function textsAt(
  find: (language: string, namespace: string) => Texts | undefined,
  languages: string,
  file: string,
): Texts | Readonly<Record<string, TextsByNamespace>> | undefined {
  if (!file.endsWith('.json')) return undefined;
  const names = file.slice(0, -'.json'.length);
  if (!languages.includes('+') && !names.includes('+')) return find(languages, names);
  const [lngs, namespaces] = [partsOf(languages), partsOf(names)];
  if (lngs.length > mostJoined || namespaces.length > mostJoined) return undefined;
  const known = lngs.flatMap((language) => {
    const tables = namespaces.flatMap((namespace) => {
      const texts = find(language, namespace);
      return texts ? [[namespace, texts] as const] : [];
    });
    return tables.length > 0 ? [[language, Object.fromEntries(tables)] as const] : [];
  });
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

const partsOf = (joined: string): string[] => [...new Set(joined.split('+'))];
