// A service's list prices: current, past and scheduled; a scheduled price can be withdrawn.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { AdminService, PriceVersionView, Pricing } from '../contract.ts';
import { catalogueApi, catalogueKey, catalogueQueries } from './api.ts';
import { PriceDifference } from './PriceDifference.tsx';
import { PriceDetails } from './PriceDetails.tsx';
import { priceTones } from './states.ts';

export function PriceHistory({ service }: { service: AdminService }) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const query = useQuery(catalogueQueries.listPrices({ serviceId: service.id }));
  const [withdrawing, setWithdrawing] = useState<PriceVersionView>();
  const withdraw = useCall(catalogueApi.withdrawPrice, { invalidates: [catalogueKey()] });
  const confirm = async (): Promise<void> => {
    if (!withdrawing) return;
    await withdraw.mutateAsync({ serviceId: service.id, priceVersionId: withdrawing.id });
    toast.success(t('catalogue.price_withdrawn'));
  };
  return (
    <Stack sx={{ gap: 2 }}>
      <Alert severity="info">{t('catalogue.prices_kept')}</Alert>
      <QueryState query={query}>
        {({ items }) => (
          <Box component="ol" sx={listLook}>
            {items.map((version, index) => (
              <PriceEntry
                key={version.id}
                state={version.state}
                from={version.effectiveFrom}
                until={version.until}
                service={service}
                pricing={version.pricing}
                earlier={items[index + 1]?.pricing}
                note={t('catalogue.price_made', {
                  name: version.createdBy ?? t('catalogue.by_console'),
                  at: format.dateTime(version.createdAt),
                })}
                action={
                  version.state === 'scheduled' &&
                  items.length > 1 && (
                    <Button
                      aria-haspopup="dialog"
                      size="small"
                      variant="outlined"
                      color="error"
                      onClick={() => setWithdrawing(version)}
                    >
                      {t('catalogue.price_withdraw')}
                    </Button>
                  )
                }
              />
            ))}
          </Box>
        )}
      </QueryState>
      <ConfirmDialog
        open={withdrawing !== undefined}
        title={t('catalogue.price_withdraw_ask')}
        consequences={[t('catalogue.price_withdraw_then')]}
        confirmLabel={t('catalogue.price_withdraw_confirm')}
        tone="danger"
        onConfirm={confirm}
        onClose={() => setWithdrawing(undefined)}
      >
        {withdrawing && t('catalogue.from', { at: format.dateTime(withdrawing.effectiveFrom) })}
      </ConfirmDialog>
    </Stack>
  );
}

export const listLook = { listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 1.5 } as const;

/** A price with the period in which it is in force. */
export function PriceEntry({
  title,
  state,
  from,
  until,
  service,
  pricing,
  earlier,
  comparedWith,
  note,
  action,
}: {
  title?: string;
  state: PriceVersionView['state'];
  from: Date;
  until: Date | null;
  service: Pick<AdminService, 'billingCycle' | 'meter' | 'meterUnits'>;
  pricing: Pricing;
  /** What it is compared with: the previous price, or the list price. */
  earlier?: Pricing | undefined;
  comparedWith?: string;
  note: string;
  action: ReactNode;
}) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const span =
    until === null
      ? t('catalogue.from', { at: format.dateTime(from) })
      : t('catalogue.from_until', { from: format.dateTime(from), until: format.dateTime(until) });
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gap: 1,
        padding: 2,
        border: '1px solid',
        borderColor: state === 'current' ? 'primary.main' : 'divider',
        borderRadius: '5px',
        bgcolor: state === 'past' ? 'sunken' : 'background.paper',
      }}
    >
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        {/* used as: 'catalogue.price_state_*' */}
        <StatusBadge tone={priceTones[state]} label={t(`catalogue.price_state_${state}`)} />
        {title !== undefined && (
          <Typography variant="subtitle2" component="h3">
            {title}
          </Typography>
        )}
        <Typography variant="body2" color="textSecondary" className="tabular">
          {span}
        </Typography>
        <Box sx={{ marginInlineStart: 'auto' }}>{action}</Box>
      </Stack>
      <PriceDetails service={{ ...service, pricing }} />
      {earlier && (
        <Box component="details" sx={{ fontSize: '0.875rem' }}>
          <Box component="summary" sx={{ cursor: 'pointer', marginBottom: 1 }}>
            {comparedWith ?? t('catalogue.difference_earlier')}
          </Box>
          <PriceDifference service={service} before={earlier} after={pricing} />
        </Box>
      )}
      <Typography variant="caption" color="textSecondary">
        {note}
      </Typography>
    </Box>
  );
}
