// A component that is rendered before its texts are loaded suspends, and React then hides everything around
// it. A screen that is loaded together with its components lists the texts of all of them where it is loaded;
// this test scans its imports for the texts that they use.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const src = path.resolve(import.meta.dirname, '../src');
/** Loaded with every screen. */
const always = ['app', 'platform', 'connection'];
/** Texts of components that are shown only when they are opened, or in a sandbox: they are loaded with those. */
const openedLater: Readonly<Record<string, readonly string[]>> = {
  './screens/CloudServices.tsx': ['catalogue'],
  './PortalServices.tsx': ['catalogue'],
  './dashboards/AdminDashboard.tsx': ['administration'],
};
const publicApi = /\/web\/(parts|index)\.ts$/;

const resolved = (from: string, named: string): string | undefined =>
  named.startsWith('#')
    ? path.join(src, named.slice(1))
    : named.startsWith('.')
      ? path.resolve(path.dirname(from), named)
      : undefined;
const namesIn = (braces: string): string[] =>
  braces
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.split(' as ')[0] ?? name);

/** The namespaces that a file and its imports use; for a public API, only those of the named exports. */
function textsOf(file: string, wanted: readonly string[], seen: Set<string>): string[] {
  const source = readFileSync(file, 'utf8');
  if (publicApi.test(file))
    return [...source.matchAll(/^export \{([^}]*)\} from '([^']+)';/gm)].flatMap(
      ([, braces = '', from = '']) =>
        namesIn(braces).some((name) => wanted.includes(name))
          ? textsOf(resolved(file, from) ?? '', [], seen)
          : [],
    );
  if (seen.has(file)) return [];
  seen.add(file);
  const own = [...source.matchAll(/\buseTranslation\('(\w+)'\)/g)].map(([, namespace = '']) => namespace);
  const imported = [...source.matchAll(/^import (?!type )([^';]*?)from '([^']+)';/gm)].flatMap(
    ([, names = '', from = '']) => {
      const next = resolved(file, from);
      return next && /\.tsx?$/.test(next)
        ? textsOf(next, namesIn(/\{([^}]*)\}/.exec(names)?.[1] ?? ''), seen)
        : [];
    },
  );
  return [...own, ...imported];
}

const loaded = ['composed-screens.tsx', 'operator-screens.tsx', 'embed/embedded-screens.tsx'].flatMap(
  (name) => {
    const file = path.join(src, 'app/web', name);
    return [
      ...readFileSync(file, 'utf8').matchAll(/withTexts\(\s*import\('([^']+)'\),\s*((?:'\w+',?\s*)+)\)/g),
    ].map(([, screen = '', texts = '']) => ({
      screen,
      file: resolved(file, screen) ?? '',
      named: [...texts.matchAll(/'(\w+)'/g)].map(([, namespace = '']) => namespace),
    }));
  },
);

describe('R-I18N-04 the texts of a screen', () => {
  it('are declared for screens with parts of several features', () => {
    expect(loaded.map(({ screen }) => screen)).toEqual(
      expect.arrayContaining(['./screens/Bills.tsx', './screens/AdminBilling.tsx', './PortalBills.tsx']),
    );
  });
  it.each(loaded)('$screen declares the texts of all its parts', ({ screen, file, named }) => {
    const used = textsOf(file, [], new Set());
    expect(used).not.toEqual([]);
    const known = [...named, ...always, ...(openedLater[screen] ?? [])];
    expect([...new Set(used)].filter((namespace) => !known.includes(namespace))).toEqual([]);
  });
});
