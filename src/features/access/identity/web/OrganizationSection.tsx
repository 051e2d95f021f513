// The organization's part of the profile for its Users: settings, members, invitations, API keys.
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useAllows } from '#platform/web/session/use-allows.ts';
import { identityQueries } from './api.ts';
import { InvitationList } from './InvitationList.tsx';
import type { RoleChoice } from './InvitePanel.tsx';
import { MemberList } from './MemberList.tsx';
import { OrganizationForm } from './OrganizationForm.tsx';
import { OrganizationKeys } from './OrganizationKeys.tsx';

/** What the user can change; the rest is read-only. */
export type OrganizationSectionProps = {
  readonly invites: boolean;
  readonly keys: boolean;
  readonly members: boolean;
  /** The custom roles that an invited person can get. */
  readonly customRoles: readonly RoleChoice[];
};

export function OrganizationSection({
  invites,
  keys,
  members,
  customRoles,
  roles,
  sessionPolicy,
  exports,
}: OrganizationSectionProps & {
  /** The custom roles. */
  readonly roles?: ReactNode;
  /** How long its people stay signed in, and from which networks. */
  readonly sessionPolicy?: ReactNode;
  /** Exports of the organization's data. */
  readonly exports?: ReactNode;
}) {
  const { t } = useTranslation('identity');
  // Not refetched on focus, because the answer could overwrite the user's input.
  const allows = useAllows();
  const isShown = allows('customers:read');
  const organization = useQuery({
    ...identityQueries.organization(),
    refetchOnWindowFocus: false,
    enabled: isShown,
  });
  return (
    <>
      {isShown && (
        <Section title={t('identity.organization_settings')} lead={t('identity.organization_lead')}>
          <QueryState query={organization} skeleton={<Block height={320} />}>
            {(own) => (
              <Box sx={{ maxWidth: 720 }}>
                <OrganizationForm organization={own} />
              </Box>
            )}
          </QueryState>
        </Section>
      )}
      {allows('people:read') && <MemberList mayChange={members && allows('people:write')} />}
      {roles}
      {allows('people:read') && (
        <InvitationList mayInvite={invites && allows('people:write')} customRoles={customRoles} />
      )}
      {sessionPolicy}
      {allows('operations:read') && <OrganizationKeys mayMake={keys && allows('operations:write')} />}
      {exports}
    </>
  );
}
