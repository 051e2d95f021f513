// Adding a service to a subscription: what it costs, how many, until when.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Service } from '#features/selling/catalogue/contract.ts';
import type { Subscription } from '../contract.ts';
import { finished } from '#platform/web/form/problems.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { shiftDay } from '#platform/web/time/calendar.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { subscriptionsApi } from './api.ts';
import { ChargeQuantities, quantitiesOf, type TypedQuantities } from './ChargeQuantities.tsx';
import { CostEstimate } from './CostEstimate.tsx';
import { DayChoice } from './DayChoice.tsx';
import { dayStart } from './day-start.ts';
import { PriceList } from './PriceList.tsx';
import { changesSubscriptions } from './subscription-actions.tsx';

export type AddOnDialogProps = {
  readonly subscription: Subscription;
  readonly service: Service;
  readonly onClose: () => void;
};

export function AddOnDialog({ subscription, service, onClose }: AddOnDialogProps) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const zone = useBrand((brand) => brand.timeZone);
  const [typed, setTyped] = useState<TypedQuantities>({});
  const [lastDay, setLastDay] = useState<string>();
  const [agrees, setAgrees] = useState(false);
  const quantities = quantitiesOf(service.pricing, typed);
  const params = { service: service.name, to: subscription.service.name };
  const add = useCall(subscriptionsApi.addAddOn, {
    invalidates: changesSubscriptions,
    onSuccess: () => {
      toast.success(t('subscriptions.added', params));
      onClose();
    },
  });
  const wrongEnd =
    add.error instanceof ApiError
      ? add.error.errors.find(({ field }) => field === 'endsAt')?.message
      : undefined;
  const confirm = () =>
    add.mutate({
      subscriptionId: subscription.id,
      serviceId: service.id,
      ...(quantities && Object.keys(quantities).length > 0 && { quantities }),
      // The chosen day is the last one.
      ...(lastDay && { endsAt: dayStart(shiftDay(lastDay, 1), zone) }),
      ...(service.releaseState === 'Beta' && { acceptBeta: true }),
    });
  return (
    <Modal
      open
      title={t('subscriptions.add_ask', params)}
      onClose={add.isPending ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={add.isPending}>
            {t('ui.cancel')}
          </Button>
          <Button
            variant="contained"
            loading={add.isPending}
            disabled={!agrees || quantities === undefined || lastDay === ''}
            onClick={confirm}
          >
            {t('subscriptions.add_confirm')}
          </Button>
        </>
      }
    >
      <Stack sx={{ gap: 2.5 }}>
        {add.error && wrongEnd === undefined && <Alert severity="error">{add.error.message}</Alert>}
        {service.description !== '' && (
          <Typography variant="body2" sx={{ whiteSpace: 'pre-line' }}>
            {service.description}
          </Typography>
        )}
        <Facts
          items={[
            [t('subscriptions.price'), <PriceList key="price" service={service} />],
            ...(service.features.length === 0
              ? []
              : [[t('subscriptions.features'), format.list(service.features)] as const]),
          ]}
        />
        <ChargeQuantities pricing={service.pricing} typed={typed} onChange={setTyped} />
        <CostEstimate service={service} folded quantities={quantities} />
        <DayChoice
          label={t('subscriptions.add_until')}
          plain={t('subscriptions.add_open_end')}
          dated={t('subscriptions.add_until_day')}
          day={t('subscriptions.last_day')}
          name="until"
          value={lastDay}
          problem={wrongEnd === undefined ? undefined : finished(wrongEnd)}
          onChange={(day) => {
            add.reset();
            setLastDay(day);
          }}
        />
        <Typography variant="body2" color="textSecondary">
          {t('subscriptions.add_follows', params)}
        </Typography>
        {service.releaseState === 'Beta' && <Alert severity="info">{t('subscriptions.beta_notice')}</Alert>}
        <FormControlLabel
          control={<Checkbox checked={agrees} onChange={(_, next) => setAgrees(next)} />}
          label={t('subscriptions.agree')}
        />
      </Stack>
    </Modal>
  );
}
