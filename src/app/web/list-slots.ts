// What lists get from columns of the house: saved views, which are somebody's own.
import { lazy } from 'react';
import { loadViewsMenu, loadViewTabs } from '#features/identity/web/index.ts';
import type { ListSlots } from '#platform/web/ui/list-slots.ts';

export const listSlots: ListSlots = {
  Tabs: lazy(async () => ({ default: await loadViewTabs() })),
  Menu: lazy(async () => ({ default: await loadViewsMenu() })),
};
