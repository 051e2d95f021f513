// The name, colour and logo under which the console is seen, its currency and time zone: from the system status, and once somebody is
// signed in by who sells to them.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { systemQueries, useSystemStatus } from '#features/operations/administration/web/index.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useBrand } from '#platform/web/shell/brand.ts';

/** Stores name, prefix, version, currency and zone for all screens, and paints the colour; `accent` is that of the page around an embedded portal, which comes first. */
export function useBrandFromStatus(accent: string | null = null): void {
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
  usePaint(accent);
}

const icon = '/favicon.svg';

/** Paints the page in a reseller's colour, and shows its logo as the page's icon. */
function usePaint(around: string | null): void {
  const ofBrand = useBrand((brand) => brand.accent);
  const accent = around ?? ofBrand;
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
    let isWanted = true;
    let takeBack: (() => void) | undefined;
    const paint = async (): Promise<void> => {
      // Most consoles have no accent, so its code comes only where there is one.
      const { paintAccent } = await import('#platform/web/theme/accent.ts');
      if (isWanted) takeBack = paintAccent(accent);
    };
    void paint().catch(() => {
      // The console can be used in its own colours.
    });
    return () => {
      isWanted = false;
      takeBack?.();
    };
  }, [accent]);
}
