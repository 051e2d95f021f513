// The order in which several discounts reduce one bill: a choice with an explanation.
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useCall } from '#platform/web/api/queries.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { discountOrders } from '../contract.ts';
import { discountsApi, discountsKey, discountsQueries } from './api.ts';

export function StackingOrder() {
  const { t } = useTranslation('discounts');
  const query = useQuery(discountsQueries.discountSettings());
  const save = useCall(discountsApi.saveDiscountSettings, {
    invalidates: [discountsKey('discountSettings')],
    onSuccess: () => toast.success(t('discounts.order_saved')),
  });
  return (
    <Section title={t('discounts.order')} lead={t('discounts.order_lead')}>
      <QueryState query={query} skeleton={<Lines count={2} />}>
        {({ stackingOrder }) => {
          const shown = save.isPending ? (save.variables?.stackingOrder ?? stackingOrder) : stackingOrder;
          return (
            <Stack
              sx={{
                gap: '12px 16px',
                flexDirection: { xs: 'column', sm: 'row' },
                alignItems: { xs: 'stretch', sm: 'center' },
              }}
            >
              {/* used as: 'discounts.order_*' */}
              <SelectBox
                label={t('discounts.order_label')}
                value={shown}
                disabled={save.isPending}
                options={discountOrders.map((value) => ({ value, label: t(`discounts.order_${value}`) }))}
                onChange={(next) => save.mutate({ stackingOrder: next })}
              />
              <Typography
                variant="body2"
                color={save.error ? 'error' : 'textSecondary'}
                role={save.error ? 'alert' : undefined}
              >
                {save.error?.message ?? t(`discounts.order_${shown}_hint`)}
              </Typography>
            </Stack>
          );
        }}
      </QueryState>
    </Section>
  );
}
