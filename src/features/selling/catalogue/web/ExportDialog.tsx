// Exports the list as a file: its format, the number of rows, and the filters.
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import type { In } from '#kernel/contract.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { ConfirmButtons } from '#platform/web/ui/ConfirmButtons.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { exportFormats, type catalogue } from '../contract.ts';
import { catalogueApi } from './api.ts';

type ExportDialogProps = {
  readonly filter: Omit<In<typeof catalogue.exportServices>, 'format' | 'language'>;
  readonly total: number;
  /** The filters as text; empty for the whole list. */
  readonly narrowedBy: readonly string[];
  readonly onClose: () => void;
};

export function ExportDialog({ filter, total, narrowedBy, onClose }: ExportDialogProps) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const language = useLanguage();
  const heading = useId();
  const [kind, setKind] = useState<(typeof exportFormats)[number]>('xlsx');
  const download = useDownload();
  const begin = (): void => {
    // The dialog closes immediately; a notification shows the download's progress.
    onClose();
    void download((options) => catalogueApi.exportServices({ ...filter, format: kind, language }, options));
  };
  return (
    <Modal
      open
      width="xs"
      title={t('catalogue.export_heading')}
      onClose={onClose}
      actions={
        <ConfirmButtons
          confirm={t('catalogue.export_button', { count: format.number(total) })}
          disabled={total === 0}
          onConfirm={begin}
          onClose={onClose}
        />
      }
    >
      <Stack sx={{ gap: 2 }}>
        <Typography variant="body2">
          {narrowedBy.length === 0
            ? t('catalogue.export_all', { count: format.number(total) })
            : t('catalogue.export_some', {
                count: format.number(total),
                filters: narrowedBy.join(t('catalogue.between')),
              })}
        </Typography>
        <FormControl>
          <FormLabel id={heading}>{t('catalogue.export_kind')}</FormLabel>
          <RadioGroup
            aria-labelledby={heading}
            value={kind}
            onChange={(_, next) => setKind(next === 'csv' ? 'csv' : 'xlsx')}
          >
            {/* used as: 'catalogue.export_as_*' */}
            {exportFormats.toReversed().map((one) => (
              <FormControlLabel
                key={one}
                value={one}
                control={<Radio />}
                label={t(`catalogue.export_as_${one}`)}
              />
            ))}
          </RadioGroup>
        </FormControl>
        <Typography variant="caption" color="textSecondary">
          {t('catalogue.export_back')}
        </Typography>
      </Stack>
    </Modal>
  );
}
