// The palette's groups: pinned and recent entries while nothing is typed, otherwise the matches.
import { useState } from 'react';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLayoutStore } from '#platform/web/shell/layout-store.ts';
import { menuOf } from '../../menu.ts';
import { useActions } from './actions.ts';
import { pageEntries, type Entry, type EntryKind } from './entries.ts';
import { useFoundRecords } from './found-records.ts';
import { fitting, fold } from './match.ts';
import { usePins } from './pins.ts';
import { recentOnes, type Recent } from './recent.ts';

export type Group = { readonly name: 'pinned' | 'recent' | EntryKind; readonly entries: readonly Entry[] };

/** Records come last, because they load later and must not move entries that are already shown. */
const order = [
  'pages',
  'actions',
  'services',
  'bills',
  'users',
  'organizations',
] as const satisfies readonly EntryKind[];
const recordIcons = {
  services: 'services',
  bills: 'receipt',
  users: 'person',
  organizations: 'users',
  pages: 'dashboard',
  actions: 'link',
} as const;

export function usePaletteEntries(typed: string): {
  readonly groups: readonly Group[];
  readonly isSearching: boolean;
  readonly hasFailed: boolean;
} {
  const { t } = useTranslation('palette');
  const user = useAuthStore((auth) => (auth.isAuthenticated ? auth.user : null));
  const hasKeys = useLayoutStore((layout) => layout.shortcuts);
  const pins = usePins();
  const actions = useActions();
  const found = useFoundRecords(typed);
  // Read once, because choosing an entry closes the palette.
  const [recent] = useState(recentOnes);
  const pages = user ? pageEntries(menuOf(user), t) : [];
  const known = [...pages, ...actions].map((entry) =>
    hasKeys || !entry.keys ? entry : { ...entry, keys: undefined },
  );
  const groups =
    fold(typed) === ''
      ? atFirst(
          known,
          pins.pages.map(({ path }) => path),
          recent,
        )
      : inKinds([...fitting(typed, known), ...found.entries]);
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    isSearching: fold(typed) !== '' && found.isSearching,
    hasFailed: found.hasFailed,
  };
}

/** Pinned, then recent, then all others, each once. */
function atFirst(
  known: readonly Entry[],
  pinned: readonly string[],
  recent: readonly Recent[],
): readonly Group[] {
  const pins = pinned.flatMap((path) => known.find(({ id }) => id === path) ?? []);
  const last = recent.flatMap((one): readonly Entry[] => {
    if (pinned.includes(one.id)) return [];
    const entry = known.find(({ id }) => id === one.id);
    if (entry) return [entry];
    // A page that the role has lost is not in the menu, so it is dropped.
    return one.to === undefined
      ? []
      : [{ ...one, to: one.to, icon: recordIcons[one.kind], names: [one.label] }];
  });
  const shown = new Set([...pins, ...last].map(({ id }) => id));
  return [
    { name: 'pinned', entries: pins },
    { name: 'recent', entries: last },
    ...inKinds(known.filter(({ id }) => !shown.has(id))),
  ];
}

const inKinds = (entries: readonly Entry[]): readonly Group[] =>
  order.map((name) => ({ name, entries: entries.filter(({ kind }) => kind === name) }));

/** The stored form of an entry: only the id of a page or action, so that its name follows the language. */
export function asRecent({ id, kind, label, to }: Entry): Recent {
  return { id, kind, label, ...(to !== undefined && kind !== 'pages' && { to }) };
}
