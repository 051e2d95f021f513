// An organization's figures, its state with the Admin's actions, and links to its other pages.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { Id } from '#kernel/ids.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { OrganizationAccount } from '../../console/contract.ts';
import { Amounts } from './Amounts.tsx';
import { organizationsQueries } from './api.ts';
import { StateDialog, type StateChange } from './StateDialog.tsx';
import { stateTones } from './states.ts';

export function OrganizationAccountPart({ organizationId }: { organizationId: Id<'org'> }) {
  const query = useQuery(organizationsQueries.getOrganizationAccount({ organizationId }));
  return (
    <QueryState query={query} skeleton={<Lines count={6} />}>
      {(account) => (
        <Stack sx={{ gap: 3 }}>
          <State account={account} />
          <Figures account={account} />
        </Stack>
      )}
    </QueryState>
  );
}

function State({ account }: { account: OrganizationAccount }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const [change, setChange] = useState<StateChange>();
  const label = t(`organizations.state_${account.state}`);
  const isByAdmin = account.state === 'suspended' && account.reason !== '';
  const button = (to: StateChange, color: 'primary' | 'error') => (
    <Button
      aria-haspopup="dialog"
      size="small"
      variant="outlined"
      color={color}
      onClick={() => setChange(to)}
    >
      {t(`organizations.${to}`)}
    </Button>
  ); // used as: 'organizations.suspend', 'organizations.resume', 'organizations.close', 'organizations.reopen'
  return (
    <Box component="section" aria-label={t('organizations.state')}>
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
        <StatusBadge
          tone={stateTones[account.state]}
          label={
            account.stateSince
              ? t('organizations.since', { state: label, when: format.dateTime(account.stateSince) })
              : label
          }
        />
        <Box sx={{ flex: 1 }} />
        <Stack direction="row" sx={{ gap: 1 }}>
          {account.state === 'closed' ? (
            button('reopen', 'primary')
          ) : (
            <>
              {isByAdmin ? button('resume', 'primary') : button('suspend', 'error')}
              {button('close', 'error')}
            </>
          )}
        </Stack>
      </Stack>
      {account.reason !== '' && (
        <Typography variant="body2" color="textSecondary" sx={{ marginTop: 1 }}>
          {t('organizations.because', { reason: account.reason })}
        </Typography>
      )}
      {account.isDunned && (
        <Alert severity="warning" sx={{ marginTop: 1 }}>
          {t('organizations.dunned')}
        </Alert>
      )}
      {account.stopped.map(({ service, since }) => (
        <Alert key={service} severity="warning" sx={{ marginTop: 1 }}>
          {t('organizations.stopped', { service, when: format.dateTime(since) })}{' '}
          <Link
            component={RouterLink}
            to={`/admin/credit-grants?q=${encodeURIComponent(account.name)}`}
            color="inherit"
          >
            {t('organizations.link_credit')}
          </Link>
        </Alert>
      ))}
      {change && <StateDialog account={account} change={change} onClose={() => setChange(undefined)} />}
    </Box>
  );
}

function Figures({ account }: { account: OrganizationAccount }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const name = encodeURIComponent(account.name);
  const ways: readonly (readonly [label: string, path: string])[] = [
    [
      t('organizations.with_count', {
        name: t('organizations.link_users'),
        count: format.number(account.members),
      }),
      `/admin/user-management?organizationId=${account.id}`,
    ],
    [
      t('organizations.with_count', {
        name: t('organizations.link_bills'),
        count: format.number(account.openBills),
      }),
      `/admin/billing?bills-q=${name}`,
    ],
    [t('organizations.link_payments'), `/admin/payments?q=${name}`],
    [t('organizations.link_statement'), `/admin/ledger?view=accounts&q=${name}`],
    [
      t('organizations.with_count', {
        name: t('organizations.link_keys'),
        count: format.number(account.keys),
      }),
      `/admin/api-keys?q=${name}`,
    ],
  ];
  return (
    <PanelPart title={t('organizations.figures')}>
      <Facts
        items={[
          [t('organizations.balance'), <Amounts key="balance" amounts={account.balances} />],
          [t('organizations.owed'), <Amounts key="owed" amounts={account.owed} />],
          [t('organizations.open_bills'), format.number(account.openBills)],
          [t('organizations.subscriptions'), format.number(account.subscriptions)],
          [t('organizations.keys'), format.number(account.keys)],
        ]}
      />
      <Stack
        component="nav"
        direction="row"
        aria-label={t('organizations.links')}
        sx={{ gap: 2, flexWrap: 'wrap', marginTop: 1.5 }}
      >
        {ways.map(([label, path]) => (
          <Link key={path} component={RouterLink} to={path} variant="body2">
            {label}
          </Link>
        ))}
      </Stack>
    </PanelPart>
  );
}
