// An organization's own credit: the remaining amount, each grant, auto top-up, and movements.
import { inLanguage } from '#kernel/language.ts';
import AddCardOutlined from '~icons/ic/outline-add-card';
import RedeemOutlined from '~icons/ic/outline-redeem';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { subtractMoney, type Money as Amount } from '#kernel/money.ts';
import { menuRole } from '#kernel/roles.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { FullTable } from '#platform/web/ui/FullTable.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Grid, Section } from '#platform/web/ui/Section.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { Parts } from '#platform/web/ui/Parts.tsx';
import type { OwnCredits as Credits, OwnMovement } from '../contract.ts';
import { creditgrantsKey, creditgrantsQueries } from './api.ts';
import { StoppedServices } from './CoverNotice.tsx';
import { GrantItem } from './GrantItem.tsx';
import { TopUpSettings } from './TopUpSettings.tsx';

/** The form is only loaded when it is opened. */
const BuyDialog = lazyComponent(() => import('./BuyDialog.tsx').then((module) => module.BuyDialog)).Component;

/** The sections of the page on the own organization's credit. */
export function OwnCredits() {
  useLive('bills', [creditgrantsKey()]);
  useLive('usage', [creditgrantsKey('ownCredits')]);
  const query = useQuery(creditgrantsQueries.ownCredits());
  const [isBuying, setIsBuying] = useState(false);
  const mayChange = useAuthStore((auth) => auth.isAuthenticated && menuRole(auth.user?.role) === 'User');
  return (
    <QueryState query={query} skeleton={<Lines count={12} />}>
      {(credits) => (
        <Parts>
          <StoppedServices onBuy={credits.offer && mayChange ? () => setIsBuying(true) : undefined} />
          <Totals credits={credits} />
          <Grants credits={credits} onBuy={mayChange ? () => setIsBuying(true) : undefined} />
          <TopUpSettings credits={credits} mayChange={mayChange} />
          {credits.movements.length > 0 && <History movements={credits.movements} />}
          {isBuying && credits.offer && (
            <Suspense fallback={null}>
              <BuyDialog totals={credits.totals} offer={credits.offer} onClose={() => setIsBuying(false)} />
            </Suspense>
          )}
        </Parts>
      )}
    </QueryState>
  );
}

function Totals({ credits: { totals } }: { credits: Credits }) {
  const { t } = useTranslation('creditgrants');
  const format = useFormat();
  const label = (key: 'own_paid' | 'own_promotional' | 'own_balance', currency: string) =>
    totals.length > 1
      ? t('creditgrants.in_currency', { label: t(`creditgrants.${key}`), currency })
      : t(`creditgrants.${key}`);
  // The usage so far would take this amount when the month is billed.
  const note = (
    use: Amount,
    left: Amount,
    otherwise: 'creditgrants.own_paid_note' | 'creditgrants.own_promotional_note',
  ): string =>
    use.minor === 0n
      ? t(otherwise)
      : t('creditgrants.own_planned', {
          use: format.money(use),
          left: format.money(subtractMoney(left, use)),
        });
  // used as: 'creditgrants.own_*'
  return (
    <Grid columns={3}>
      {totals.flatMap(({ currency, paid, promotional, planned, balance }) => [
        <StatCard
          key={`${currency} paid`}
          label={label('own_paid', currency)}
          value={format.moneyShort(paid)}
          note={note(planned.paid, paid, 'creditgrants.own_paid_note')}
        />,
        <StatCard
          key={`${currency} promotional`}
          label={label('own_promotional', currency)}
          value={format.moneyShort(promotional)}
          note={note(planned.promotional, promotional, 'creditgrants.own_promotional_note')}
        />,
        <StatCard
          key={`${currency} balance`}
          label={label('own_balance', currency)}
          value={format.moneyShort(balance)}
          note={
            // Large enough for touch.
            <Link
              component={RouterLink}
              to="/billing/management"
              sx={{ display: 'inline-flex', alignItems: 'center', minHeight: 44, marginBlock: '-12px' }}
            >
              {t('creditgrants.own_balance_note')}
            </Link>
          }
        />,
      ])}
    </Grid>
  );
}

function Grants({ credits, onBuy }: { credits: Credits; onBuy: (() => void) | undefined }) {
  const { t } = useTranslation('creditgrants');
  const format = useFormat();
  const [isAll, setIsAll] = useState(false);
  const open = credits.grants.filter(({ state }) => state === 'active' || state === 'upcoming');
  const ended = credits.grants.filter((grant) => !open.includes(grant));
  const { offer } = credits;
  const buy = offer && onBuy && (
    <Button
      variant="contained"
      startIcon={<AddCardOutlined />}
      aria-haspopup="dialog"
      data-screen-only
      onClick={onBuy}
    >
      {t('creditgrants.buy')}
    </Button>
  );
  return (
    <Section
      title={t('creditgrants.own_grants')}
      {...(open.length > 0 && { lead: t('creditgrants.own_lead'), actions: buy })}
    >
      {open.length === 0 ? (
        <EmptyState
          compact
          icon={<RedeemOutlined />}
          title={t('creditgrants.own_empty')}
          hint={t(buy ? 'creditgrants.own_empty_buy' : 'creditgrants.own_empty_hint')}
          action={buy}
        />
      ) : (
        <List grants={open} label={t('creditgrants.own_grants')} />
      )}
      {ended.length > 0 && (
        <Box sx={{ marginTop: 2 }}>
          <Button size="small" aria-expanded={isAll} onClick={() => setIsAll(!isAll)} data-screen-only>
            {isAll
              ? t('creditgrants.hide_ended')
              : t('creditgrants.show_ended', { count: format.number(ended.length) })}
          </Button>
          {isAll && (
            <Box sx={{ marginTop: 2 }}>
              <List grants={ended} label={t('creditgrants.ended')} />
            </Box>
          )}
        </Box>
      )}
    </Section>
  );
}

function List({ grants, label }: { grants: Credits['grants']; label: string }) {
  return (
    <Box
      component="ul"
      aria-label={label}
      sx={{
        listStyle: 'none',
        margin: 0,
        padding: 0,
        display: 'grid',
        gap: '24px 40px',
        gridTemplateColumns: {
          xs: 'minmax(0, 1fr)',
          lg: grants.length > 1 ? 'repeat(2, minmax(0, 1fr))' : 'minmax(0, 1fr)',
        },
      }}
    >
      {grants.map((grant) => (
        <GrantItem key={grant.id} grant={grant} />
      ))}
    </Box>
  );
}

function History({ movements }: { movements: readonly OwnMovement[] }) {
  const { t } = useTranslation('creditgrants');
  const format = useFormat();
  // used as: 'creditgrants.moved_*'
  const columns: readonly Column<OwnMovement>[] = [
    {
      key: 'what',
      label: t('creditgrants.what'),
      card: 'title',
      render: ({ kind, bill, month }) => (
        <>
          {t(`creditgrants.moved_${kind}`)}
          {bill && (
            <>
              {' · '}
              <Link component={RouterLink} to={`/billing/management?month=${month}`} className="tabular">
                {bill.number}
              </Link>
            </>
          )}
        </>
      ),
    },
    {
      key: 'grant',
      label: t('creditgrants.grant'),
      render: ({ grant }) => inLanguage(grant, format.language),
    },
    {
      key: 'month',
      label: t('creditgrants.of_month'),
      show: 'wide',
      card: 'hidden',
      render: ({ month }) => format.month(month),
    },
    {
      key: 'at',
      label: t('creditgrants.at'),
      render: ({ at }) => <Moment at={at} as="dateTime" />,
    },
    {
      key: 'amount',
      label: t('creditgrants.column_amount'),
      align: 'right',
      render: ({ amount }) => (
        <Box component="span" className="tabular" sx={{ whiteSpace: 'nowrap' }}>
          {format.moneyChange(amount)}
        </Box>
      ),
    },
    {
      key: 'after',
      label: t('creditgrants.column_left'),
      align: 'right',
      show: 'wide',
      render: ({ after }) => <Money amount={after} />,
    },
  ];
  return (
    <FullTable
      title={t('creditgrants.movements')}
      columns={columns}
      rows={movements}
      rowKey={(movement) => movement.id}
      rowName={(movement) => inLanguage(movement.grant, format.language)}
    />
  );
}
