// One service on sale: what it is, what it costs, and the way to subscribe or to manage it.
import CheckOutlined from '@mui/icons-material/CheckOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import type { Service } from '#features/catalogue/contract.ts';
import { subscriptionsPaths } from '#features/subscriptions/contract.ts';
import { useFormat } from '#platform/web/use-format.ts';
import { PriceList } from './PriceList.tsx';
import { ReleaseState } from './ReleaseState.tsx';
import { useSubscriptionsTexts } from './texts.ts';

/** As many sentences of a price fit a card. */
const mostPrices = 3;

/** `subscriptionId` when the organization has the service already. */
export function ServiceCard({ service, subscriptionId, onSubscribe }: { service: Service; subscriptionId: string | undefined; onSubscribe: () => void }) {
  const t = useSubscriptionsTexts();
  const format = useFormat();
  const { quota, meter } = service;
  return (
    <Card component="li" sx={{ display: 'flex', flexDirection: 'column', gap: 1.5, padding: { xs: '16px', sm: '20px 24px' }, minWidth: 0 }}>
      <Box>
        <Stack direction="row" sx={{ gap: 1, alignItems: 'flex-start', justifyContent: 'space-between' }}>
          <Typography variant="h3" component="h2" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>{service.name}</Typography>
          <Box sx={{ flexShrink: 0 }}><ReleaseState state={service.releaseState} /></Box>
        </Stack>
        <Typography variant="caption" color="textSecondary">{service.type === service.category ? service.type : `${service.type} · ${service.category}`}</Typography>
      </Box>
      {service.description !== '' && <Typography variant="body2" sx={{ display: '-webkit-box', WebkitLineClamp: 3, WebkitBoxOrient: 'vertical', overflow: 'hidden' }}>{service.description}</Typography>}
      {service.tags.length > 0 && <Stack direction="row" sx={{ gap: 0.5, flexWrap: 'wrap' }}>{service.tags.slice(0, 4).map((tag) => <Chip key={tag} size="small" label={tag} />)}</Stack>}
      <Box sx={{ marginTop: 'auto' }}>
        <PriceList service={service} most={mostPrices} />
        <Typography variant="caption" color="textSecondary" component="p" sx={{ marginTop: '4px' }}>
          {quota.type === 'unlimited' ? t('subscriptions.quota_none') : t('subscriptions.quota_limit', { limit: format.quantity(quota.limit, meter.unit) })}
        </Typography>
      </Box>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', justifyContent: 'space-between', minHeight: 40, borderTop: '1px solid', borderColor: 'divider', paddingTop: 1.5 }}>
        {subscriptionId !== undefined && (
          <>
            <Stack direction="row" sx={{ gap: 0.5, alignItems: 'center', color: 'success.main' }}><CheckOutlined aria-hidden sx={{ fontSize: 18 }} /><Typography variant="body2">{t('subscriptions.subscribed')}</Typography></Stack>
            <Button component={Link} to={`${subscriptionsPaths.management}?subscription=${subscriptionId}`} variant="outlined" aria-label={t('subscriptions.manage_named', { service: service.name })}>{t('subscriptions.manage')}</Button>
          </>
        )}
        {subscriptionId === undefined && service.releaseState === 'Coming Soon' && <Typography variant="body2" color="textSecondary">{t('subscriptions.coming')}</Typography>}
        {subscriptionId === undefined && service.releaseState !== 'Coming Soon' && <Button variant="contained" onClick={onSubscribe} aria-label={t('subscriptions.subscribe_named', { service: service.name })} sx={{ marginInlineStart: 'auto' }}>{t('subscriptions.subscribe')}</Button>}
      </Stack>
    </Card>
  );
}
