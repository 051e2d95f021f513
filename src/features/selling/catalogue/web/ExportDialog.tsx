// Exports the list as a file: its format, the number of rows, and the filters.
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { In } from '#kernel/contract.ts';
import { RadioBox } from '#platform/web/form/RadioBox.tsx';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { ActionDialog } from '#platform/web/ui/ActionDialog.tsx';
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
  const [kind, setKind] = useState<(typeof exportFormats)[number]>('xlsx');
  const download = useDownload();
  const begin = (): void => {
    // The dialog closes immediately; a notification shows the download's progress.
    onClose();
    void download((options) => catalogueApi.exportServices({ ...filter, format: kind, language }, options));
  };
  return (
    <ActionDialog
      width="xs"
      title={t('catalogue.export_heading')}
      confirm={t('catalogue.export_button', { count: format.number(total) })}
      disabled={total === 0}
      onConfirm={begin}
      onClose={onClose}
    >
      <Typography variant="body2">
        {narrowedBy.length === 0
          ? t('catalogue.export_all', { count: format.number(total) })
          : t('catalogue.export_some', {
              count: format.number(total),
              filters: narrowedBy.join(t('catalogue.between')),
            })}
      </Typography>
      {/* used as: 'catalogue.export_as_*' */}
      <RadioBox
        label={t('catalogue.export_kind')}
        value={kind}
        options={exportFormats
          .toReversed()
          .map((one) => ({ value: one, label: t(`catalogue.export_as_${one}`) }))}
        onChange={setKind}
      />
      <Typography variant="caption" color="textSecondary">
        {t('catalogue.export_back')}
      </Typography>
    </ActionDialog>
  );
}
