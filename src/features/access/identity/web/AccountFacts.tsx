// Facts of an account that the user cannot change (R-AUTH-17).
import Box from '@mui/material/Box';
import type { User } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { MemberLevel } from './MemberLevel.tsx';

export function AccountFacts({ user }: { user: User }) {
  const { t } = useTranslation('identity');
  const format = useFormat();
  const isNormal = user.status === 'active';
  // used as: 'identity.role_*'
  return (
    <Facts
      items={[
        [
          t('identity.user_id'),
          <Box
            key="id"
            component="span"
            sx={{
              display: 'inline-flex',
              alignItems: 'center',
              gap: 0.5,
              fontFamily: 'monospace',
              fontSize: '0.8125rem',
            }}
          >
            {user.id}
            <CopyButton text={user.id} label={t('identity.copy_user_id')} />
          </Box>,
        ],
        [t('identity.account'), user.account],
        [
          t('identity.status'),
          <StatusBadge
            key="status"
            tone={isNormal ? 'success' : 'neutral'}
            label={t(isNormal ? 'identity.status_normal' : 'identity.status_inactive')}
          />,
        ],
        [t('identity.role'), t(`identity.role_${user.role}`)],
        ...(user.organization === null ? [] : [[t('identity.organization'), user.organization] as const]),
        [t('identity.member_level'), <MemberLevel key="level" level={user.memberLevel} />],
        [t('identity.registered_on'), format.dayTable(user.registeredOn)],
        [
          t('identity.last_sign_in'),
          user.lastSignInAt ? (
            <Moment key="seen" at={user.lastSignInAt} as="dateTime" />
          ) : (
            t('identity.never_signed_in')
          ),
        ],
        [t('identity.two_factor'), t(user.twoFactor ? 'identity.two_factor_on' : 'identity.two_factor_off')],
      ]}
    />
  );
}
