// The tools at the top right of every list: its saved views, its columns and its row height.
import BookmarkBorderOutlined from '~icons/ic/outline-bookmark-border';
import ViewColumnOutlined from '~icons/ic/outline-view-column';
import Stack from '@mui/material/Stack';
import { useContext } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import type { ChosenColumns } from './column-store.ts';
import type { Room } from './column-choice.ts';
import { DensityToggle } from './DensityToggle.tsx';
import { ListPartContext } from './list-slots.ts';
import type { Column } from './list-parts.ts';
import { PopoverButton } from './PopoverButton.tsx';
import type { TableViews } from './table-state.ts';

export type ListToolsProps<Row> = {
  readonly list: string;
  readonly columns: readonly Column<Row>[];
  readonly chosen: ChosenColumns;
  readonly room: Room;
  readonly views: TableViews;
  /** Whether the list's views are shown as tabs above it. */
  readonly hasTabs: boolean;
};

export function ListTools<Row>({ list, columns, chosen, room, views, hasTabs }: ListToolsProps<Row>) {
  const { t } = useTranslation('platform');
  const own = useContext(ListPartContext);
  return (
    <Stack direction="row" data-screen-only sx={{ gap: 0.5, alignItems: 'center' }}>
      {own && !hasTabs && (
        <PopoverButton label={t('table.views')} icon={<BookmarkBorderOutlined />}>
          {(close) => <own.Part part="menu" list={list} views={views} onClose={close} />}
        </PopoverButton>
      )}
      {own && columns.length > 2 && (
        <PopoverButton label={t('table.columns')} icon={<ViewColumnOutlined />}>
          {() => <own.Part part="columns" columns={columns} chosen={chosen} room={room} />}
        </PopoverButton>
      )}
      <DensityToggle />
    </Stack>
  );
}
