// Sets the console up in three steps: basic info, first Admin, complete (R-AUTH-21).
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Link } from 'react-router';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { signIn } from '#platform/web/session/session.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { Steps } from '#platform/web/ui/Steps.tsx';
import { useCall } from '#platform/web/api/queries.ts';
import { administrationApi } from './api.ts';
import { SetupAdmin, type AdminValues } from './SetupAdmin.tsx';
import { SetupBasic } from './SetupBasic.tsx';
import { SetupDone } from './SetupDone.tsx';
import { readSetup, rememberSetup, type BasicValues } from './setup-values.ts';
import { askStatusAgain, useSystemStatus } from './status.ts';

export function SetupScreen() {
  const { t } = useTranslation('administration');
  const status = useSystemStatus();
  const [isDone, setIsDone] = useState(false);
  return (
    <Page title={t('administration.setup_title')} lead={t('administration.setup_lead')} width="form">
      <QueryState query={status}>
        {({ initialized }) =>
          initialized && !isDone ? <Closed /> : <Wizard isDone={isDone} onDone={() => setIsDone(true)} />
        }
      </QueryState>
    </Page>
  );
}

function Closed() {
  const { t } = useTranslation('administration');
  const isSignedIn = useAuthStore((auth) => auth.isAuthenticated);
  return (
    <Section>
      <EmptyState
        title={t('administration.closed_title')}
        hint={t('administration.closed_text')}
        action={
          <Button component={Link} to={isSignedIn ? '/' : '/login'} variant="contained">
            {t(isSignedIn ? 'administration.to_home' : 'administration.to_login')}
          </Button>
        }
      />
    </Section>
  );
}

function Wizard({ isDone, onDone }: { isDone: boolean; onDone: () => void }) {
  const { t } = useTranslation('administration');
  const language = useLanguage();
  const [basic, setBasic] = useState<BasicValues>(() => readSetup(language));
  const [step, setStep] = useState<0 | 1>(0);
  const initialize = useCall(administrationApi.initialize);
  const labels = [
    t('administration.step_basic'),
    t('administration.step_admin'),
    t('administration.step_done'),
  ];
  const toAdmin = (values: BasicValues) => {
    setBasic(values);
    rememberSetup(values);
    setStep(1);
  };
  const finish = async ({ account, name, password }: AdminValues) => {
    const { setupToken, ...rest } = basic;
    const answer = await initialize.mutateAsync({
      setupToken,
      basic: rest,
      admin: { account, name, password },
    });
    rememberSetup(undefined);
    onDone();
    signIn(answer);
    // Not earlier: the changed status closes the set-up.
    void askStatusAgain();
  };
  return (
    <>
      <Box sx={{ paddingBlock: 1 }}>
        <Steps labels={labels} current={isDone ? 3 : step} />
      </Box>
      {isDone ? (
        <SetupDone />
      ) : (
        <Section title={labels[step] ?? ''}>
          {step === 0 ? (
            <SetupBasic values={basic} onNext={toAdmin} />
          ) : (
            <SetupAdmin onBack={() => setStep(0)} onFinish={finish} />
          )}
        </Section>
      )}
    </>
  );
}
