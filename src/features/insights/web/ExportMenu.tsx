// The explored figures as a file: CSV, Excel, or every charge in the columns of FOCUS.
import FileDownloadOutlined from '@mui/icons-material/FileDownloadOutlined';
import Button from '@mui/material/Button';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import type { In } from '#kernel/contract.ts';
import { exportFormats, type insights } from '#features/insights/contract.ts';
import { useLanguage } from '#platform/web/i18n.ts';
import { useDownload } from '#platform/web/use-download.ts';
import { insightsApi } from './api.ts';
import { useInsightsTexts } from './texts.ts';

export type ExportMenuProps = { readonly asked: Omit<In<typeof insights.exportUsage>, 'format' | 'language'>; readonly disabled: boolean };

export function ExportMenu({ asked, disabled }: ExportMenuProps) {
  const t = useInsightsTexts();
  const language = useLanguage();
  const download = useDownload();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const take = (format: (typeof exportFormats)[number]): void => {
    setAnchor(null);
    void download((options) => insightsApi.exportUsage({ ...asked, format, language }, options));
  };
  return (
    <>
      <Button variant="contained" startIcon={<FileDownloadOutlined />} disabled={disabled} aria-haspopup="menu" aria-expanded={anchor !== null} onClick={(event) => setAnchor(event.currentTarget)} data-screen-only>{t('insights.export')}</Button>
      {anchor && (
        <Menu anchorEl={anchor} open onClose={() => setAnchor(null)}>
          {exportFormats.map((format) => (
            <MenuItem key={format} onClick={() => take(format)}>
              {/* used as: 'insights.export_*' */}
              <ListItemText primary={t(`insights.export_${format}`)} secondary={t(`insights.export_${format}_hint`)} slotProps={{ primary: { variant: 'body2' }, secondary: { variant: 'caption' } }} />
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
}
