// The name of this installation and what it counts in, from what the server says about itself.
import { useEffect } from 'react';
import { useSystemStatus } from '#features/operations/administration/web/index.ts';
import { useBrand } from '#platform/web/shell/brand.ts';

/** Puts name, prefix, version, currency and zone where every screen finds them. */
export function useBrandFromStatus(): void {
  const { data } = useSystemStatus();
  useEffect(() => {
    if (!data) return;
    const { name, companyPrefix, supportEmail, version, currency, timeZone } = data;
    useBrand.setState({ name, companyPrefix, supportEmail, version, currency, timeZone });
  }, [data]);
}
