// The changes that saving would make to a user, before and after, and the pages that a new role loses and
// gains.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type * as z from 'zod/mini';
import type { Role } from '#kernel/roles.ts';
import type { User } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { changedUserFields } from './user-fields.ts';

type UserChangesProps = {
  readonly user: User;
  readonly typed: z.input<typeof changedUserFields>;
  readonly pagesOf: (role: Role) => readonly string[];
};

export function UserChanges({ user, typed, pagesOf }: UserChangesProps) {
  const { t } = useTranslation('identity');
  const { role } = typed;
  const organization = role === 'Admin' ? '' : (typed.organization?.name ?? '');
  const fields: readonly (readonly [label: string, before: string, after: string])[] = [
    [t('identity.name'), user.name, typed.name],
    [t('identity.phone'), user.phone, typed.phone],
    [t('identity.role'), t(`identity.role_${user.role}`), t(`identity.role_${role}`)],
    [t('identity.user_organization'), user.organization ?? '', organization],
    [t('identity.status'), t(`identity.status_${user.status}`), t(`identity.status_${typed.status}`)],
  ];
  const changes = fields.filter(([, before, after]) => before.trim() !== after.trim());
  if (changes.length === 0) return null;
  const [had, has] = [pagesOf(user.role), pagesOf(role)];
  const [lost, gained] = [
    had.filter((page) => !has.includes(page)),
    has.filter((page) => !had.includes(page)),
  ];
  const list = (pages: readonly string[]): string => pages.join(t('identity.between'));
  return (
    <Alert severity="info" icon={false} role="status">
      <Typography variant="subtitle2" component="p">
        {t('identity.changes_before_saving')}
      </Typography>
      <Box component="ul" sx={{ margin: 0, paddingInlineStart: '20px' }}>
        {changes.map(([label, before, after]) => (
          <li key={label}>
            {t('identity.change_of', { label, before: before || '–', after: after || '–' })}
          </li>
        ))}
        {lost.length > 0 && <li>{t('identity.role_loses', { count: lost.length, pages: list(lost) })}</li>}
        {gained.length > 0 && (
          <li>{t('identity.role_gains', { count: gained.length, pages: list(gained) })}</li>
        )}
      </Box>
    </Alert>
  );
}
