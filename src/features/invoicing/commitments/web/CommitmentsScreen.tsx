// The Admin's list of commitments, a panel with one of them, and the form to create one.
import { inLanguage } from '#kernel/language.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { In } from '#kernel/contract.ts';
import { currencyCodes } from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { ExportMenu } from '#platform/web/ui/ExportMenu.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { commitmentRisks, commitmentStates, type Commitment, type commitments } from '../contract.ts';
import { commitmentsApi, commitmentsKey, commitmentsQueries } from './api.ts';
import { CommitmentBadge } from './Badge.tsx';
import { CommitmentPanel } from './CommitmentPanel.tsx';
import { useCommitmentWords } from './commitment-words.ts';
import { NewCommitmentPanel } from './NewCommitmentPanel.tsx';
import { Progress } from './Progress.tsx';
import { progressOf } from './progress.ts';

/** Stored in the address instead of a commitment's id. */
const newCommitment = 'new';

export function CommitmentsScreen() {
  const { t } = useTranslation('commitments');
  const [open, setOpen] = useParam('commitment');
  useLive('billing', [commitmentsKey()]);
  const state = useTableState({
    filters: { state: commitmentStates, risk: commitmentRisks, currency: currencyCodes },
    sort: '-createdAt',
  });
  const query = usePagedQuery(commitmentsQueries.adminListCommitments(state.query));
  const make = <AddButton onClick={() => setOpen(newCommitment)}>{t('commitments.make')}</AddButton>;
  const close = () => setOpen(undefined);
  return (
    <Page title={t('commitments.title')} lead={t('commitments.lead')} actions={make}>
      <DataTable
        list="commitments"
        label={t('commitments.title')}
        columns={useColumns()}
        query={query}
        state={state}
        rowKey={(commitment) => commitment.id}
        rowName={(commitment) => commitment.organization}
        searchLabel={t('commitments.search')}
        // used as: 'commitments.state_*', 'commitments.risk_*'
        filters={{
          state: {
            label: t('commitments.column_state'),
            options: commitmentStates.map((one) => ({ value: one, label: t(`commitments.state_${one}`) })),
          },
          risk: {
            label: t('commitments.column_risk'),
            options: commitmentRisks.map((one) => ({ value: one, label: t(`commitments.risk_${one}`) })),
          },
          currency: {
            label: t('commitments.column_currency'),
            options: currencyCodes.map((one) => ({ value: one, label: one })),
          },
        }}
        toolbar={<CommitmentsExport filter={state.query} />}
        empty={<EmptyState title={t('commitments.empty')} hint={t('commitments.empty_hint')} action={make} />}
        onRowClick={(commitment) => setOpen(commitment.id)}
      />
      {open === newCommitment && <NewCommitmentPanel onClose={close} onMade={setOpen} />}
      <CommitmentPanel open={open} onClose={close} />
    </Page>
  );
}

function useColumns(): readonly Column<Commitment>[] {
  const { t } = useTranslation('commitments');
  const { language } = useFormat();
  const words = useCommitmentWords();
  // used as: 'commitments.period_*'
  return [
    {
      key: 'organization',
      label: t('commitments.column_organization'),
      sortable: true,
      card: 'title',
      render: ({ organization, name, period }) => (
        <>
          {organization}
          <Typography variant="caption" component="span" color="textSecondary" sx={{ display: 'block' }}>
            {`${inLanguage(name, language)} · ${t(`commitments.period_${period}`)}`}
          </Typography>
        </>
      ),
    },
    {
      key: 'risk',
      label: t('commitments.column_risk'),
      render: (commitment) => <CommitmentBadge commitment={commitment} />,
    },
    {
      key: 'used',
      label: t('commitments.column_used'),
      width: 240,
      render: (commitment) => <Used commitment={commitment} />,
    },
    {
      key: 'startsOn',
      label: t('commitments.term'),
      sortable: true,
      show: 'wide',
      render: ({ startsOn, lastMonth }) =>
        lastMonth < startsOn ? t('commitments.ended_before') : words.months(startsOn, lastMonth),
    },
    {
      key: 'scope',
      label: t('commitments.column_scope'),
      show: 'wide',
      card: 'hidden',
      render: ({ scope }) => words.scope(scope),
    },
    {
      key: 'trueUp',
      label: t('commitments.column_true_up'),
      align: 'right',
      sortable: true,
      render: ({ current }) =>
        current?.outlook ? (
          <Money amount={current.outlook.trueUp} strong={current.outlook.trueUp.minor > 0n} />
        ) : (
          '–'
        ),
    },
  ];
}

function Used({ commitment: { name, current } }: { commitment: Commitment }) {
  const { t } = useTranslation('commitments');
  const format = useFormat();
  if (!current) return '–';
  const { used, amount, expected } = progressOf(current);
  return (
    <Box sx={{ display: 'grid', gap: '6px', minWidth: 160, paddingBlock: '4px' }}>
      <Progress name={inLanguage(name, format.language)} current={current} />
      <Typography variant="caption" component="div" className="tabular">
        {t('commitments.used_of', { used: format.money(used), amount: format.money(amount) })}
      </Typography>
      {expected && (
        <Typography variant="caption" component="div" color="textSecondary" className="tabular">
          {t('commitments.expected_at_end', { amount: format.money(expected) })}
        </Typography>
      )}
    </Box>
  );
}

function CommitmentsExport({ filter }: { filter: In<typeof commitments.adminListCommitments> }) {
  const { t } = useTranslation('commitments');
  const language = useLanguage();
  const download = useDownload();
  // The file does not have the list's paging.
  const { limit: _limit, cursor: _cursor, ...asked } = filter;
  return (
    <ExportMenu
      label={t('commitments.export')}
      formats={[
        { value: 'csv', name: 'CSV', hint: t('commitments.export_csv') },
        { value: 'xlsx', name: 'Excel', hint: t('commitments.export_xlsx') },
      ]}
      onTake={(format) =>
        void download((options) =>
          commitmentsApi.adminExportCommitments({ ...asked, format, language }, options),
        )
      }
    />
  );
}
