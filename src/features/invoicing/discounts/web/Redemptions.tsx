// The organizations that have a discount: its validity and savings for each, and a button to revoke it.
import { inLanguage } from '#kernel/language.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { EmptyState, NoMatch } from '#platform/web/ui/EmptyState.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SearchField } from '#platform/web/ui/SearchField.tsx';
import type { Discount, Redemption } from '../contract.ts';
import { discountsApi, discountsKey, discountsQueries } from './api.ts';
import { RedemptionBadge } from './state-badges.tsx';
import { Sums } from './Sums.tsx';

const first = 25;
/** The maximum page size; a search finds the others. */
const most = 200;

export function Redemptions({ discount }: { discount: Discount }) {
  const { t } = useTranslation('discounts');
  const format = useFormat();
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(first);
  const [ending, setEnding] = useState<Redemption>();
  const query = usePagedQuery(
    discountsQueries.listRedemptions({
      discountId: discount.id,
      limit,
      ...(search !== '' && { q: search }),
    }),
  );
  return (
    <>
      {(discount.redemptions > first || search !== '') && (
        <Box sx={{ marginBottom: 1 }}>
          <SearchField value={search} onSearch={setSearch} label={t('discounts.redemptions_search')} />
        </Box>
      )}
      <QueryState query={query} skeleton={<Lines count={4} />}>
        {({ items, total }) =>
          items.length === 0 ? (
            search === '' ? (
              <EmptyState
                compact
                title={t('discounts.redemptions_empty')}
                hint={t('discounts.redemptions_empty_hint')}
              />
            ) : (
              <NoMatch onClear={() => setSearch('')} />
            )
          ) : (
            <>
              <Box
                component="ul"
                aria-label={t('discounts.redemptions')}
                sx={{ listStyle: 'none', margin: 0, padding: 0 }}
              >
                {items.map((redemption) => (
                  <Item
                    key={redemption.id}
                    redemption={redemption}
                    isOnce={discount.duration.kind === 'once'}
                    onEnd={() => setEnding(redemption)}
                  />
                ))}
              </Box>
              {total > items.length && limit < most && (
                <Button
                  size="small"
                  loading={query.isPlaceholderData}
                  onClick={() => setLimit(Math.min(most, limit * 2))}
                >
                  {t('discounts.redemptions_more', {
                    shown: format.number(items.length),
                    total: format.number(total),
                  })}
                </Button>
              )}
            </>
          )
        }
      </QueryState>
      {ending && <End discount={discount} redemption={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function Item({ redemption, isOnce, onEnd }: { redemption: Redemption; isOnce: boolean; onEnd: () => void }) {
  const { t } = useTranslation('discounts');
  const format = useFormat();
  const { organization, state, firstMonth, lastMonth, saved, subscription } = redemption;
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr) auto',
        gap: '4px 16px',
        paddingBlock: 1.5,
        borderTop: '1px solid',
        borderColor: 'divider',
        fontSize: '0.875rem',
      }}
    >
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap', minWidth: 0 }}>
        <Box component="span" sx={{ fontWeight: 700, overflowWrap: 'anywhere' }}>
          {organization}
        </Box>
        <RedemptionBadge state={state} />
      </Stack>
      <Box sx={{ textAlign: 'end' }}>
        <Sums amounts={saved} none={t('discounts.own_nothing_saved')} />
      </Box>
      <Typography variant="caption" component="p" color="textSecondary">
        {[
          t('discounts.own_since', { month: format.month(firstMonth) }),
          lastMonth === null
            ? t(isOnce ? 'discounts.duration_once' : 'discounts.open_end')
            : t('discounts.own_until', { month: format.month(lastMonth) }),
          ...(subscription ? [t('discounts.only_subscription', { service: subscription.serviceName })] : []),
        ].join(' · ')}
      </Typography>
      {state === 'active' && (
        <Button
          aria-haspopup="dialog"
          size="small"
          color="error"
          onClick={onEnd}
          aria-label={t('discounts.end_of', { organization })}
          sx={{ justifySelf: 'end', minWidth: 0, marginBlock: '-4px', marginInlineEnd: '-10px' }}
        >
          {t('discounts.end')}
        </Button>
      )}
    </Box>
  );
}

function End({
  discount,
  redemption: { id, organization },
  onClose,
}: {
  discount: Discount;
  redemption: Redemption;
  onClose: () => void;
}) {
  const { t } = useTranslation('discounts');
  const { language } = useFormat();
  const end = useCall(discountsApi.endRedemption, { invalidates: [discountsKey()] });
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('discounts.end_ask', { name: inLanguage(discount.name, language), organization })}
      consequences={[t('discounts.end_later'), t('discounts.end_issued')]}
      confirmLabel={t('discounts.end_confirm')}
      onConfirm={async () => {
        await end.mutateAsync({ redemptionId: id });
        toast.success(t('discounts.end_done', { organization }));
      }}
      onClose={onClose}
    />
  );
}
