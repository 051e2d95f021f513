// What screens need to know about the menus. Separate from menu.ts, which is loaded with the very first page.
import { roles, type Role } from '#kernel/roles.ts';
import { linksOf, mayOpen, menuOf, plain, type NavItem } from './menu.ts';

/** The pages that a role may open, by label and without repeats: those of its menu and the unlisted ones. */
export function pagesOf(role: Role): readonly NavItem['label'][] {
  const every = roles.flatMap((each) => linksOf(menuOf(each)));
  return [...new Set(every.filter((item) => mayOpen(role, item.path)).map((item) => item.label))];
}

/** The entries from the top of the menu down to the path, including it; empty when the menu does not list it. */
export function breadcrumbTo(items: readonly NavItem[], path: string): readonly NavItem[] {
  for (const item of items) {
    if (item.type === 'link' && item.path === plain(path)) return [item];
    const below = breadcrumbTo(item.children ?? [], path);
    if (below.length > 0) return [item, ...below];
  }
  return [];
}
