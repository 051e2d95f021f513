// The name, colour and logo under which the console is seen, its currency and time zone: from the system status, and once somebody is
// signed in by who sells to them.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { systemQueries, useSystemStatus } from '#features/operations/administration/web/index.ts';
import { accentTones } from '#kernel/accent.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useBrand } from '#platform/web/shell/brand.ts';

/** Stores name, prefix, version, currency and zone for all screens, and paints the colour. */
export function useBrandFromStatus(): void {
  const { data } = useSystemStatus();
  const userId = useAuthStore((auth) => (auth.isAuthenticated ? auth.user?.id : undefined));
  // A page that loads asks for its session first; before there is a token the question would only be refused.
  const isRestoring = useAuthStore((auth) => auth.isLoading);
  const { data: own } = useQuery({
    ...systemQueries.seenAs(),
    enabled: userId !== undefined && !isRestoring,
    staleTime: 10 * 60_000,
  });
  const seen = userId === undefined ? data : (own ?? data);
  useEffect(() => {
    if (!data || !seen) return;
    const { version, currency, timeZone, mainAddress } = data;
    const { name, companyPrefix, supportEmail, accent, logo } = seen;
    useBrand.setState({
      name,
      companyPrefix,
      supportEmail,
      accent,
      logo: logo === null ? null : `/api/brand/logos/${logo}`,
      mainAddress,
      version,
      currency,
      timeZone,
    });
  }, [data, seen]);
  usePaint();
}

const icon = '/favicon.svg';

/** Paints the bar in a reseller's colour, and shows its logo as the page's icon. */
function usePaint(): void {
  const accent = useBrand((brand) => brand.accent);
  const logo = useBrand((brand) => brand.logo);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link) {
      link.href = logo ?? icon;
      link.type = logo === null ? 'image/svg+xml' : 'image/png';
    }
  }, [logo]);
  useEffect(() => {
    if (accent === null) return undefined;
    const sheet = new CSSStyleSheet();
    const { light, dark } = accentTones(accent);
    // The bar alone: links, buttons and states keep colours that are checked against every ground they lie on.
    sheet.replaceSync(
      (
        [
          [':root', light],
          [':root[data-theme="dark"]', dark],
        ] as const
      )
        .map(
          ([where, { background, text }]) =>
            `${where}{--mui-palette-appBar-background:${background}!important;--mui-palette-appBar-text:${text}!important;--mui-palette-appBar-border:${background}!important;--mui-palette-AppBar-darkBg:${background}!important;--mui-palette-AppBar-darkColor:${text}!important}`,
        )
        .join(''),
    );
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    };
  }, [accent]);
}
