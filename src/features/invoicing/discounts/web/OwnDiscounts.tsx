// An organization's own discounts: the terms, validity and savings of each, and the entry of a promo code.
import { inLanguage } from '#kernel/language.ts';
import LocalOfferOutlined from '~icons/ic/outline-local-offer';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { menuRole } from '#kernel/roles.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { OwnDiscount } from '../contract.ts';
import { discountsKey, discountsQueries } from './api.ts';
import { EnterCodeDialog } from './EnterCodeDialog.tsx';
import { RedemptionBadge } from './state-badges.tsx';
import { Sums } from './Sums.tsx';
import { useTermsWords } from './terms-words.ts';

export function OwnDiscounts() {
  const { t } = useTranslation('discounts');
  const [isEntering, setIsEntering] = useState(false);
  const mayRedeem = useAuthStore((auth) => auth.isAuthenticated && menuRole(auth.user?.role) === 'User');
  const query = useQuery(discountsQueries.ownDiscounts());
  useLive('bills', [discountsKey('ownDiscounts')]);
  const enter = mayRedeem && (
    <Button
      aria-haspopup="dialog"
      size="small"
      variant="outlined"
      data-screen-only
      onClick={() => setIsEntering(true)}
    >
      {t('discounts.enter_code')}
    </Button>
  );
  const isEmpty = query.data?.items.length === 0;
  return (
    <Section title={t('discounts.own')} {...(!isEmpty && { lead: t('discounts.own_lead'), actions: enter })}>
      <QueryState query={query} skeleton={<Lines count={3} />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              compact
              icon={<LocalOfferOutlined />}
              title={t('discounts.own_empty')}
              hint={t(mayRedeem ? 'discounts.own_empty_hint' : 'discounts.own_empty_reader')}
              action={enter}
            />
          ) : (
            <Box
              component="ul"
              aria-label={t('discounts.own')}
              sx={{ listStyle: 'none', margin: 0, padding: 0, marginBlock: '-12px' }}
            >
              {items.map((discount) => (
                <Item key={discount.id} discount={discount} />
              ))}
            </Box>
          )
        }
      </QueryState>
      {isEntering && <EnterCodeDialog onClose={() => setIsEntering(false)} />}
    </Section>
  );
}

function Item({ discount }: { discount: OwnDiscount }) {
  const { t } = useTranslation('discounts');
  const format = useFormat();
  const words = useTermsWords();
  const { name, state, firstMonth, lastMonth, subscription, saved, duration } = discount;
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr) auto',
        gap: '2px 24px',
        paddingBlock: 1.5,
        '& + &': { borderTop: '1px solid', borderColor: 'divider' },
      }}
    >
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap', minWidth: 0 }}>
        <Typography variant="body2" component="h3" sx={{ fontWeight: 700, overflowWrap: 'anywhere' }}>
          {inLanguage(name, format.language)}
        </Typography>
        <RedemptionBadge state={state} />
      </Stack>
      <Typography variant="caption" color="textSecondary" sx={{ textAlign: 'end' }}>
        {t('discounts.own_saved')}
      </Typography>
      <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
        {words({ ...discount }).full}
      </Typography>
      <Typography variant="body2" component="div" sx={{ textAlign: 'end' }}>
        <Sums amounts={saved} none={t('discounts.own_nothing_saved')} />
      </Typography>
      <Typography variant="caption" component="p" color="textSecondary" sx={{ gridColumn: '1 / -1' }}>
        {[
          t('discounts.own_since', { month: format.month(firstMonth) }),
          ...(lastMonth === null
            ? duration.kind === 'once' && state === 'active'
              ? [t('discounts.next_bill')]
              : []
            : [t('discounts.own_until', { month: format.month(lastMonth) })]),
          ...(subscription ? [t('discounts.only_subscription', { service: subscription.serviceName })] : []),
        ].join(' · ')}
      </Typography>
    </Box>
  );
}
