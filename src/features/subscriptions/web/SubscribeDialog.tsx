// R-CAT-03: what a service would cost, then subscribing, then how it went.
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import type { Service } from '#features/catalogue/contract.ts';
import { subscriptionsPaths, type Subscription } from '#features/subscriptions/contract.ts';
import { useCall } from '#platform/web/queries.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import { subscriptionsApi, subscriptionsKey } from './api.ts';
import { CostEstimate } from './CostEstimate.tsx';
import { PriceList } from './PriceList.tsx';
import { useSubscriptionsTexts } from './texts.ts';

export function SubscribeDialog({ service, onClose }: { service: Service; onClose: () => void }) {
  const subscribe = useCall(subscriptionsApi.subscribe, { invalidates: [subscriptionsKey()] });
  if (subscribe.data) return <Subscribed subscription={subscribe.data} onClose={onClose} />;
  if (subscribe.error) return <Failed reason={subscribe.error.message} onBack={subscribe.reset} onClose={onClose} />;
  return <Offer service={service} isBusy={subscribe.isPending} onSubscribe={() => subscribe.mutate({ serviceId: service.id })} onClose={onClose} />;
}

function Offer({ service, isBusy, onSubscribe, onClose }: { service: Service; isBusy: boolean; onSubscribe: () => void; onClose: () => void }) {
  const t = useSubscriptionsTexts();
  const format = useFormat();
  const { quota, meter } = service;
  // used as: 'subscriptions.quota_explained_*'
  const limits = quota.type === 'unlimited' ? t('subscriptions.quota_unlimited') : t(`subscriptions.quota_explained_${quota.type}`, { limit: format.quantity(quota.limit, meter.unit) });
  return (
    <Modal
      open
      title={t('subscriptions.subscribe_ask', { service: service.name })}
      onClose={isBusy ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={isBusy}>{t('ui.cancel')}</Button>
          <Button variant="contained" loading={isBusy} onClick={onSubscribe}>{t('subscriptions.subscribe_confirm')}</Button>
        </>
      }
    >
      <Stack sx={{ gap: 2.5 }}>
        {service.description !== '' && <Typography variant="body2">{service.description}</Typography>}
        <Facts
          items={[
            [t('subscriptions.price'), <PriceList key="price" service={service} />],
            [t('subscriptions.quota'), limits],
            [t('subscriptions.billed'), t('subscriptions.billed_monthly')],
            ...(service.features.length === 0 ? [] : [[t('subscriptions.features'), format.list(service.features)] as const]),
          ]}
        />
        <CostEstimate service={service} />
      </Stack>
    </Modal>
  );
}

function Subscribed({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) {
  const t = useSubscriptionsTexts();
  return (
    <Modal
      open
      width="xs"
      title={t('subscriptions.subscribed_title')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.close')}</Button>
          <Button component={Link} to={`${subscriptionsPaths.management}?subscription=${subscription.id}`} variant="contained" autoFocus>{t('subscriptions.manage')}</Button>
        </>
      }
    >
      <Alert severity="success" icon={<CheckCircleOutlined />}>{t('subscriptions.subscribed_text', { service: subscription.service.name })}</Alert>
    </Modal>
  );
}

function Failed({ reason, onBack, onClose }: { reason: string; onBack: () => void; onClose: () => void }) {
  const t = useSubscriptionsTexts();
  return (
    <Modal
      open
      width="xs"
      role="alertdialog"
      title={t('subscriptions.subscribe_failed_title')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.close')}</Button>
          <Button variant="contained" onClick={onBack} autoFocus>{t('ui.back')}</Button>
        </>
      }
    >
      <Alert severity="error">{t('subscriptions.subscribe_failed')}</Alert>
      <Typography variant="body2" color="textSecondary" sx={{ marginTop: 1.5 }}>{reason}</Typography>
    </Modal>
  );
}
