// The user's profile, with sign-in methods and webhooks.
import { useRoleChoices } from '#features/access/custom-roles/web/index.ts';
import { RolesPart } from '#features/access/custom-roles/web/parts.ts';
import { ExternalIdentities } from '#features/access/federation/web/parts.ts';
import { ProfileScreen } from '#features/access/identity/web/parts.ts';
import { OwnPolicy } from '#features/access/session-policies/web/parts.ts';
import { SecuritySection } from '#features/access/signin/web/parts.ts';
import { Webhooks } from '#features/messaging/webhooks/web/parts.ts';
import { useSystemStatus } from '#features/operations/administration/web/index.ts';
import { OwnExports } from '#features/operations/personal-data/web/parts.ts';
import { PreferenceSection, useHasPreference } from '#features/receivables/einvoices/web/parts.ts';
import { useAllows } from '#platform/web/session/use-allows.ts';
import { useMay } from '../permissions/own-grants.ts';

export function Profile() {
  const ways = useSystemStatus().data?.signIn;
  const may = useMay();
  const hasPreference = useHasPreference();
  const allows = useAllows();
  const customRoles = useRoleChoices();
  return (
    <ProfileScreen
      security={<SecuritySection />}
      {...(may('user_members') && allows('people:write') && { roles: <RolesPart scope="own" /> })}
      {...(may('user_members') && allows('people:write') && { sessionPolicy: <OwnPolicy /> })}
      {...(allows('people:write') && { exports: <OwnExports /> })}
      {...(may('user_webhooks') && allows('operations:read') && { webhooks: <Webhooks /> })}
      {...(hasPreference && { einvoices: <PreferenceSection /> })}
      organization={{
        invites: may('user_invitations'),
        keys: may('user_api_keys'),
        members: may('user_members'),
        customRoles,
      }}
      {...((ways?.google || ways?.oidc) && { signIns: <ExternalIdentities /> })}
    />
  );
}
