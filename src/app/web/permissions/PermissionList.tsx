// One role's permissions, for phones: pages, and calls by feature, or the matches of the search.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { Role } from '#kernel/roles.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useGroupName } from './group-name.ts';
import { pagesGroup, type PermissionGroup } from './permission-groups.ts';
import { RouteName, useAccessNote, Verdict } from './Verdict.tsx';

export function PermissionList({
  groups,
  role,
  isSearched,
}: {
  groups: readonly PermissionGroup[];
  role: Role;
  isSearched: boolean;
}) {
  const { t } = useTranslation('console');
  const groupName = useGroupName();
  const noteOf = useAccessNote();
  return (
    <Box>
      {groups.map((group) => (
        <Box component="details" key={group.name} open={isSearched || group.name === pagesGroup}>
          <Box
            component="summary"
            sx={{
              boxSizing: 'border-box',
              minHeight: 44,
              padding: '10px 16px',
              bgcolor: 'background.default',
              borderBlock: '1px solid',
              borderColor: 'divider',
              cursor: 'pointer',
            }}
          >
            {/* Beside the summary's own triangle. */}
            <Box
              sx={{
                display: 'inline-flex',
                width: 'calc(100% - 20px)',
                gap: 1,
                justifyContent: 'space-between',
                verticalAlign: 'top',
              }}
            >
              <Typography variant="subtitle2" component="h3" sx={{ minWidth: 0 }}>
                {groupName(group.name)}
              </Typography>
              <Typography
                variant="body2"
                component="span"
                color="textSecondary"
                sx={{ flexShrink: 0 }}
                className="tabular"
              >
                {t('permissions.count', {
                  allowed: group.rows.filter((row) => row.allowed.includes(role)).length,
                  all: group.rows.length,
                })}
              </Typography>
            </Box>
          </Box>
          <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
            {group.rows.map((row) => (
              <Box
                component="li"
                key={row.key}
                sx={{
                  display: 'grid',
                  gridTemplateColumns: 'minmax(0, 1fr) auto',
                  gap: 1,
                  alignItems: 'center',
                  padding: '8px 16px',
                  borderBottom: '1px solid',
                  borderColor: 'divider',
                  fontSize: '0.875rem',
                }}
              >
                <Box>
                  <RouteName row={row} />
                  {noteOf(row) !== '' && (
                    <Typography variant="caption" component="p" color="textSecondary">
                      {noteOf(row)}
                    </Typography>
                  )}
                </Box>
                <Verdict isAllowed={row.allowed.includes(role)} />
              </Box>
            ))}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
