// One service beside the list: its full price, its features, and an estimate.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { Link } from 'react-router';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { catalogueQueries } from '#features/selling/catalogue/web/parts.ts';
import { isId, type Id } from '#kernel/ids.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { CostEstimate, type OwnMonthsSlot } from './CostEstimate.tsx';
import { priceFact } from './PriceList.tsx';
import { ReleaseState } from './ReleaseState.tsx';
import { managePath, ServiceAction, SubscribedMark } from './ServiceAction.tsx';
import { typeWords } from './ServiceCard.tsx';
import { useOfferFacts } from './use-offer-facts.ts';

export type ServiceDetailProps = {
  readonly serviceId: string | undefined;
  readonly subscriptionOf: (serviceId: string) => string | undefined;
  readonly onSubscribe: (service: Service) => void;
  readonly onClose: () => void;
  readonly ownMonths?: OwnMonthsSlot | undefined;
  /** The own subscription's charges this month: part of a feature that this one may not import. */
  readonly OwnCharges?: ComponentType<{ readonly subscriptionId: Id<'sub'> }> | undefined;
};

export function ServiceDetail({ serviceId, onClose, ...rest }: ServiceDetailProps) {
  const { t } = useTranslation('subscriptions');
  const known = isId('svc', serviceId) ? serviceId : undefined;
  return (
    <SidePanel open={known !== undefined} title={t('subscriptions.service')} onClose={onClose} width={640}>
      {known !== undefined && <SubscribedService key={known} serviceId={known} {...rest} />}
    </SidePanel>
  );
}

function SubscribedService({
  serviceId,
  ...rest
}: Omit<ServiceDetailProps, 'serviceId' | 'onClose'> & { serviceId: Id<'svc'> }) {
  return (
    <QueryState query={useQuery(catalogueQueries.getService({ serviceId }))}>
      {(service) => <Content service={service} {...rest} />}
    </QueryState>
  );
}

function Content({
  service,
  subscriptionOf,
  onSubscribe,
  ownMonths,
  OwnCharges,
}: Omit<ServiceDetailProps, 'serviceId' | 'onClose'> & { service: Service }) {
  const { t } = useTranslation('subscriptions');
  const facts = useOfferFacts(service);
  const subscriptionId = subscriptionOf(service.id);
  return (
    <Stack sx={{ gap: 3 }}>
      <Stack sx={{ gap: 1 }}>
        <Typography variant="h3" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {service.name}
        </Typography>
        <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
          <ReleaseState state={service.releaseState} />
          <Typography variant="caption" color="textSecondary">
            {typeWords(service)}
          </Typography>
          {subscriptionId !== undefined && <SubscribedMark />}
        </Stack>
        {service.description !== '' && (
          <Typography variant="body2" sx={{ whiteSpace: 'pre-line' }}>
            {service.description}
          </Typography>
        )}
        {service.tags.length > 0 && (
          <Stack direction="row" sx={{ gap: 0.5, flexWrap: 'wrap' }}>
            {service.tags.map((tag) => (
              <Chip key={tag} size="small" label={tag} />
            ))}
          </Stack>
        )}
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center', marginTop: 1 }}>
          <ServiceAction
            isMain
            service={service}
            subscriptionId={subscriptionId}
            onSubscribe={() => onSubscribe(service)}
          />
          {subscriptionId !== undefined && (
            <Button component={Link} to={managePath(subscriptionId)} color="error">
              {t('subscriptions.unsubscribe')}
            </Button>
          )}
        </Stack>
      </Stack>
      <Facts items={[priceFact(t('subscriptions.price'), service), ...facts]} />
      {service.features.length > 0 && (
        <Box component="section">
          <Typography variant="h3">{t('subscriptions.features')}</Typography>
          <Box component="ul" sx={{ margin: '8px 0 0', paddingInlineStart: '20px' }}>
            {service.features.map((feature) => (
              <Typography key={feature} component="li" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                {feature}
              </Typography>
            ))}
          </Box>
        </Box>
      )}
      {OwnCharges && isId('sub', subscriptionId) && <OwnCharges subscriptionId={subscriptionId} />}
      <CostEstimate service={service} ownMonths={ownMonths} />
    </Stack>
  );
}
