// The installation's name, currency and time zone, from the system status.
import { useEffect } from 'react';
import { useSystemStatus } from '#features/operations/administration/web/index.ts';
import { useBrand } from '#platform/web/shell/brand.ts';

/** Stores name, prefix, version, currency and zone for all screens. */
export function useBrandFromStatus(): void {
  const { data } = useSystemStatus();
  useEffect(() => {
    if (!data) return;
    const { name, companyPrefix, supportEmail, version, currency, timeZone } = data;
    useBrand.setState({ name, companyPrefix, supportEmail, version, currency, timeZone });
  }, [data]);
}
