// The rows of all statements, each with its match, the reason, and actions.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { certainties, rowStates, type BankRow } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { AcceptDialog, SetAsideDialog } from './RowDialogs.tsx';
import { bankingApi, bankingKey, bankingQueries } from './api.ts';
import { MatchDialog } from './MatchDialog.tsx';
import { useTargetName } from './target-name.ts';

const tones: Record<BankRow['state'], BadgeTone> = {
  open: 'warning',
  matched: 'info',
  applied: 'success',
  ignored: 'neutral',
};
const certaintyTones: Record<NonNullable<BankRow['certainty']>, BadgeTone> = {
  certain: 'success',
  likely: 'info',
  possible: 'neutral',
};
type OpenAction = { readonly action: 'accept' | 'change' | 'ignore' | 'undo'; readonly row: BankRow };

export function BankRows({ accounts }: { accounts: readonly string[] }) {
  const { t } = useTranslation('banking');
  const format = useFormat();
  const [doing, setDoing] = useState<OpenAction>();
  const state = useTableState({
    filters: { state: rowStates, certainty: certainties, account: accounts },
    sort: '-day',
  });
  const query = usePagedQuery(bankingQueries.listRows(state.query));
  const reopen = useCall(bankingApi.reopenRow, {
    invalidates: [bankingKey()],
    onSuccess: () => toast.success(t('banking.reopened')),
    onError: (error) => toast.error(error.message),
  });
  const columns: readonly Column<BankRow>[] = [
    {
      key: 'day',
      label: t('banking.day'),
      sortable: true,
      width: 120,
      render: (row) => format.dayTable(row.day),
    },
    { key: 'words', label: t('banking.words'), card: 'title', render: (row) => <Words row={row} /> },
    {
      key: 'target',
      label: t('banking.target'),
      render: (row) => (hasTarget(row) ? <BookedFor row={row} /> : '–'),
    },
    {
      key: 'state',
      label: t('banking.state'),
      render: (row) => <StatusBadge tone={tones[row.state]} label={t(`banking.state_${row.state}`)} />,
    },
    {
      key: 'amount',
      label: t('banking.amount'),
      align: 'right',
      sortable: true,
      render: (row) => <Money amount={row.amount} strong />,
    },
  ];
  const actions = (row: BankRow): readonly RowAction[] => {
    if (row.state === 'applied')
      return [{ label: t('banking.undo'), danger: true, onClick: () => setDoing({ action: 'undo', row }) }];
    if (row.state === 'ignored')
      return [{ label: t('banking.reopen'), onClick: () => reopen.mutate({ rowId: row.id }) }];
    return [
      ...(row.target
        ? [{ label: t('banking.accept'), onClick: () => setDoing({ action: 'accept', row }) }]
        : []),
      { label: t('banking.change'), onClick: () => setDoing({ action: 'change', row }) },
      { label: t('banking.ignore'), onClick: () => setDoing({ action: 'ignore', row }) },
    ];
  };
  const close = () => setDoing(undefined);
  return (
    <>
      <DataTable
        list="bank-rows"
        label={t('banking.rows')}
        title={t('banking.rows')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(row) => row.id}
        rowName={(row) => `${format.dayTable(row.day)} ${format.money(row.amount)}`}
        searchLabel={t('banking.search')}
        // used as: 'banking.state_*', 'banking.certainty_*'
        filters={{
          state: {
            label: t('banking.state'),
            options: rowStates.map((one) => ({ value: one, label: t(`banking.state_${one}`) })),
          },
          certainty: {
            label: t('banking.certainty'),
            options: certainties.map((one) => ({ value: one, label: t(`banking.certainty_${one}`) })),
          },
          account: {
            label: t('banking.account'),
            options: accounts.map((one) => ({ value: one, label: one })),
          },
        }}
        empty={<EmptyState title={t('banking.no_rows')} hint={t('banking.no_rows_hint')} />}
        rowActions={actions}
      />
      {doing?.action === 'accept' && <AcceptDialog row={doing.row} onClose={close} />}
      {doing?.action === 'change' && <MatchDialog row={doing.row} onClose={close} />}
      {(doing?.action === 'ignore' || doing?.action === 'undo') && (
        <SetAsideDialog row={doing.row} action={doing.action} onClose={close} />
      )}
    </>
  );
}

function Words({ row }: { row: BankRow }) {
  const payer = [row.payerName, row.payerAccount].filter((each) => each !== '').join(' · ');
  return (
    <Box sx={{ minWidth: 0, maxWidth: 420 }}>
      <Typography variant="body2" component="p" sx={{ overflowWrap: 'anywhere' }}>
        {row.words === '' ? '–' : row.words}
      </Typography>
      {payer !== '' && (
        <Typography variant="caption" component="p" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {payer}
        </Typography>
      )}
    </Box>
  );
}

/** Whether there is anything to say about what the row is for. */
const hasTarget = ({ ignoredReason, applied, target, certainty, reason }: BankRow): boolean =>
  ignoredReason !== null || applied.length > 0 || (!!target && certainty !== null && reason !== null);

function BookedFor({ row }: { row: BankRow }) {
  const { t } = useTranslation('banking');
  const nameOf = useTargetName();
  if (row.ignoredReason !== null)
    return (
      <Typography variant="body2" color="textSecondary">
        {row.ignoredReason}
      </Typography>
    );
  if (row.applied.length > 0) {
    return (
      <Box>
        {row.applied.map((part) => (
          <Typography key={part.paymentId ?? part.refundId} variant="body2" component="p">
            {part.organization}
            {' · '}
            {part.billNumber ??
              (part.kind === 'refund'
                ? t('banking.kind_refund', { name: '' }).trim()
                : t('banking.kind_balance'))}
            {row.applied.length > 1 && (
              <>
                {' · '}
                <Money amount={part.amount} />
              </>
            )}
          </Typography>
        ))}
      </Box>
    );
  }
  if (!row.target || row.certainty === null || row.reason === null) return null;
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="body2" component="p" sx={{ overflowWrap: 'anywhere' }}>
        {row.target.organization}
        {' · '}
        <NoWrap text={nameOf(row.target)} />
      </Typography>
      <Box sx={{ display: 'flex', gap: '4px 8px', alignItems: 'center', flexWrap: 'wrap' }}>
        <StatusBadge tone={certaintyTones[row.certainty]} label={t(`banking.certainty_${row.certainty}`)} />
        {/* used as: 'banking.reason_*' */}
        <Typography variant="caption" color="textSecondary">
          {t(`banking.reason_${row.reason}`)}
        </Typography>
      </Box>
    </Box>
  );
}
