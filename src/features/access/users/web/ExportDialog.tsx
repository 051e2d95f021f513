// Exports the list as a file: its format, the exact number of rows, and the active filters.
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { In } from '#kernel/contract.ts';
import { exportFormats, type users } from '../contract.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { ConfirmButtons } from '#platform/web/ui/ConfirmButtons.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
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
  const heading = useId();
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
    <Modal
      open
      title={t('users.export_heading')}
      onClose={onClose}
      actions={
        <ConfirmButtons
          // While they are counted, the button is about as wide: the one beside it does not move.
          confirm={
            total === 0
              ? t('users.export')
              : t('users.export_button', { count: total === undefined ? '…' : format.number(total) })
          }
          disabled={!total}
          onConfirm={begin}
          onClose={onClose}
        />
      }
    >
      <Stack sx={{ gap: 2 }}>
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
        <FormControl>
          <FormLabel id={heading}>{t('users.export_kind')}</FormLabel>
          <RadioGroup
            aria-labelledby={heading}
            value={kind}
            onChange={(_, next) => setKind(next === 'csv' ? 'csv' : 'xlsx')}
          >
            {/* used as: 'users.export_as_*' */}
            {exportFormats.toReversed().map((one) => (
              <FormControlLabel
                key={one}
                value={one}
                control={<Radio />}
                label={t(`users.export_as_${one}`)}
              />
            ))}
          </RadioGroup>
        </FormControl>
        <Typography variant="caption" color="textSecondary">
          {t('users.export_logged')}
        </Typography>
      </Stack>
    </Modal>
  );
}
