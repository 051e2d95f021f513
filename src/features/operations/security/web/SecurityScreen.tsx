// Failed sign-ins, blocked accounts and addresses, open sessions, and weaknesses (R-ADM-01).
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import type { SecurityState } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Grid } from '#platform/web/ui/Section.tsx';
import { Sparkline } from '#platform/web/ui/Sparkline.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { securityQueries } from './api.ts';
import { ExpiringKeys } from './ExpiringKeys.tsx';
import { HeadersInForce } from './HeadersInForce.tsx';
import { OpenSessions } from './OpenSessions.tsx';
import { RefusedList } from './RefusedList.tsx';
import { SecondFactors } from './SecondFactors.tsx';
import { WaitingList } from './WaitingList.tsx';

const refreshMs = 15_000;

export function SecurityScreen({
  sessionPolicy,
}: {
  /** How long Admins stay signed in, and from which networks. */ readonly sessionPolicy: ReactNode;
}) {
  const { t } = useTranslation('security');
  const query = useQuery({ ...securityQueries.securityState(), staleTime: 0, refetchInterval: refreshMs });
  return (
    <Page title={t('security.title')} lead={t('security.lead')}>
      <QueryState
        query={query}
        skeleton={
          <>
            <Block height={140} />
            <Block height={200} />
            <Block height={240} />
          </>
        }
      >
        {(state) => (
          <>
            <Attention state={state} />
            <Figures state={state} />
            <WaitingList waiting={state.waiting} />
            <Grid columns={2}>
              <SecondFactors state={state} />
              <ExpiringKeys keys={state.keys} />
            </Grid>
          </>
        )}
      </QueryState>
      <RefusedList />
      <OpenSessions />
      {sessionPolicy}
      <HeadersInForce />
    </Page>
  );
}

function Attention({ state: { adminsWithout, adminsMustHaveOne } }: { state: SecurityState }) {
  const { t } = useTranslation('security');
  const format = useFormat();
  if (adminsWithout.length === 0) return null;
  const action = !adminsMustHaveOne && (
    <Button component={RouterLink} to="/admin/system-settings?section=security" color="inherit" size="small">
      {t('security.attention_factor_action')}
    </Button>
  );
  return (
    <Alert
      severity="warning"
      action={action}
      sx={{ flexWrap: 'wrap', '& .MuiAlert-message': { flex: '1 1 200px' } }}
    >
      {t('security.attention_factor', {
        count: adminsWithout.length,
        names: format.list(adminsWithout.map(({ name }) => name)),
      })}
    </Alert>
  );
}

function Figures({
  state: { refused, waiting, sessions, secondFactor, adminsMustHaveOne },
}: {
  state: SecurityState;
}) {
  const { t } = useTranslation('security');
  const format = useFormat();
  const admins = secondFactor.find(({ role }) => role === 'Admin');
  return (
    <Grid columns={4} pairs>
      <StatCard
        label={t('security.refused_day')}
        value={format.number(refused.reduce((sum, { count }) => sum + count, 0))}
        graphic={
          <Sparkline values={refused.map(({ count }) => count)} min={0} label={t('security.refused_curve')} />
        }
      />
      <StatCard
        label={t('security.waiting_now')}
        value={format.number(waiting.total)}
        note={t('security.waiting_note')}
      />
      <StatCard
        label={t('security.sessions_open')}
        value={format.number(sessions.open)}
        note={t('security.sessions_admins', { count: format.number(sessions.admins) })}
      />
      <StatCard
        label={t('security.admin_factor')}
        value={t('security.of', {
          on: format.number(admins?.on ?? 0),
          total: format.number(admins?.total ?? 0),
        })}
        note={t(adminsMustHaveOne ? 'security.admin_factor_required' : 'security.admin_factor_free')}
      />
    </Grid>
  );
}
