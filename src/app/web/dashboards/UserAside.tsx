// Next to the subscriptions: account, notices and frequent actions.
import ChevronRightOutlined from '~icons/ic/outline-chevron-right';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Suspense } from 'react';
import { Link } from 'react-router';
import { dueNext } from '#features/invoicing/billing/contract.ts';
import { MemberLevel } from '#features/access/identity/web/parts.ts';
import { NotificationLine } from '#features/messaging/notifications/web/parts.ts';
import { TopUpButton } from '#features/receivables/payments/web/parts.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import type { UserDashboard } from '../../console/contract.ts';
import type { Seller } from '#features/invoicing/resellers/web/parts.ts';
import { mayOpen } from '../../menu.ts';

type AsideProps = { readonly dashboard: UserDashboard; readonly seller: Seller };

export function UserAside({ dashboard, seller }: AsideProps) {
  return (
    <Stack sx={{ gap: { xs: 2, sm: 3 }, minWidth: 0 }}>
      <Account dashboard={dashboard} seller={seller} />
      <Latest dashboard={dashboard} />
      <QuickActions seller={seller} />
    </Stack>
  );
}

function Account({ dashboard, seller }: AsideProps) {
  const { t } = useTranslation('console');
  const user = useAuthStore((auth) => auth.user);
  return (
    <Section title={t('user_dashboard.account')}>
      <Facts
        items={[
          [t('user_dashboard.organization'), user?.organization ?? '–'],
          [
            t('user_dashboard.member_level'),
            <Suspense key="level" fallback="…">
              <MemberLevel level={dashboard.memberLevel} />
            </Suspense>,
          ],
          [
            t('user_dashboard.next_payment'),
            <NextPayment key="next" dashboard={dashboard} seller={seller} />,
          ],
        ]}
      />
    </Section>
  );
}

/** The amount and date of the bill due first, or of the current month; and how it is paid. */
function NextPayment({ dashboard, seller }: { dashboard: UserDashboard; seller: Seller }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const [next] = dashboard.openBills;
  const [running] = dashboard.current.bills;
  const amount = next ? dueNext(next) : running?.total;
  if (!amount || amount.minor <= 0n) return t('user_dashboard.nothing_due');
  const balance = dashboard.balance.balances.find((one) => one.currency === amount.currency)?.minor ?? 0n;
  const { isOn } = dashboard.balance.automatic;
  return (
    <>
      <NoWrap
        text={
          next
            ? t('user_dashboard.payment_on', {
                amount: format.money(amount),
                date: next.instalment ? format.day(next.instalment.on) : format.date(next.dueAt),
              })
            : t('user_dashboard.payment_issued', {
                amount: format.money(amount),
                date: format.date(dashboard.current.periodEnd),
              })
        }
      />
      <Typography variant="caption" component="p" color="textSecondary">
        {seller
          ? t('user_dashboard.billed_by', { seller })
          : t(
              !isOn
                ? 'user_dashboard.pays_self'
                : balance >= amount.minor
                  ? 'user_dashboard.pays_automatic'
                  : 'user_dashboard.pays_short',
            )}
      </Typography>
    </>
  );
}

function Latest({ dashboard }: Pick<AsideProps, 'dashboard'>) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const user = useAuthStore((auth) => auth.user);
  const { unread, items } = dashboard.notifications;
  return (
    <Section
      title={
        unread > 0
          ? t('user_dashboard.notifications_unread', { count: format.number(unread) })
          : t('menu.notifications')
      }
      flush
      actions={
        <Button size="small" component={Link} to="/user/notifications">
          {t('user_dashboard.all')}
        </Button>
      }
    >
      {items.length === 0 && <EmptyState compact title={t('user_dashboard.no_notifications')} />}
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {items.map((item) => (
          <Box
            component="li"
            key={item.id}
            sx={{
              padding: { xs: '12px 16px', sm: '12px 24px' },
              borderTop: '1px solid',
              borderColor: 'divider',
            }}
          >
            <NotificationLine
              notification={item}
              to={item.link !== null && mayOpen(user, item.link.split('?')[0] ?? '') ? item.link : undefined}
            />
          </Box>
        ))}
      </Box>
    </Section>
  );
}

function QuickActions({ seller }: Pick<AsideProps, 'seller'>) {
  const { t } = useTranslation('console');
  const ways = [
    ['/service/overview', t('user_dashboard.subscribe_new')],
    ['/usage/statistics', t('menu.usage')],
    ...(seller ? [] : [['/billing/management?view=payments', t('user_dashboard.payments')] as const]),
    ['/user/profile', t('menu.profile')],
  ] as const;
  return (
    <Section title={t('user_dashboard.quick_actions')}>
      <Stack
        sx={{ gap: 0.5, alignItems: 'stretch', ...(!seller && { '& > :last-child': { marginTop: 1 } }) }}
      >
        {ways.map(([to, label]) => (
          <Button
            key={to}
            component={Link}
            to={to}
            endIcon={<ChevronRightOutlined />}
            sx={{ justifyContent: 'space-between', marginInline: '-12px', paddingInline: '12px' }}
          >
            {label}
          </Button>
        ))}
        {!seller && <TopUpButton />}
      </Stack>
    </Section>
  );
}
