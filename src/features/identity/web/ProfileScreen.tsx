// The own profile: data, contact, account facts, password and open sessions (R-AUTH-17, R-AUTH-19).
import { useQuery } from '@tanstack/react-query';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import type { User } from '#features/identity/contract.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import { identityQueries } from './api.ts';
import { ProfileForm } from './ProfileForm.tsx';
import { SessionList } from './SessionList.tsx';
import { MemberLevel } from './MemberLevel.tsx';
import { useIdentityTexts } from './texts.ts';

export type ProfileScreenProps = {
  /** What lets the person in: password, second factors. */
  readonly security: ReactNode;
  /** Outside accounts with which the person signs in. */
  readonly signIns?: ReactNode;
};

export function ProfileScreen({ security, signIns }: ProfileScreenProps) {
  const t = useIdentityTexts();
  const profile = useQuery(identityQueries.profile());
  return (
    <Page title={t('identity.profile_title')}>
      <Box sx={{ display: 'grid', gap: 3, alignItems: 'start', gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 360px' } }}>
        <Box sx={{ display: 'grid', gap: 3, minWidth: 0 }}>
          <Section title={t('identity.profile_basic')}>
            <QueryState query={profile} skeleton={<Block height={420} />}>{(user) => <ProfileForm user={user} />}</QueryState>
          </Section>
          <Section title={t('identity.profile_security')} lead={t('identity.change_password_lead')}>{security}</Section>
          {signIns !== undefined && <Section title={t('identity.profile_sign_ins')}>{signIns}</Section>}
        </Box>
        <Box sx={{ display: 'grid', gap: 3, minWidth: 0 }}>
          <Section title={t('identity.profile_account')}>
            <QueryState query={profile} skeleton={<Block height={200} />}>{(user) => <AccountFacts user={user} />}</QueryState>
          </Section>
          <Section title={t('identity.profile_sessions')}><SessionList /></Section>
        </Box>
      </Box>
    </Page>
  );
}

function AccountFacts({ user }: { user: User }) {
  const t = useIdentityTexts();
  const format = useFormat();
  const isNormal = user.status === 'active';
  // used as: 'identity.role_*'
  return (
    <Facts
      items={[
        [t('identity.user_id'), <Box key="id" component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, fontFamily: 'monospace', fontSize: '0.8125rem' }}>{user.id}<CopyButton text={user.id} label={t('identity.copy_user_id')} /></Box>],
        [t('identity.status'), <StatusBadge key="status" tone={isNormal ? 'success' : 'neutral'} label={t(isNormal ? 'identity.status_normal' : 'identity.status_inactive')} />],
        [t('identity.role'), t(`identity.role_${user.role}`)],
        ...(user.organization === null ? [] : [[t('identity.organization'), user.organization] as const]),
        [t('identity.member_level'), <MemberLevel key="level" level={user.memberLevel} />],
        [t('identity.registered_on'), format.day(user.registeredOn)],
        [t('identity.two_factor'), t(user.twoFactor ? 'identity.two_factor_on' : 'identity.two_factor_off')],
      ]}
    />
  );
}
