// The remaining own credit at a glance, with a link to credits and discounts.
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { isRefused } from '#platform/web/api/api-error.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { OwnCredits } from '../contract.ts';
import { creditgrantsKey, creditgrantsQueries } from './api.ts';

export function CreditsCard() {
  const { t } = useTranslation('creditgrants');
  const query = useQuery(creditgrantsQueries.ownCredits());
  useLive('bills', [creditgrantsKey()]);
  // Credit belongs to the operator; a reseller's customer has none.
  if (isRefused(query.error)) return null;
  return (
    <Section
      title={t('creditgrants.card_title')}
      actions={
        <Button component={Link} to="/billing/credits" variant="outlined" size="small" data-screen-only>
          {t('creditgrants.card_open')}
        </Button>
      }
    >
      <QueryState query={query} skeleton={<Lines count={1} />}>
        {(credits) => <Left credits={credits} />}
      </QueryState>
    </Section>
  );
}

function Left({ credits }: { credits: OwnCredits }) {
  const { t } = useTranslation('creditgrants');
  const left = credits.totals.filter(({ paid, promotional }) => paid.minor > 0n || promotional.minor > 0n);
  if (left.length === 0)
    return (
      <Typography variant="body2" color="textSecondary">
        {t('creditgrants.card_none')}
      </Typography>
    );
  // used as: 'creditgrants.own_paid', 'creditgrants.own_promotional'
  const named = (kind: 'paid' | 'promotional', currency: string): string => {
    const label = t(`creditgrants.own_${kind}`);
    return left.length > 1 ? t('creditgrants.in_currency', { label, currency }) : label;
  };
  return (
    <Facts
      items={left.flatMap(({ currency, ...amounts }) =>
        (['paid', 'promotional'] as const)
          .filter((kind) => amounts[kind].minor > 0n)
          .map(
            (kind) =>
              [named(kind, currency), <Money key={`${currency} ${kind}`} amount={amounts[kind]} />] as const,
          ),
      )}
    />
  );
}
