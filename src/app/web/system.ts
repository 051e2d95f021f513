// The console's displayed brand (name, color, logo), currency and time zone: from the system status, and
// after sign-in depending on who sells to the user's organization.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { SeenAs } from '#features/operations/administration/contract-system.ts';
import { systemQueries, useSystemStatus } from '#features/operations/administration/web/index.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useBrand, type Brand } from '#platform/web/shell/brand.ts';

const shown = ({ name, companyPrefix, supportEmail, accent, logo }: SeenAs): Partial<Brand> => ({
  name,
  companyPrefix,
  supportEmail,
  accent,
  logo: logo === null ? null : `/api/brand/logos/${logo}`,
});

/** The brand that came with the page; undefined when the server did not know it in time. */
const brandOfPage = z.safeParse(
  SeenAs,
  JSON.parse(document.getElementById('brand')?.textContent ?? 'null'),
).data;

/** Shows the brand that came with the page, before any call is answered. */
export function showBrandOfPage(): void {
  if (brandOfPage) useBrand.setState(shown(brandOfPage));
}

/**
 * Stores name, prefix, version, currency and time zone for all screens, and applies the color; `accent` is
 * that of the page around an embedded portal, which takes precedence.
 */
export function useBrandFromStatus(accent: string | null = null): void {
  const { data } = useSystemStatus();
  const userId = useAuthStore((auth) => (auth.isAuthenticated ? auth.user?.id : undefined));
  // A page load renews its session first; without a token, this call would only be rejected.
  const isRestoring = useAuthStore((auth) => auth.isLoading);
  const own = useQuery({
    ...systemQueries.seenAs(),
    enabled: userId !== undefined && !isRestoring,
    staleTime: 10 * 60_000,
  });
  const seen = own.data ?? (userId !== undefined && own.isPending && brandOfPage ? undefined : data);
  useEffect(() => {
    if (!data) return;
    const { version, currency, timeZone, mainAddress } = data;
    useBrand.setState({ ...(seen && shown(seen)), mainAddress, version, currency, timeZone });
  }, [data, seen]);
  usePaint(accent);
}

const icon = '/favicon.svg';

/** Applies a reseller's color to the page, and its logo as the favicon. */
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
      // Most consoles have no accent, so its code is loaded only if there is one.
      const { paintAccent } = await import('#platform/web/theme/accent.ts');
      if (isWanted) takeBack = paintAccent(accent);
    };
    void paint().catch(() => {
      // The console stays usable in its own colors.
    });
    return () => {
      isWanted = false;
      takeBack?.();
    };
  }, [accent]);
}
