// R-CAT-03: the price and start of a subscription, consent to it, then the result.
import CheckCircleOutlined from '~icons/ic/outline-check-circle';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { EstimateInput, Service } from '#features/selling/catalogue/contract.ts';
import type { Subscription } from '../contract.ts';
import { useDebounced } from '#platform/web/form/use-debounced.ts';
import { useRequired } from '#platform/web/form/use-required.ts';
import { TickBox } from '#platform/web/form/TickBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { ActionDialog } from '#platform/web/ui/ActionDialog.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { subscriptionsApi, subscriptionsKey, subscriptionsQueries } from './api.ts';
import { BetaNotice } from './BetaNotice.tsx';
import { BillsAfter } from './BillsAfter.tsx';
import {
  ChargeQuantities,
  givenQuantities,
  quantitiesOf,
  type TypedQuantities,
} from './ChargeQuantities.tsx';
import { CostEstimate, hasFees, type OwnMonthsSlot } from './CostEstimate.tsx';
import { priceFact } from './PriceList.tsx';
import { managePath } from './ServiceAction.tsx';
import { useFeePreview } from './use-fee-preview.ts';
import { useOfferFacts } from './use-offer-facts.ts';

/**
 * The field for a promo code, which belongs to a feature that this one may not import; the routes pass it in.
 * `onApply` receives the accepted code, or undefined if it was removed.
 */
export type PromoCodeSlot = (props: {
  readonly serviceId: Service['id'];
  readonly estimate: EstimateInput | undefined;
  readonly onApply: (code: string | undefined) => void;
}) => ReactNode;

export type SubscribeDialogProps = {
  readonly service: Service;
  readonly onClose: () => void;
  readonly ownMonths?: OwnMonthsSlot | undefined;
  readonly PromoCode?: PromoCodeSlot | undefined;
};

export function SubscribeDialog({ service, onClose, ownMonths, PromoCode }: SubscribeDialogProps) {
  const subscribe = useCall(subscriptionsApi.subscribe, { invalidates: [subscriptionsKey()] });
  if (subscribe.data) return <Subscribed subscription={subscribe.data} onClose={onClose} />;
  if (subscribe.error)
    return <Failed reason={subscribe.error.message} onBack={subscribe.reset} onClose={onClose} />;
  return (
    <Offer
      service={service}
      ownMonths={ownMonths}
      PromoCode={PromoCode}
      isBusy={subscribe.isPending}
      onSubscribe={(quantities, promoCode) =>
        subscribe.mutate({
          serviceId: service.id,
          ...givenQuantities(quantities),
          ...(service.releaseState === 'Beta' && { acceptBeta: true }),
          ...(promoCode !== undefined && { promoCode }),
        })
      }
      onClose={onClose}
    />
  );
}

function Offer({
  service,
  ownMonths,
  PromoCode,
  isBusy,
  onSubscribe,
  onClose,
}: SubscribeDialogProps & {
  isBusy: boolean;
  onSubscribe: (quantities: Record<string, string>, promoCode: string | undefined) => void;
}) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const facts = useOfferFacts(service);
  const [agrees, setAgrees] = useState(false);
  const [acceptsBeta, setAcceptsBeta] = useState(false);
  const [typed, setTyped] = useState<TypedQuantities>({});
  const [promoCode, setPromoCode] = useState<string>();
  const quantities = quantitiesOf(service.pricing, typed);
  const chosen = useDebounced({ quantities });
  const preview = useFeePreview(
    subscriptionsQueries.previewSubscribe({
      serviceId: service.id,
      ...givenQuantities(chosen.quantities),
    }),
    { enabled: chosen.quantities !== undefined && hasFees(service.pricing) },
  );
  const isBeta = service.releaseState === 'Beta';
  const agreement = useRequired(agrees, 'form.tick_required');
  const beta = useRequired(!isBeta || acceptsBeta, 'form.tick_required');
  const confirm = () => {
    // The last one checked gets the focus.
    const isComplete = [agreement.check(), beta.check()].every(Boolean);
    if (quantities && isComplete) onSubscribe(quantities, promoCode);
  };
  return (
    <ActionDialog
      title={t('subscriptions.subscribe_ask', { service: service.name })}
      confirm={t('subscriptions.subscribe_confirm')}
      isBusy={isBusy}
      disabled={quantities === undefined || preview.isLoading}
      onConfirm={confirm}
      onClose={onClose}
    >
      {service.description !== '' && (
        <Typography variant="body2" sx={{ whiteSpace: 'pre-line' }}>
          {service.description}
        </Typography>
      )}
      <Facts
        items={[
          priceFact(t('subscriptions.price'), service),
          ...facts,
          ...(service.features.length === 0
            ? []
            : [[t('subscriptions.features'), format.list(service.features)] as const]),
        ]}
      />
      <ChargeQuantities pricing={service.pricing} typed={typed} onChange={setTyped} />
      <CostEstimate
        service={service}
        ownMonths={ownMonths}
        folded
        quantities={quantities}
        beneath={
          PromoCode &&
          ((estimate) => <PromoCode serviceId={service.id} estimate={estimate} onApply={setPromoCode} />)
        }
      />
      {hasFees(service.pricing) && <BillsAfter preview={preview} service={service} />}
      <Box>
        {isBeta && (
          <Box sx={{ marginBottom: 1 }}>
            <BetaNotice isAccepted={acceptsBeta} required={beta} onChange={setAcceptsBeta} />
          </Box>
        )}
        <TickBox
          name="agrees"
          label={t('subscriptions.agree')}
          isOn={agrees}
          problem={agreement.problem}
          inputRef={agreement.input}
          onChange={setAgrees}
        />
      </Box>
    </ActionDialog>
  );
}

function Subscribed({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) {
  const { t } = useTranslation('subscriptions');
  return (
    <Modal
      open
      width="xs"
      title={t('subscriptions.subscribed_title')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.close')}</Button>
          <Button component={Link} to={managePath(subscription.id)} variant="contained" autoFocus>
            {t('subscriptions.manage')}
          </Button>
        </>
      }
    >
      <Alert severity="success" icon={<CheckCircleOutlined />}>
        {t('subscriptions.subscribed_text', { service: subscription.service.name })}
      </Alert>
    </Modal>
  );
}

function Failed({ reason, onBack, onClose }: { reason: string; onBack: () => void; onClose: () => void }) {
  const { t } = useTranslation('subscriptions');
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
          <Button variant="contained" onClick={onBack} autoFocus>
            {t('ui.back')}
          </Button>
        </>
      }
    >
      <Alert severity="error">{t('subscriptions.subscribe_failed')}</Alert>
      <Typography variant="body2" color="textSecondary" sx={{ marginTop: 1.5 }}>
        {reason}
      </Typography>
    </Modal>
  );
}
