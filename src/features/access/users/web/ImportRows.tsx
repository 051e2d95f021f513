// The rows of an import: the planned action or the error of each; rows with errors first.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import type { UserImportRow } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ImportTable } from '#platform/web/ui/ImportTable.tsx';
import { MailAddress } from '#platform/web/ui/MailAddress.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { usersApi, usersKey } from './api.ts';

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
      {/* used as: 'users.import_action_*' */}
      <ImportTable
        label={t('users.import_rows')}
        heads={[t('users.import_row'), t('users.column_name'), t('users.import_outcome')]}
        rows={rows.map(({ id, row, name, account, action, isWritten, errors }) => ({
          key: id,
          row,
          name: (
            <>
              {name}
              <Typography variant="caption" component="span" color="textSecondary" sx={{ display: 'block' }}>
                <MailAddress text={account} />
              </Typography>
            </>
          ),
          action,
          outcome: t(isWritten ? 'users.import_written' : `users.import_action_${action}`),
          problems: errors.map(({ column, message }) =>
            column === '' ? message : t('users.with_name', { name: column, value: message }),
          ),
        }))}
        total={total}
        maxHeight={320}
      />
      {query.hasNextPage && (
        <Button size="small" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('users.import_more', { shown: format.number(rows.length), total: format.number(total) })}
        </Button>
      )}
    </Box>
  );
}
