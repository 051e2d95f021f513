// A screen's frame: its h1, which is also the document's title and the last breadcrumb.
import { keyframes } from '@mui/material/styles';
import Box from '@mui/material/Box';
import Breadcrumbs from '@mui/material/Breadcrumbs';
import Link from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { createContext, useContext, useLayoutEffect, useRef, type ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { useDocumentTitle } from '../shell/document-title.ts';
import { useTranslation } from '../i18n/i18n.ts';
import { useScreenLoaded } from './use-screen-loaded.ts';
import { Words } from './NoWrap.tsx';
import { hiddenBelowWaiting, PageLoaded } from './Parts.tsx';

/** The menu entries above the current screen, set by the shell. */
export const Trail = createContext<readonly { readonly label: string; readonly path?: string | undefined }[]>(
  [],
);

export type PageProps = {
  /** The h1. */
  readonly title: string;
  /** Buttons at the right of the title; below it on phones. */
  readonly actions?: ReactNode;
  /** One sentence below the title. */
  readonly lead?: ReactNode;
  /** Beside the title: a badge or a count. */
  readonly aside?: ReactNode;
  /** 'form' keeps lines at 720 px, 'list' at 960 px; otherwise 1440 px. */
  readonly width?: 'form' | 'list' | 'full';
  readonly children: ReactNode;
};

const widths = { form: 720, list: 960, full: 1440 } as const;

export function Page({ title, actions, lead, aside, width = 'full', children }: PageProps) {
  const { t } = useTranslation('platform');
  const trail = useContext(Trail);
  useDocumentTitle(title);
  return (
    <PageBody
      maxWidth={widths[width]}
      header={
        <>
          {trail.length > 0 && (
            <Breadcrumbs
              aria-label={t('ui.breadcrumb')}
              data-screen-only
              sx={{ marginBottom: '4px', fontSize: '0.8125rem', lineHeight: 20 / 13 }}
            >
              {trail.map(({ label, path }) =>
                path === undefined ? (
                  <Typography key={label} variant="caption" color="textSecondary">
                    {label}
                  </Typography>
                ) : (
                  <Link
                    key={label}
                    component={RouterLink}
                    to={path}
                    underline="hover"
                    variant="caption"
                    color="textSecondary"
                    sx={{
                      '@media (pointer: coarse)': {
                        display: 'inline-block',
                        padding: '12px',
                        margin: '-12px',
                      },
                    }}
                  >
                    {label}
                  </Link>
                ),
              )}
              <Typography variant="caption" color="textPrimary" aria-current="page">
                {title}
              </Typography>
            </Breadcrumbs>
          )}
          <Box
            sx={{
              display: 'grid',
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) auto' },
              columnGap: 1.5,
              alignItems: 'center',
            }}
          >
            <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', minWidth: 0 }}>
              <Typography variant="h1">{title}</Typography>
              {aside}
            </Stack>
            {lead !== undefined && (
              <Typography
                color="textSecondary"
                sx={{ gridColumn: '1 / -1', marginTop: '4px', maxWidth: 880, textWrap: 'balance' }}
              >
                <Words>{lead}</Words>
              </Typography>
            )}
            {actions !== undefined && (
              <Stack
                direction="row"
                data-screen-only
                sx={{
                  gap: 1,
                  flexWrap: 'wrap',
                  marginTop: { xs: 2, sm: 0 },
                  gridColumn: { sm: 2 },
                  gridRow: { sm: 1 },
                }}
              >
                {actions}
              </Stack>
            )}
          </Box>
        </>
      }
    >
      {children}
    </PageBody>
  );
}

/**
 * The parts are delayed for at most this many seconds; then they are shown in their current state, down to the
 * first that still waits for its data.
 */
const maxHeldS = 2;
const appear = keyframes({ to: { visibility: 'visible' } });
const passBy = keyframes({
  '0%, 10%': { opacity: 0 },
  '15%, 99%': { opacity: 1 },
  '100%': { opacity: 0, visibility: 'hidden' },
});

const padding = { xs: '16px', sm: '24px' };
const gap = { xs: 2, sm: 3 };

/**
 * Shows the title at once and all parts below it together: a part that appeared later would move what the
 * user is reading or about to click. The parts stay where they were first, even if the title grows with
 * loaded content.
 */
function PageBody({
  maxWidth,
  header,
  children,
}: {
  readonly maxWidth: number;
  readonly header: ReactNode;
  readonly children: ReactNode;
}) {
  const isLoaded = useScreenLoaded();
  const head = useRef<HTMLElement>(null);
  const places = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!head.current || !places.current) return;
    places.current.style.top = `${head.current.offsetTop + head.current.offsetHeight}px`;
  }, []);
  return (
    <Box
      sx={{
        width: '100%',
        maxWidth,
        marginInline: 'auto',
        padding,
        display: 'flex',
        flexDirection: 'column',
        gap,
        position: 'relative',
      }}
    >
      <Box component="header" ref={head}>
        {header}
      </Box>
      {!isLoaded && (
        <Stack
          ref={places}
          aria-hidden
          data-screen-only
          sx={{
            position: 'absolute',
            inset: 0,
            padding,
            gap,
            overflow: 'hidden',
            animation: `${passBy} ${maxHeldS}s both`,
          }}
        >
          {[96, 280].map((height) => (
            <Skeleton
              key={height}
              variant="rounded"
              height={height}
              sx={{ flexShrink: 0, bgcolor: 'background.paper', border: '1px solid', borderColor: 'divider' }}
            />
          ))}
        </Stack>
      )}
      <Box
        aria-busy={!isLoaded}
        sx={{
          display: 'flex',
          flexDirection: 'column',
          gap,
          ...(!isLoaded && {
            visibility: 'hidden',
            animation: `${appear} 0s ${maxHeldS}s forwards`,
            ...hiddenBelowWaiting,
            '@media print': { visibility: 'visible' },
          }),
        }}
      >
        <PageLoaded value={isLoaded}>{children}</PageLoaded>
      </Box>
    </Box>
  );
}
