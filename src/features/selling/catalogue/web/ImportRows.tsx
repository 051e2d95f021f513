// The rows of an import: the planned action and the errors of each.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ImportTable } from '#platform/web/ui/ImportTable.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { ServiceImport } from '../contract.ts';

type Row = ServiceImport['rows'][number];
/** Nobody would read a longer list; the counts above cover all rows. */
const most = 200;
const order: readonly Row['action'][] = ['refused', 'update', 'create', 'unchanged'];

/** Rows with errors first, then changes. */
export function ImportRows({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const shown = rows
    .toSorted((a, b) => order.indexOf(a.action) - order.indexOf(b.action) || a.row - b.row)
    .slice(0, most);
  return (
    <Box>
      {/* used as: 'catalogue.import_action_*' */}
      <ImportTable
        label={t('catalogue.import_rows')}
        heads={[t('catalogue.import_row'), t('catalogue.name'), t('catalogue.import_result')]}
        rows={shown.map(({ row, name, action, newPrice, errors }) => ({
          key: row,
          row,
          name,
          action,
          outcome: t(
            action === 'update' && newPrice
              ? 'catalogue.import_new_price'
              : `catalogue.import_action_${action}`,
          ),
          problems: errors.map(({ column, message }) =>
            column === '' || message.includes(column)
              ? message
              : t('catalogue.with_name', { name: column, value: message }),
          ),
        }))}
        maxHeight={360}
      />
      {rows.length > most && (
        <Typography variant="caption" color="textSecondary">
          {t('catalogue.import_rows_more', { shown: format.number(most), total: format.number(rows.length) })}
        </Typography>
      )}
    </Box>
  );
}
