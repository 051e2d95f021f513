// Opens the command palette: a box in the top bar, an icon on phones, and shortcuts. Its code is loaded after
// the frame.
import SearchOutlined from '~icons/ic/outline-search';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { Suspense, useEffect } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { isApple, paletteKeys } from './palette-keys.ts';
import { openPalette, usePalette } from './palette-store.ts';
import { useShellKeys } from './use-shell-keys.ts';
import { useFirstScreen } from '#platform/web/loading/first-screen.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';

const loadDialogs = () => import('./PaletteDialogs.tsx');
const PaletteDialogs = lazyComponent(() => loadDialogs().then((module) => module.PaletteDialogs)).Component;

export function ShellPalette({ role }: { readonly role: string }) {
  const { t } = useTranslation('app');
  const isOpen = usePalette(({ open }) => open !== null);
  useShellKeys(role);
  const isFirstScreenDone = useFirstScreen((screen) => screen.stands);
  useEffect(() => {
    // Loaded after the first screen when the browser is idle, so that it opens at once. A failure is shown
    // when it is opened.
    const fetchAhead = () => void loadDialogs().catch(() => undefined);
    if (!isFirstScreenDone || !('requestIdleCallback' in globalThis)) return undefined;
    const idle = requestIdleCallback(fetchAhead, { timeout: 5000 });
    return () => cancelIdleCallback(idle);
  }, [isFirstScreenDone]);
  return (
    <>
      <ButtonBase
        aria-haspopup="dialog"
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
        onClick={openPalette}
        sx={(theme) => ({
          gap: 1,
          minHeight: 36,
          minWidth: 36,
          borderRadius: theme.vars.shape.borderRadius,
          flexShrink: 0,
          color: 'inherit',
          fontFamily: 'inherit',
          fontSize: '0.875rem',
          '@media (pointer: coarse)': { minHeight: 44, minWidth: 44 },
          [theme.breakpoints.up('md')]: {
            minWidth: 280,
            justifyContent: 'flex-start',
            paddingInline: '10px',
            border: '1px solid color-mix(in srgb, currentColor 55%, transparent)',
          },
          '&:hover': { backgroundColor: 'color-mix(in srgb, currentColor 10%, transparent)' },
        })}
      >
        <SearchOutlined aria-hidden />
        {/* On phones, the name is for screen readers only. */}
        <Box
          component="span"
          sx={(theme) => ({
            flex: 1,
            textAlign: 'start',
            whiteSpace: 'nowrap',
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            [theme.breakpoints.down('md')]: {
              position: 'absolute',
              width: '1px',
              height: '1px',
              overflow: 'hidden',
              clipPath: 'inset(50%)',
            },
          })}
        >
          {t('shell.search')}
        </Box>
        <Box component="span" aria-hidden sx={{ display: { xs: 'none', md: 'inline-flex' }, gap: '2px' }}>
          {paletteKeys.map((key) => (
            <Box
              key={key}
              component="kbd"
              sx={{
                font: 'inherit',
                fontSize: '0.75rem',
                paddingInline: '5px',
                border: '1px solid color-mix(in srgb, currentColor 55%, transparent)',
                borderRadius: '4px',
              }}
            >
              {key}
            </Box>
          ))}
        </Box>
      </ButtonBase>
      {isOpen && (
        <Suspense fallback={null}>
          <PaletteDialogs role={role} />
        </Suspense>
      )}
    </>
  );
}
