// The command palette (Ctrl/⌘K): pages, records and actions by keyboard, in any language; opens without
// animation.
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Dialog from '@mui/material/Dialog';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useId } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';
import { Keys } from './Keys.tsx';
import { PaletteSearch } from './PaletteSearch.tsx';
import { useChoose } from './use-choose.ts';

export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('palette');
  const theme = useTheme();
  const isPhone = useMediaQuery(theme.breakpoints.down('sm'));
  const heading = useId();
  const choose = useChoose(onClose);
  return (
    <Dialog
      open
      fullWidth
      fullScreen={isPhone}
      onClose={onClose}
      transitionDuration={0}
      aria-labelledby={heading}
      slotProps={{
        paper: { sx: isPhone ? {} : { maxWidth: 600, maxHeight: 'min(560px, 76dvh)', marginTop: '10vh' } },
        container: { sx: { alignItems: 'flex-start' } },
      }}
    >
      <VisuallyHidden>
        <h2 id={heading}>{t('shell.search')}</h2>
      </VisuallyHidden>
      <PaletteSearch
        isOpenAtOnce
        onChoose={choose}
        aside={
          <ButtonBase
            onClick={onClose}
            sx={{
              flexShrink: 0,
              minHeight: 32,
              minWidth: 32,
              padding: '0 8px',
              borderRadius: '5px',
              fontFamily: 'inherit',
              fontSize: '0.8125rem',
              color: 'text.secondary',
              '@media (pointer: coarse)': { minHeight: 44, minWidth: 44 },
            }}
          >
            {t('ui.close')}
          </ButtonBase>
        }
      />
      <Box
        aria-hidden
        sx={{
          display: { xs: 'none', sm: 'flex' },
          gap: 2,
          padding: '8px 16px',
          borderTop: '1px solid',
          borderColor: 'divider',
          fontSize: '0.8125rem',
          color: 'text.secondary',
        }}
      >
        {([['↑', '↓'], ['Enter'], ['Esc']] as const).map((keys, index) => (
          <Box
            key={keys[0]}
            component="span"
            sx={{ display: 'inline-flex', gap: '6px', alignItems: 'center' }}
          >
            <Keys keys={keys} />
            {t((['palette.move', 'palette.choose', 'palette.leave'] as const)[index] ?? 'palette.leave')}
          </Box>
        ))}
      </Box>
    </Dialog>
  );
}
