// Resolves the addresses of text bundles: `zhTW/billing.json` is one bundle,
// `enUS+zhTW/billing+payments.json` several in one response.
import type { Texts } from '#kernel/text.ts';

/** The maximum number of namespaces, and of languages, in one address. Pages request at most ten bundles at a time. */
export const mostJoined = 10;

type TextsByNamespace = Readonly<Record<string, Texts>>;

/**
 * The response to `/locales/<languages>/<file>`: the texts of a single bundle, or, for joined names, those of
 * each language by namespace. Unknown names among joined ones are omitted, because a page can do without them
 * until its next request. Undefined when no name is known.
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
