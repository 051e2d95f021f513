// The palette's entries besides records: the pages of the role's menu, each with its names in both languages.
import type { MenuIcon, NavItem } from '../../menu.ts';
import { goKeys } from './go-keys.ts';
import { inBoth, type PaletteKey } from './in-both.ts';

export const entryKinds = ['pages', 'actions', 'services', 'bills', 'users', 'organizations'] as const;
export type EntryKind = (typeof entryKinds)[number];

export type Entry = {
  /** Stable, and unique among all entries. */
  readonly id: string;
  readonly kind: EntryKind;
  readonly label: string;
  /** Distinguishes entries with the same name. */
  readonly detail?: string;
  readonly icon: MenuIcon | ActionIcon;
  /** The names to search, the displayed one first. */
  readonly names: readonly string[];
  /** The keys of the shortcut for it. */
  readonly keys?: readonly string[];
  /** The path it opens, or the action it runs. */
  readonly to?: string;
  readonly act?: () => void;
};
export type ActionIcon =
  | 'theme'
  | 'language'
  | 'full-screen'
  | 'density'
  | 'link'
  | 'pin'
  | 'shortcuts'
  | 'logout'
  | 'home'
  | 'login'
  | 'register';

/** Synonyms for pages. */
const otherWords: Readonly<Record<string, PaletteKey>> = {
  '/billing/management': 'palette.words_own_bills',
  '/admin/einvoices': 'palette.words_einvoices',
  '/admin/billing': 'palette.words_bills',
  '/billing/dashboard': 'palette.words_billing',
  '/dashboard': 'palette.words_billing',
  '/usage/statistics': 'palette.words_usage',
  '/user/profile': 'palette.words_account',
  '/admin/account': 'palette.words_account',
  '/admin/user-management': 'palette.words_users',
};

type Translated = (key: PaletteKey) => string;

/** The links of a menu, including those in groups, each with the name of its group. */
export function pageEntries(items: readonly NavItem[], t: Translated, group?: NavItem): readonly Entry[] {
  return items.flatMap((item): readonly Entry[] => {
    if (item.type === 'group') return pageEntries(item.children ?? [], t, item);
    const letter = goKeys[item.path];
    const words = otherWords[item.path];
    return [
      {
        id: item.path,
        kind: 'pages',
        label: t(item.label),
        icon: item.icon,
        to: item.path,
        names: [
          t(item.label),
          ...inBoth(item.label),
          ...(group ? inBoth(group.label) : []),
          ...(words ? inBoth(words) : []),
          item.path,
        ],
        ...(group && { detail: t(group.label) }),
        ...(letter !== undefined && { keys: ['G', letter.toUpperCase()] }),
      },
    ];
  });
}
