// Allowed or not, as icon and word; and other credentials that a route accepts.
import BlockOutlined from '~icons/ic/outline-block';
import CheckCircleOutlined from '~icons/ic/outline-check-circle';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { PermissionRow } from './permission-groups.ts';
import { useRowName } from './row-name.ts';

export function Verdict({ isAllowed }: { isAllowed: boolean }) {
  const { t } = useTranslation('console');
  const Icon = isAllowed ? CheckCircleOutlined : BlockOutlined;
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: '6px',
        whiteSpace: 'nowrap',
        color: isAllowed ? 'success.main' : 'text.secondary',
      }}
    >
      <Icon aria-hidden sx={{ fontSize: 18 }} />
      {t(isAllowed ? 'permissions.allowed' : 'permissions.denied')}
    </Box>
  );
}

/** Name and path of a page or a call. */
export function RouteName({ row }: { row: PermissionRow }) {
  const name = useRowName()(row);
  return (
    <>
      <Typography variant="body2" component="span" sx={{ display: 'block' }}>
        {name}
      </Typography>
      <Box
        component="code"
        sx={{
          fontFamily: 'monospace',
          fontSize: '0.8125rem',
          overflowWrap: 'anywhere',
          color: 'text.secondary',
        }}
      >
        {row.call ? `${row.call.method} ${row.path}` : row.path}
      </Box>
    </>
  );
}

/** The credentials that a route accepts instead of, or besides, a role; empty for most. */
export function useAccessNote(): (row: PermissionRow) => string {
  const { t } = useTranslation('console');
  return ({ call }) => {
    if (call?.access === 'public') return t('permissions.public');
    if (call?.access === 'cookie') return t('permissions.cookie');
    // used as: 'permissions.key_*'
    return (call?.keyScopes ?? []).map((scope) => t(`permissions.key_${scope}`)).join(' · ');
  };
}
