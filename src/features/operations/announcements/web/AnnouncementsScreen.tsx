// An Admin's announcements: the list, one of them, and writing a new one.
import { inLanguage } from '#kernel/language.ts';
import { isId } from '#kernel/ids.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { announcementStates, type Announcement } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { AnnouncementPanel } from './AnnouncementPanel.tsx';
import { announcementsKey, announcementsQueries } from './api.ts';
import { useAudienceWords } from './audience-words.ts';
import { ComposePanel } from './ComposePanel.tsx';
import { StateBadge } from './StateBadge.tsx';

const newOne = 'new';

export function AnnouncementsScreen() {
  const { t } = useTranslation('announcements');
  const format = useFormat();
  const audienceOf = useAudienceWords();
  const [open, setOpen] = useParam('announcement');
  useLive('billing', [announcementsKey()]);
  const state = useTableState({ filters: { state: announcementStates }, sort: '-createdAt' });
  const query = usePagedQuery(announcementsQueries.listAnnouncements(state.query));
  const add = <AddButton onClick={() => setOpen(newOne)}>{t('announcements.add')}</AddButton>;
  const titleOf = ({ words }: Announcement) => inLanguage(words, format.language).title;
  // used as: 'announcements.state_*'
  const columns: readonly Column<Announcement>[] = [
    { key: 'title', label: t('announcements.subject'), card: 'title', render: titleOf },
    { key: 'audience', label: t('announcements.audience'), render: audienceOf },
    { key: 'state', label: t('announcements.state'), render: (one) => <StateBadge state={one.state} /> },
    {
      key: 'when',
      label: t('announcements.when'),
      render: ({ sendAt }) => (sendAt ? <Moment at={sendAt} as="dateTime" /> : '–'),
    },
    {
      key: 'reached',
      label: t('announcements.reached'),
      align: 'right',
      render: ({ reached, state: standing }) =>
        standing === 'sent' || standing === 'sending'
          ? t('announcements.people_count', { count: format.number(reached) })
          : '–',
    },
    {
      key: 'createdAt',
      label: t('announcements.created'),
      show: 'wide',
      sortable: true,
      render: ({ createdAt }) => <Moment at={createdAt} />,
    },
  ];
  return (
    <Page title={t('announcements.title')} lead={t('announcements.lead')} actions={add}>
      <DataTable
        list="announcements"
        label={t('announcements.title')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(one) => one.id}
        rowName={titleOf}
        rowDetail={({ createdAt }) => format.dateTimeTable(createdAt)}
        searchLabel={t('announcements.search')}
        filters={{
          state: {
            label: t('announcements.state'),
            options: announcementStates.map((one) => ({
              value: one,
              label: t(`announcements.state_${one}`),
            })),
          },
        }}
        onRowClick={(one) => setOpen(one.id)}
        empty={
          <EmptyState title={t('announcements.empty')} hint={t('announcements.empty_hint')} action={add} />
        }
      />
      {open === newOne && (
        <ComposePanel
          onClose={() => setOpen(undefined)}
          onSaved={(one) => setOpen(one.id, { replace: true })}
        />
      )}
      {isId('ann', open) && (
        <AnnouncementPanel key={open} announcementId={open} onClose={() => setOpen(undefined)} />
      )}
    </Page>
  );
}
