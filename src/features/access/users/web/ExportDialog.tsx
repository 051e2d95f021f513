// Exports the list as a file: its format, the exact number of rows, and the active filters.
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { In } from '#kernel/contract.ts';
import { exportFormats, type users } from '../contract.ts';
import { RadioBox } from '#platform/web/form/RadioBox.tsx';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { ActionDialog } from '#platform/web/ui/ActionDialog.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { usersApi, usersQueries } from './api.ts';

type ExportDialogProps = {
  readonly filter: Omit<In<typeof users.exportUsers>, 'format' | 'language'>;
  /** The filters as texts; empty for the whole list. */
  readonly narrowedBy: readonly string[];
  readonly onClose: () => void;
};

export function ExportDialog({ filter, narrowedBy, onClose }: ExportDialogProps) {
  const { t } = useTranslation('users');
  const format = useFormat();
  const language = useLanguage();
  const [kind, setKind] = useState<(typeof exportFormats)[number]>('xlsx');
  const download = useDownload();
  const { sort: _sort, ...withoutSort } = filter;
  // The list counts search results only up to a limit; the export shows the exact number.
  const count = useQuery({ ...usersQueries.countUsers(withoutSort), staleTime: 0 });
  const total = count.data?.total;
  const begin = (): void => {
    // The dialog closes immediately; a notification shows the download's progress.
    onClose();
    void download((options) => usersApi.exportUsers({ ...filter, format: kind, language }, options));
  };
  return (
    <ActionDialog
      title={t('users.export_heading')}
      // While they are counted, the button is about as wide: the one beside it does not move.
      confirm={
        total === 0
          ? t('users.export')
          : t('users.export_button', { count: total === undefined ? '…' : format.number(total) })
      }
      disabled={!total}
      onConfirm={begin}
      onClose={onClose}
    >
      <QueryState query={count} skeleton={<Lines count={1} />}>
        {({ total: rows }) => (
          <Typography variant="body2">
            {narrowedBy.length === 0
              ? t('users.export_all', { count: format.number(rows) })
              : t('users.export_some', {
                  count: format.number(rows),
                  filters: narrowedBy.join(t('users.between')),
                })}
          </Typography>
        )}
      </QueryState>
      {/* used as: 'users.export_as_*' */}
      <RadioBox
        label={t('users.export_kind')}
        value={kind}
        options={exportFormats
          .toReversed()
          .map((one) => ({ value: one, label: t(`users.export_as_${one}`) }))}
        onChange={setKind}
      />
      <Typography variant="caption" color="textSecondary">
        {t('users.export_logged')}
      </Typography>
    </ActionDialog>
  );
}
