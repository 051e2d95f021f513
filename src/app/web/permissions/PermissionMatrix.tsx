// A table of routes by role, grouped by feature; the first column and the headings stay visible.
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { roles } from '#kernel/roles.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useGroupName } from './group-name.ts';
import type { PermissionGroup } from './permission-groups.ts';
import { RouteName, useAccessNote, Verdict } from './Verdict.tsx';

/** If the column of notes would be outside the visible area, notes are below their routes. */
const column = { display: { xs: 'none', md: 'table-cell' } } as const;
const below = { display: { md: 'none' } } as const;
const sticky = {
  position: 'sticky',
  insetInlineStart: 0,
  zIndex: 1,
  bgcolor: 'background.paper',
  borderInlineEnd: '1px solid',
  borderColor: 'divider',
} as const;

export function PermissionMatrix({ groups }: { groups: readonly PermissionGroup[] }) {
  const { t } = useTranslation('console');
  const groupName = useGroupName();
  const noteOf = useAccessNote();
  return (
    <TableContainer
      tabIndex={0}
      role="region"
      aria-label={t('permissions.matrix')}
      sx={{ maxHeight: 'max(480px, calc(100dvh - 160px))' }}
    >
      <Table
        stickyHeader
        size="small"
        aria-label={t('permissions.matrix')}
        sx={{ '& tr > :first-child': { paddingInlineStart: '24px' } }}
      >
        <TableHead>
          <TableRow>
            <TableCell sx={{ ...sticky, zIndex: 3, bgcolor: 'sunken', minWidth: 280 }}>
              {t('permissions.route')}
            </TableCell>
            {roles.map((role) => (
              <TableCell key={role}>{t(`role.${role}`)}</TableCell>
            ))}
            <TableCell sx={{ ...column, minWidth: 160 }}>{t('permissions.note')}</TableCell>
          </TableRow>
        </TableHead>
        {groups.map((group) => (
          <TableBody key={group.name} aria-label={groupName(group.name)}>
            <TableRow>
              <TableCell
                component="th"
                scope="rowgroup"
                sx={{ ...sticky, bgcolor: 'background.default', borderInlineEnd: 0 }}
              >
                <Typography variant="subtitle2" component="span">
                  {groupName(group.name)}
                </Typography>
              </TableCell>
              {roles.map((role) => (
                <TableCell
                  key={role}
                  sx={{ bgcolor: 'background.default', color: 'text.secondary', whiteSpace: 'nowrap' }}
                >
                  {t('permissions.count', {
                    allowed: group.rows.filter((row) => row.allowed.includes(role)).length,
                    all: group.rows.length,
                  })}
                </TableCell>
              ))}
              <TableCell sx={{ ...column, bgcolor: 'background.default' }} />
            </TableRow>
            {group.rows.map((row) => (
              <TableRow key={row.key}>
                <TableCell
                  component="th"
                  scope="row"
                  sx={{ ...sticky, fontWeight: 400, paddingBlock: '6px' }}
                >
                  <RouteName row={row} />
                  {noteOf(row) !== '' && (
                    <Typography variant="caption" component="p" color="textSecondary" sx={below}>
                      {noteOf(row)}
                    </Typography>
                  )}
                </TableCell>
                {roles.map((role) => (
                  <TableCell key={role}>
                    <Verdict isAllowed={row.allowed.includes(role)} />
                  </TableCell>
                ))}
                <TableCell sx={{ ...column, color: 'text.secondary' }}>{noteOf(row)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        ))}
      </Table>
    </TableContainer>
  );
}
