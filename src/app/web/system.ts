// What the server says about itself: set up or not, its name, its ways to sign in.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { administrationQueries } from '#features/administration/web/index.ts';
import { useBrand } from '#platform/web/brand.ts';

/** The system status; asked once, and the public pages work without the answer. */
export function useSystemStatus() {
  return useQuery({ ...administrationQueries.systemStatus(), staleTime: 10 * 60_000, refetchOnWindowFocus: false });
}

/** Puts name, prefix, version, currency and zone where every screen finds them. */
export function useBrandFromStatus(): void {
  const { data } = useSystemStatus();
  useEffect(() => {
    if (!data) return;
    const { name, companyPrefix, supportEmail, version, currency, timeZone } = data;
    useBrand.setState({ name, companyPrefix, supportEmail, version, currency, timeZone });
  }, [data]);
}
