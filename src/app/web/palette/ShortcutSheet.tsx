// The list of all shortcuts (`?`): of the whole console, lists and charts, the pages of the user's menu, and
// the inbox.
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLayoutStore } from '#platform/web/shell/layout-store.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { linksOf, mayOpen, menuOf } from '../../menu.ts';
import { goKeys } from './go-keys.ts';
import { Keys } from './Keys.tsx';
import { paletteKeys } from './palette-keys.ts';

export function ShortcutSheet({
  role,
  open,
  onClose,
}: {
  readonly role: string;
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('palette');
  const { shortcuts, setShortcuts } = useLayoutStore();
  const hasInbox = ['/user/notifications', '/admin/notifications'].some((path) => mayOpen(role, path));
  return (
    <Modal open={open} title={t('palette.shortcuts')} onClose={onClose} width="md">
      <FormControlLabel
        control={<Switch checked={shortcuts} onChange={(_, isOn) => setShortcuts(isOn)} />}
        label={t('settings.shortcuts')}
      />
      {!shortcuts && (
        <Typography variant="body2" color="textSecondary">
          {t('palette.single_off')}
        </Typography>
      )}
      <Box sx={{ columns: { sm: 2 }, columnGap: 4, paddingBlock: 1 }}>
        <Keyed title={t('palette.keys_everywhere')}>
          <Row keys={paletteKeys} label={t('shell.search')} />
          <Row keys={['/']} label={t('palette.key_search')} />
          <Row keys={['?']} label={t('palette.key_sheet')} />
          <Row keys={['Esc']} label={t('palette.key_close')} />
        </Keyed>
        <Keyed title={t('palette.keys_lists')}>
          <Row keys={['↑', '↓']} label={t('palette.key_row')} />
          <Row keys={['Enter']} label={t('palette.key_row_open')} />
          <Row keys={['Space']} label={t('palette.key_row_select')} />
          <Row keys={['Ctrl', 'A']} label={t('palette.key_rows_all')} />
          <Row keys={['←', '→']} label={t('palette.key_chart')} />
        </Keyed>
        {hasInbox && (
          <Keyed title={t('palette.keys_inbox')}>
            <Row keys={['J']} label={t('palette.key_next')} />
            <Row keys={['K']} label={t('palette.key_previous')} />
            <Row keys={['E']} label={t('palette.key_delete')} />
            <Row keys={['Shift', 'I']} label={t('palette.key_read')} />
            <Row keys={['Shift', 'U']} label={t('palette.key_unread')} />
          </Keyed>
        )}
        <Keyed title={t('palette.keys_pages')}>
          {linksOf(menuOf(role)).flatMap(({ path, label }) => {
            const letter = goKeys[path];
            return letter === undefined
              ? []
              : [<Row key={path} keys={['G', letter.toUpperCase()]} label={t(label)} />];
          })}
        </Keyed>
      </Box>
    </Modal>
  );
}

function Keyed({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const heading = useId();
  return (
    <Box sx={{ marginBottom: 2 }}>
      <Typography
        id={heading}
        variant="subtitle2"
        component="h3"
        sx={{ marginBottom: '4px', breakAfter: 'avoid' }}
      >
        {title}
      </Typography>
      <Box component="dl" aria-labelledby={heading} sx={{ margin: 0 }}>
        {children}
      </Box>
    </Box>
  );
}

function Row({ keys, label }: { readonly keys: readonly string[]; readonly label: string }) {
  return (
    <Box
      sx={{
        display: 'flex',
        justifyContent: 'space-between',
        alignItems: 'center',
        gap: 2,
        minHeight: 34,
        borderBottom: '1px solid',
        borderColor: 'divider',
        breakInside: 'avoid',
      }}
    >
      <Typography variant="body2" component="dt">
        {label}
      </Typography>
      <Box component="dd" sx={{ margin: 0, color: 'text.secondary' }}>
        <Keys keys={keys} />
      </Box>
    </Box>
  );
}
