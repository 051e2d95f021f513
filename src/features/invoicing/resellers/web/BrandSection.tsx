// The brand of a reseller: on its own page, and in a panel for Admins.
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import type { Reseller, SellerBrand } from '../contract.ts';
import { resellersQueries } from './api.ts';
import { adminBrandCalls, BrandSettings, ownBrandCalls } from './BrandSettings.tsx';

export function BrandSection({ mayWrite }: { mayWrite: boolean }) {
  const { t } = useTranslation('resellers');
  return (
    <QueryState query={useQuery(resellersQueries.ownBrand())}>
      {(brand) => (
        <Section title={t('resellers.brand')} lead={t('resellers.brand_lead')}>
          {mayWrite ? <BrandSettings brand={brand} calls={ownBrandCalls} /> : <BrandFacts brand={brand} />}
        </Section>
      )}
    </QueryState>
  );
}

/** For users who may only read. */
function BrandFacts({ brand }: { brand: SellerBrand }) {
  const { t } = useTranslation('resellers');
  const { accent, senderName, name, replyTo, host } = brand;
  return (
    <Facts
      items={[
        [t('resellers.accent'), accent ?? t('resellers.nothing_said')],
        [t('resellers.sender_name'), senderName === '' ? name : senderName],
        [t('resellers.reply_to'), replyTo === '' ? t('resellers.nothing_said') : replyTo],
        [t('resellers.host'), host?.address ?? t('resellers.nothing_said')],
      ]}
    />
  );
}

/** For Admins. */
export function BrandPanel({ reseller, onClose }: { reseller: Reseller; onClose: () => void }) {
  const { t } = useTranslation('resellers');
  const query = useQuery(resellersQueries.adminBrand({ resellerId: reseller.organizationId }));
  return (
    <SidePanel open title={t('resellers.brand_of', { name: reseller.name })} onClose={onClose} width={640}>
      <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 2 }}>
        {t('resellers.brand_lead')}
      </Typography>
      <QueryState query={query}>
        {(brand) => <BrandSettings brand={brand} calls={adminBrandCalls(reseller.organizationId)} />}
      </QueryState>
    </SidePanel>
  );
}
