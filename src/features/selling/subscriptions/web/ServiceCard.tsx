// One service on sale, as a card or a line: its description, its price, one link to its details and one
// button.
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { startingPrice } from '#features/selling/catalogue/web/parts.ts';
import { countsLimited, limitUnit } from '#features/selling/catalogue/rules.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { OpenRow } from '#platform/web/ui/OpenRow.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { dependsOnUsage } from './CostEstimate.tsx';
import { CardEstimate } from './CardEstimate.tsx';
import { PriceList } from './PriceList.tsx';
import { ReleaseState } from './ReleaseState.tsx';
import { ServiceMark } from './ServiceMark.tsx';
import { StartingPriceLine } from './StartingPriceLine.tsx';
import { ServiceAction, SubscribedMark, type ServiceActionProps } from './ServiceAction.tsx';

export type ServiceCardProps = ServiceActionProps & { readonly onOpen: () => void };

/** The maximum number of price sentences, features and tags on a card; the details have all of them. */
const maxPrices = 3;
const maxFeatures = 3;
const maxTags = 4;

export const typeWords = ({ type, category }: Pick<Service, 'type' | 'category'>): string =>
  type === category ? type : `${type}\u00A0· ${category}`;

/** A description that only repeats the name adds nothing. */
const saysMore = ({ name, description }: Service): boolean =>
  description !== '' && description.trim().toLowerCase() !== name.trim().toLowerCase();

/** Whether the large price is complete. */
function isSaid(service: Service): boolean {
  const start = startingPrice(service);
  return (
    service.pricing.model !== 'rate_card' && (start.kind === 'free' || ('isAll' in start && start.isAll))
  );
}

const clamped = (lines: number) =>
  ({
    display: '-webkit-box',
    WebkitLineClamp: lines,
    WebkitBoxOrient: 'vertical',
    overflow: 'hidden',
  }) as const;

export function ServiceCard(props: ServiceCardProps) {
  const { service, onOpen, comparison } = props;
  const isChosen = comparison?.chosen.includes(service.id) ?? false;
  return (
    <Card
      component="li"
      sx={{
        display: 'flex',
        flexDirection: 'column',
        gap: 1.5,
        padding: { xs: '16px', sm: '20px 24px' },
        minWidth: 0,
        ...(isChosen && { borderColor: 'primary.main' }),
      }}
    >
      <Box>
        <Stack direction="row" sx={{ gap: 1.5, alignItems: 'flex-start' }}>
          <ServiceMark service={service} />
          <Box sx={{ minWidth: 0, flex: 1 }}>
            <Typography variant="h3" component="h2" sx={{ overflowWrap: 'anywhere' }}>
              <OpenRow onOpen={onOpen}>{service.name}</OpenRow>
            </Typography>
            <Typography variant="caption" color="textSecondary">
              {typeWords(service)}
            </Typography>
          </Box>
          <Box sx={{ flexShrink: 0 }}>
            <ReleaseState state={service.releaseState} />
          </Box>
        </Stack>
      </Box>
      <StartingPriceLine service={service} />
      {saysMore(service) && (
        <Typography variant="body2" sx={clamped(2)}>
          {service.description}
        </Typography>
      )}
      <Features service={service} />
      {service.tags.length > 0 && (
        <Stack direction="row" sx={{ gap: 0.5, flexWrap: 'wrap' }}>
          {service.tags.slice(0, maxTags).map((tag) => (
            <Chip key={tag} size="small" label={tag} />
          ))}
        </Stack>
      )}
      <Box>
        {!isSaid(service) && <PriceList service={service} most={maxPrices} />}
        <SmallPrint service={service} />
        {/* A month of a yearly plan, and one of several charges, need more text than fits on a card. */}
        {service.pricing.model !== 'rate_card' &&
          dependsOnUsage(service.pricing) &&
          service.billingCycle === 'monthly' && <CardEstimate service={service} />}
      </Box>
      <Stack
        direction="row"
        sx={{
          gap: 1,
          alignItems: 'center',
          justifyContent: 'flex-end',
          minHeight: 53,
          marginTop: 'auto',
          borderTop: '1px solid',
          borderColor: 'divider',
          paddingTop: 1.5,
        }}
      >
        <Box sx={{ marginInlineEnd: 'auto' }}>
          <Mark {...props} />
        </Box>
        <ServiceAction {...props} />
      </Stack>
    </Card>
  );
}

/** The same as a line of a list. */
export function ServiceLine(props: ServiceCardProps) {
  const { service, onOpen } = props;
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gap: { xs: 1.5, md: 3 },
        alignItems: 'center',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '40px minmax(0, 1.6fr) minmax(0, 1.4fr) 190px' },
        padding: { xs: '16px', sm: '14px 24px' },
        '& + &': { borderTop: '1px solid', borderColor: 'divider' },
      }}
    >
      <ServiceMark service={service} />
      <Box sx={{ minWidth: 0 }}>
        <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography variant="h3" component="h2" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <OpenRow onOpen={onOpen}>{service.name}</OpenRow>
          </Typography>
          <ReleaseState state={service.releaseState} />
        </Stack>
        <Typography variant="caption" color="textSecondary" component="p">
          {typeWords(service)}
        </Typography>
        {saysMore(service) && (
          <Typography variant="body2" sx={clamped(1)}>
            {service.description}
          </Typography>
        )}
      </Box>
      <Box sx={{ minWidth: 0 }}>
        <StartingPriceLine service={service} />
        {!isSaid(service) && <PriceList service={service} most={2} />}
        <SmallPrint service={service} />
      </Box>
      <Stack
        direction="row"
        sx={{ gap: 1.5, alignItems: 'center', justifyContent: 'flex-end', flexWrap: 'wrap' }}
      >
        <Mark {...props} />
        <ServiceAction {...props} />
      </Stack>
    </Box>
  );
}

/** A mark beside the button: subscribed, or upcoming. */
function Mark({ service, subscriptionId }: ServiceCardProps) {
  const { t } = useTranslation('subscriptions');
  if (subscriptionId !== undefined) return <SubscribedMark />;
  return service.releaseState === 'Coming Soon' ? (
    <Typography variant="body2" color="textSecondary">
      {t('subscriptions.coming')}
    </Typography>
  ) : null;
}

function Features({ service: { features } }: { service: Service }) {
  const { t } = useTranslation('subscriptions');
  if (features.length === 0) return null;
  const rest = features.length - maxFeatures;
  return (
    <Box
      component="ul"
      aria-label={t('subscriptions.features')}
      sx={{ margin: 0, paddingInlineStart: '18px', display: 'grid', gap: '2px' }}
    >
      {features.slice(0, maxFeatures).map((feature) => (
        <Typography
          key={feature}
          component="li"
          variant="body2"
          color="textSecondary"
          sx={{ overflowWrap: 'anywhere' }}
        >
          {feature}
        </Typography>
      ))}
      {rest > 0 && (
        <Typography component="li" variant="caption" color="textSecondary" sx={{ listStyle: 'none' }}>
          {t('subscriptions.features_more', { count: rest })}
        </Typography>
      )}
    </Box>
  );
}

/** Quota, trial, and whether credit is required. */
function SmallPrint({ service }: { service: Service }) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const { quota, trialDays } = service;
  const limit =
    quota.type === 'unlimited'
      ? t('subscriptions.quota_none')
      : t('subscriptions.quota_limit', { limit: format.quantity(quota.limit, limitUnit(service)) });
  const words = [
    ...(countsLimited(service) ? [limit] : []),
    ...(trialDays === 0 ? [] : [t('subscriptions.trial', { days: trialDays })]),
    ...(service.requiresPrepaidCredit ? [t('subscriptions.prepaid')] : []),
  ];
  if (words.length === 0) return null;
  return (
    <Typography variant="caption" color="textSecondary" component="p" sx={{ marginTop: '4px' }}>
      {words.join(' · ')}
    </Typography>
  );
}
