// The browser's entry: prepares nonce, texts and session, then renders the screens.
import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClientProvider } from '@tanstack/react-query';
import { startTransition, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { required } from '#kernel/assert.ts';
import { askSession, endOwnSession } from '#features/access/identity/web/index.ts';
import { formatOf } from '#platform/web/format/format.ts';
import { currentLanguage, startI18n } from '#platform/web/i18n/i18n.ts';
import { queryCache } from '#platform/web/api/queries.ts';
import { configureSession, restoreSession, watchFocus } from '#platform/web/session/session.ts';
import { isEmbedded } from '#platform/web/session/embedded.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { nextTask } from '#platform/web/loading/next-task.ts';
import { reloadWhenOutdated } from '#platform/web/loading/outdated.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { temporalLoaded } from '#platform/web/time/temporal.ts';
import { makeTheme, themeStorageKey } from '#platform/web/theme/theme.ts';
import { Root } from './Root.tsx';
import { keepFocusVisible } from './keep-focus-visible.ts';
import { registerLanguagePacks } from './language-packs.ts';
import { preloadPath } from './routes.tsx';
import { restoreScrollPositions } from './scroll-positions.ts';
import { showBrandOfPage } from './system.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
const styles = createCache({ key: 'st', prepend: true, ...(nonce ? { nonce } : {}) });

showBrandOfPage();
registerLanguagePacks();
reloadWhenOutdated();
/**
 * The portal does not identify anybody by cookie: its link does, and when the link's session is over there is
 * no other.
 */
const Embed = lazyComponent(() => import('./embed/EmbedRoot.tsx').then((module) => module.EmbedRoot));
if (isEmbedded)
  configureSession(
    () => Promise.resolve(null),
    () => Promise.resolve(),
  );
else configureSession(askSession, endOwnSession);
const whenReady = nextTask().then(() =>
  Promise.all([startI18n(), temporalLoaded, isEmbedded ? Embed.preload() : preloadPath(location.pathname)]),
);
watchFocus();
watchForcedColours();

/** Loads the styles for the system's high-contrast mode when it is on, or when it is turned on later. */
function watchForcedColours(): void {
  const media = matchMedia('(forced-colors: active)');
  const load = async (): Promise<void> => {
    if (!media.matches) return;
    media.onchange = null;
    (await import('#platform/web/ui/forced-colours.ts')).adoptForcedColours();
  };
  media.onchange = load;
  void load();
}

/**
 * In separate tasks, while texts and the screen's code are loading: on a slow phone, each takes as long as
 * loading all modules.
 */
async function start(): Promise<void> {
  await nextTask();
  if (!isEmbedded)
    void restoreSession().catch(() => {
      // The server cannot be reached: screens show their stored data and report that themselves.
    });
  await nextTask();
  const theme = makeTheme();
  await nextTask();
  const root = createRoot(required(document.getElementById('root'), 'index.html has #root'));
  // React renders a transition in slices.
  startTransition(() => root.render(frame(theme)));
  await nextTask();
  // Creating the first format of a language takes the browser as long as drawing a whole card; nothing is
  // waiting for it now.
  formatOf(currentLanguage(), useBrand.getState().timeZone);
  restoreScrollPositions();
  keepFocusVisible();
}

function frame(theme: ReturnType<typeof makeTheme>) {
  return (
    <StrictMode>
      <CacheProvider value={styles}>
        <ThemeProvider
          theme={theme}
          defaultMode="light"
          modeStorageKey={themeStorageKey}
          noSsr
          {...(isEmbedded && { storageManager: null })}
        >
          <CssBaseline />
          <QueryClientProvider client={queryCache}>
            {isEmbedded ? (
              <Suspense fallback={null}>
                <Embed.Component whenReady={whenReady} />
              </Suspense>
            ) : (
              <BrowserRouter>
                <Root whenReady={whenReady} />
              </BrowserRouter>
            )}
          </QueryClientProvider>
        </ThemeProvider>
      </CacheProvider>
    </StrictMode>
  );
}
void start();
