// What lists get from columns of the house: views and chosen columns, which are somebody's own.
import { lazy } from 'react';
import { loadListParts } from '#features/identity/web/index.ts';
import type { ListSlots } from '#platform/web/ui/list-slots.ts';

export const listSlots: ListSlots = {
  Tabs: lazy(async () => ({ default: (await loadListParts()).ViewTabs })),
  Menu: lazy(async () => ({ default: (await loadListParts()).ViewsMenu })),
  Columns: lazy(async () => ({ default: (await loadListParts()).ColumnChooser })),
};
