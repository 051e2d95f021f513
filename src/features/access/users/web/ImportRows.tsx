// The rows of an import: the planned action or the mistake of each; rows with mistakes first.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import type { UserImportRow } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { MailAddress } from '#platform/web/ui/MailAddress.tsx';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { usersApi, usersKey } from './api.ts';

const tones: Record<UserImportRow['action'], BadgeTone> = {
  create: 'success',
  update: 'info',
  unchanged: 'neutral',
  refused: 'error',
};
const pageSize = 50;

export function ImportRows({ importId, total }: { importId: Id<'uim'>; total: number }) {
  const { t } = useTranslation('users');
  const format = useFormat();
  const query = useInfiniteQuery({
    queryKey: [...usersKey('listImportRows'), { importId }],
    initialPageParam: '',
    getNextPageParam: (last: Page<UserImportRow>) => last.nextCursor,
    queryFn: ({ pageParam, signal }): Promise<Page<UserImportRow>> =>
      usersApi.listImportRows(
        { importId, limit: pageSize, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
  });
  const rows = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Box>
      <TableContainer
        tabIndex={0}
        role="region"
        aria-label={t('users.import_rows')}
        sx={{ maxHeight: 320, border: '1px solid', borderColor: 'divider', borderRadius: '5px' }}
      >
        <Table
          size="small"
          // On a phone the sentences of the last column would leave an address no room.
          sx={{ tableLayout: { xs: 'fixed', sm: 'auto' } }}
          stickyHeader
          aria-label={t('users.import_rows')}
          aria-rowcount={total + 1}
        >
          <TableHead>
            <TableRow>
              <TableCell align="right" sx={{ width: { xs: 48, sm: 64 } }}>
                {t('users.import_row')}
              </TableCell>
              <TableCell sx={{ width: { xs: '44%', sm: 'auto' } }}>{t('users.column_name')}</TableCell>
              <TableCell>{t('users.import_outcome')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.map((row) => (
              <TableRow
                key={row.id}
                sx={{ '& > .MuiTableCell-root': { verticalAlign: 'top', paddingBlock: '8px' } }}
              >
                <TableCell align="right" className="tabular">
                  {format.number(row.row)}
                </TableCell>
                <TableCell sx={{ overflowWrap: 'anywhere' }}>
                  {row.name}
                  <Typography
                    variant="caption"
                    component="span"
                    color="textSecondary"
                    sx={{ display: 'block' }}
                  >
                    <MailAddress text={row.account} />
                  </Typography>
                </TableCell>
                <TableCell>
                  {/* used as: 'users.import_action_*' */}
                  <StatusBadge
                    tone={tones[row.action]}
                    label={t(row.isWritten ? 'users.import_written' : `users.import_action_${row.action}`)}
                  />
                  {row.errors.map((error) => (
                    <Typography
                      key={`${error.column} ${error.message}`}
                      variant="body2"
                      sx={{ color: 'error.main', marginTop: '4px' }}
                    >
                      {error.column === ''
                        ? error.message
                        : t('users.with_name', { name: error.column, value: error.message })}
                    </Typography>
                  ))}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
      {query.hasNextPage && (
        <Button size="small" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('users.import_more', { shown: format.number(rows.length), total: format.number(total) })}
        </Button>
      )}
    </Box>
  );
}
