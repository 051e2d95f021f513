// The history of settings: who changed what, with old and new values.
import Box from '@mui/material/Box';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { SettingsChange } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { administrationQueries } from './api.ts';
import { labelOf, valueText } from './settings-labels.ts';

export function SettingsHistory() {
  const { t } = useTranslation('administration');
  const state = useTableState({ sort: '-at', prefix: 'history-', limit: 25 });
  const query = usePagedQuery(administrationQueries.settingsHistory(state.query));
  const words = {
    yes: t('administration.value_yes'),
    no: t('administration.value_no'),
    empty: t('administration.setting_empty'),
  };
  const columns: readonly Column<SettingsChange>[] = [
    {
      key: 'changes',
      label: t('administration.history_what'),
      card: 'title',
      render: ({ changes }) => (
        <Box component="ul" sx={{ margin: 0, paddingInlineStart: '18px' }}>
          {changes.map(({ key, before, after }) => (
            <li key={key}>
              {t('administration.history_change', {
                name: t(labelOf(key)),
                before: valueText(before, words),
                after: valueText(after, words),
              })}
            </li>
          ))}
        </Box>
      ),
    },
    { key: 'by', label: t('administration.history_who'), width: 160, render: ({ by }) => by ?? '–' },
    {
      key: 'at',
      label: t('administration.history_when'),
      width: 160,
      render: ({ at }) => <Moment at={at} as="dateTime" />,
    },
  ];
  return (
    <DataTable
      list="settings-history"
      title={t('administration.section_history')}
      lead={t('administration.section_history_lead')}
      label={t('administration.section_history')}
      columns={columns}
      query={query}
      state={state}
      rowKey={({ id }) => id}
      rowName={({ by }) => by ?? ''}
      empty={
        <EmptyState
          compact
          title={t('administration.history_empty')}
          hint={t('administration.history_empty_hint')}
        />
      }
    />
  );
}
