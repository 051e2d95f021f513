// The side panel of one record that an Admin manages: its details, and below them the buttons that change and
// delete it. Deleting asks first; the form replaces the details while it is open.
import Button from '@mui/material/Button';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Lines, QueryState } from './QueryState.tsx';
import { SidePanel } from './SidePanel.tsx';

type Deletion = {
  readonly title: string;
  readonly consequences: readonly string[];
  readonly confirmLabel: string;
  /** Rejects when the call failed; the dialog then stays open. */
  readonly onConfirm: () => Promise<unknown>;
};

export function RecordPanel<T extends { readonly name: string }>({
  query,
  title,
  width = 860,
  editor,
  deletion,
  onClose,
  children,
}: {
  readonly query: UseQueryResult<T>;
  /** Shown until the record and its name are loaded. */
  readonly title: string;
  readonly width?: number;
  readonly editor: (record: T, onEnd: () => void) => ReactNode;
  readonly deletion: (record: T) => Deletion;
  readonly onClose: () => void;
  readonly children: (record: T) => ReactNode;
}) {
  const { t } = useTranslation('platform');
  const [doing, setDoing] = useState<'edit' | 'delete'>();
  const record = query.data;
  const stop = (): void => setDoing(undefined);
  if (doing === 'edit' && record) return editor(record, stop);
  const asked = record && deletion(record);
  return (
    <SidePanel
      open
      title={record?.name ?? title}
      width={width}
      onClose={onClose}
      footer={
        record && (
          <>
            <Button
              aria-haspopup="dialog"
              color="error"
              onClick={() => setDoing('delete')}
              sx={{ marginInlineEnd: 'auto' }}
            >
              {asked?.confirmLabel}
            </Button>
            <Button aria-haspopup="dialog" variant="contained" onClick={() => setDoing('edit')}>
              {t('ui.edit_settings')}
            </Button>
          </>
        )
      }
    >
      <QueryState query={query} skeleton={<Lines count={10} />}>
        {children}
      </QueryState>
      {asked && (
        <ConfirmDialog
          open={doing === 'delete'}
          title={asked.title}
          consequences={asked.consequences}
          confirmLabel={asked.confirmLabel}
          tone="danger"
          onConfirm={asked.onConfirm}
          onClose={stop}
        />
      )}
    </SidePanel>
  );
}
