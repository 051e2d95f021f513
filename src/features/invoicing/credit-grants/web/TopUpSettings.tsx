// Auto top-up and the warning about low credit, by currency, as text; the form opens in a dialog.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { money, type Currency } from '#kernel/money.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { OwnCredits, TopUp } from '../contract.ts';
import { creditgrantsQueries } from './api.ts';

/** The form is only loaded when it is opened. */
const TopUpDialog = lazyComponent(() =>
  import('./TopUpDialog.tsx').then((module) => module.TopUpDialog),
).Component;

const unset = (currency: Currency): TopUp => ({
  currency,
  topUp: null,
  warnBelow: null,
  boughtThisMonth: money(0n, currency),
});

export function TopUpSettings({ credits, mayChange }: { credits: OwnCredits; mayChange: boolean }) {
  const { t } = useTranslation('creditgrants');
  const [editing, setEditing] = useState<TopUp>();
  const query = useQuery(creditgrantsQueries.topUps());
  const isSold = credits.offer !== null;
  return (
    <Section title={t('creditgrants.top_up')} lead={t('creditgrants.top_up_lead')}>
      <QueryState query={query} skeleton={<Lines count={3} />}>
        {({ items }) => {
          const shown = credits.totals.map(
            ({ currency }) => items.find((one) => one.currency === currency) ?? unset(currency),
          );
          return (
            <Stack component="ul" sx={{ gap: 2, listStyle: 'none', margin: 0, padding: 0 }}>
              {shown.map((one) => (
                <Stack
                  key={one.currency}
                  component="li"
                  direction="row"
                  sx={{ gap: '8px 16px', alignItems: 'center', flexWrap: 'wrap' }}
                >
                  <Box sx={{ flex: 1, minWidth: 220 }}>
                    <Words setting={one} isSold={isSold} isOnly={shown.length === 1} />
                  </Box>
                  {mayChange && (
                    <Button
                      size="small"
                      variant="outlined"
                      aria-haspopup="dialog"
                      aria-label={t('creditgrants.top_up_change_of', { currency: one.currency })}
                      data-screen-only
                      onClick={() => setEditing(one)}
                    >
                      {t('ui.edit')}
                    </Button>
                  )}
                </Stack>
              ))}
            </Stack>
          );
        }}
      </QueryState>
      {editing && (
        <Suspense fallback={null}>
          <TopUpDialog setting={editing} isSold={isSold} onClose={() => setEditing(undefined)} />
        </Suspense>
      )}
    </Section>
  );
}

function Words({
  setting: { currency, topUp, warnBelow, boughtThisMonth },
  isSold,
  isOnly,
}: {
  setting: TopUp;
  isSold: boolean;
  isOnly: boolean;
}) {
  const { t } = useTranslation('creditgrants');
  const format = useFormat();
  const isOn = topUp !== null && isSold;
  return (
    <Stack sx={{ gap: '6px' }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        {!isOnly && (
          <Typography variant="body2" component="span" sx={{ fontWeight: 700 }}>
            {currency}
          </Typography>
        )}
        <StatusBadge
          tone={isOn ? 'success' : 'neutral'}
          label={t(isOn ? 'creditgrants.top_up_on' : 'creditgrants.top_up_off')}
        />
      </Stack>
      <Typography variant="body2">
        {topUp
          ? t('creditgrants.top_up_terms', {
              threshold: format.money(topUp.threshold),
              amount: format.money(topUp.amount),
              cap: format.money(topUp.monthlyCap),
            })
          : t(isSold ? 'creditgrants.top_up_none' : 'creditgrants.top_up_not_sold')}
      </Typography>
      {topUp && (
        <Typography variant="caption" component="p" color="textSecondary" className="tabular">
          {isSold
            ? t('creditgrants.top_up_bought', {
                amount: format.money(boughtThisMonth),
                cap: format.money(topUp.monthlyCap),
              })
            : t('creditgrants.top_up_paused')}
        </Typography>
      )}
      <Typography variant="body2">
        {warnBelow
          ? t('creditgrants.warn_terms', { amount: format.money(warnBelow) })
          : t('creditgrants.warn_none')}
      </Typography>
    </Stack>
  );
}
