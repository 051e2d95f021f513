// Opens the lines of a customer's month, setting both in the URL in one change.
import { useAddressParams } from '#platform/web/routing/address-params.ts';

export const linesParams = ['customer', 'lines-month'] as const;

export function useOpenLines(): (organizationId: string, month: string) => void {
  const [, setParams] = useAddressParams();
  return (organizationId, month) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        next.set('customer', organizationId);
        next.set('lines-month', month);
        return next;
      },
      { preventScrollReset: true },
    );
}
