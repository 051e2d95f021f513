// A panel with something that cannot be shown again, such as the secret of a key.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { SidePanel, type SidePanelProps } from './SidePanel.tsx';

/** `news`: what was done, one line each. */
export function HandOver({
  title,
  width = 640,
  news,
  onClose,
  children,
}: Pick<SidePanelProps, 'title' | 'width' | 'onClose' | 'children'> & { readonly news: readonly string[] }) {
  const { t } = useTranslation('platform');
  return (
    <SidePanel
      open
      title={title}
      width={width}
      onClose={onClose}
      footer={
        <Button variant="contained" onClick={onClose}>
          {t('ui.done')}
        </Button>
      }
    >
      <Stack sx={{ gap: 3 }}>
        {news.length > 0 && (
          <Alert severity="success">
            {news.map((line) => (
              <Box component="span" key={line} sx={{ display: 'block', overflowWrap: 'anywhere' }}>
                {line}
              </Box>
            ))}
          </Alert>
        )}
        {children}
      </Stack>
    </SidePanel>
  );
}

/** One of the values with its name, and notes below it. */
export function HandedOver({
  label,
  note,
  children,
}: {
  readonly label: string;
  readonly note?: string;
  readonly children: ReactNode;
}) {
  return (
    <Box>
      <Typography variant="subtitle2" component="p" sx={{ marginBottom: 0.5 }}>
        {label}
      </Typography>
      {children}
      {note !== undefined && (
        <Typography variant="body2" color="textSecondary" sx={{ marginTop: 1 }}>
          {note}
        </Typography>
      )}
    </Box>
  );
}
