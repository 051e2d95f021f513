// The user's own profile: data, security, devices, contact, organization, account facts (R-AUTH-17,
// R-AUTH-19, R-AUTH-20).
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { User } from '../contract.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { identityQueries } from './api.ts';
import { AccountFacts } from './AccountFacts.tsx';
import { ContactForm } from './ContactForm.tsx';
import { OrganizationSection, type OrganizationSectionProps } from './OrganizationSection.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import { SectionLayout } from '#platform/web/ui/SectionLayout.tsx';
import { SessionSection } from './SessionSection.tsx';

export type ProfileScreenProps = {
  /** Password and second factors. */
  readonly security: ReactNode;
  /** Sign-in through other providers, below `security`. */
  readonly signIns?: ReactNode;
  /** For Users: the organization's custom roles. */
  readonly roles?: ReactNode;
  /** For Users: how long their organization's people stay signed in, and from which networks. */
  readonly sessionPolicy?: ReactNode;
  /** For Users: exports of the organization's data. */
  readonly exports?: ReactNode;
  /** For Users: the organization's webhooks. */
  readonly webhooks?: ReactNode;
  /** For Users: where the organization's e-invoices are stored. */
  readonly einvoices?: ReactNode;
  /** For Users: what they can change in their organization besides its settings. */
  readonly organization?: OrganizationSectionProps;
};

const all: OrganizationSectionProps = { invites: true, keys: true, members: true, customRoles: [] };

export function ProfileScreen({
  security,
  signIns,
  roles,
  sessionPolicy,
  exports,
  webhooks,
  einvoices,
  organization = all,
}: ProfileScreenProps) {
  const { t } = useTranslation('identity');
  const role = useAuthStore((auth) => auth.user?.role);
  // Not refetched on focus, because the answer could overwrite the user's input.
  const profile = useQuery({ ...identityQueries.profile(), refetchOnWindowFocus: false });
  const withUser = (height: number, content: (user: User) => ReactNode) => (
    <QueryState query={profile} skeleton={<Block height={height} />}>
      {content}
    </QueryState>
  );
  const section = (title: string, content: ReactNode, lead?: string) => (
    <Section title={title} lead={lead}>
      <Box sx={{ maxWidth: 720 }}>{content}</Box>
    </Section>
  );
  const parts = [
    {
      name: 'basic',
      label: t('identity.profile_basic'),
      content: section(
        t('identity.profile_basic'),
        withUser(360, (user) => <ProfileForm user={user} />),
      ),
    },
    {
      name: 'security',
      label: t('identity.profile_security'),
      content: (
        <>
          {section(t('identity.profile_security'), security)}
          {signIns !== undefined && section(t('identity.profile_sign_ins'), signIns)}
        </>
      ),
    },
    { name: 'sessions', label: t('identity.profile_sessions'), content: <SessionSection /> },
    {
      name: 'contact',
      label: t('identity.profile_contact'),
      content: section(
        t('identity.profile_contact'),
        withUser(140, (user) => <ContactForm user={user} />),
        t('identity.contact_lead'),
      ),
    },
    ...(role === 'User'
      ? [
          {
            name: 'organization',
            label: t('identity.profile_organization'),
            content: (
              <OrganizationSection
                {...organization}
                roles={roles}
                sessionPolicy={sessionPolicy}
                exports={exports}
              />
            ),
          },
          ...(einvoices === undefined
            ? []
            : [{ name: 'einvoices', label: t('identity.profile_einvoices'), content: einvoices }]),
          ...(webhooks === undefined
            ? []
            : [{ name: 'webhooks', label: t('identity.profile_webhooks'), content: webhooks }]),
        ]
      : []),
    {
      name: 'account',
      label: t('identity.profile_account'),
      content: section(
        t('identity.profile_account'),
        withUser(240, (user) => <AccountFacts user={user} />),
      ),
    },
  ];
  return (
    <Page title={t(role === 'Admin' ? 'identity.account_title' : 'identity.profile_title')}>
      <SectionLayout label={t('identity.profile_sections')} parts={parts} />
    </Page>
  );
}
