// The page of an organization that sells to its own customers: its customers, their bills, its prices, and
// what it pays itself.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { resellersKey, resellersQueries } from './api.ts';
import { BrandSection } from './BrandSection.tsx';
import { CustomerList } from './CustomerList.tsx';
import { DetailsSection } from './DetailsSection.tsx';
import { MarkUpSection } from './MarkUpSection.tsx';
import { ResellerBills } from './ResellerBills.tsx';
import { WholesaleSection } from './WholesaleSection.tsx';

/** `mayWrite`: whether the user may make changes. */
export function ResellerScreen({ mayWrite }: { readonly mayWrite: boolean }) {
  const { t } = useTranslation('resellers');
  useLive('bills', [resellersKey()]);
  return (
    <Page title={t('resellers.my_customers')}>
      <QueryState query={useQuery(resellersQueries.ownResale())}>
        {({ reseller }) =>
          reseller ? (
            <>
              <CustomerList reseller={reseller} mayWrite={mayWrite} />
              <MarkUpSection mayWrite={mayWrite} />
              <ResellerBills mayWrite={mayWrite} />
              <WholesaleSection query={(month) => resellersQueries.wholesale({ month })} />
              <DetailsSection reseller={reseller} mayWrite={mayWrite} />
              <BrandSection mayWrite={mayWrite} />
            </>
          ) : (
            <EmptyState title={t('resellers.none')} hint={t('resellers.none_hint')} />
          )
        }
      </QueryState>
    </Page>
  );
}
