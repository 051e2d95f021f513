// Exports of organizations' data: the progress of each, with buttons to stop or download it.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PersonalExport } from '../contract.ts';
import type { CallOptions, Download } from '#platform/web/api/api.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { FullTable } from '#platform/web/ui/FullTable.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';

/** The polling interval while an export is in progress. */
const progressMs = 1500;
const quiet = { typography: 'caption', color: 'text.secondary' } as const;

export const isMaking = ({ state }: PersonalExport): boolean => state === 'running' || state === 'waiting';

/** The polling interval of the list in milliseconds; false when no export is in progress. */
export const restOf = (items: readonly PersonalExport[] | undefined): number | false =>
  items?.some(isMaking) ? progressMs : false;

type ExportTableProps = {
  readonly query: UseQueryResult<{ readonly items: readonly PersonalExport[] }>;
  readonly lead: string;
  /** Whether each row shows its organization. */
  readonly organizations?: boolean;
  readonly action: ReactNode;
  readonly onStop: (exportId: PersonalExport['id']) => void;
  readonly onTake: (exportId: PersonalExport['id'], options: CallOptions) => Promise<Download>;
};

export function ExportTable({
  query,
  lead,
  organizations = false,
  action,
  onStop,
  onTake,
}: ExportTableProps) {
  const { t } = useTranslation('personaldata');
  const format = useFormat();
  const download = useDownload();
  const nameOf = (one: PersonalExport): string =>
    organizations ? one.organization : format.dateTimeTable(one.askedAt);
  const columns: readonly Column<PersonalExport>[] = [
    ...(organizations
      ? [
          {
            key: 'organization',
            label: t('personaldata.organization'),
            card: 'title' as const,
            render: (one: PersonalExport) => one.organization,
          },
        ]
      : []),
    {
      key: 'askedAt',
      label: t('personaldata.asked_at'),
      ...(!organizations && { card: 'title' as const }),
      render: (one) => (
        <>
          <Moment at={one.askedAt} as="dateTime" />
          <Box sx={quiet}>{one.askedBy}</Box>
        </>
      ),
    },
    { key: 'state', label: t('personaldata.state'), render: (one) => <ExportState one={one} /> },
    { key: 'content', label: t('personaldata.content'), render: (one) => <ExportContent one={one} /> },
    {
      key: 'actions',
      label: t('personaldata.actions'),
      card: 'foot',
      align: 'right',
      render: (one) => (
        <>
          {isMaking(one) && (
            <Button
              size="small"
              onClick={() => onStop(one.id)}
              aria-label={t('personaldata.stop_of', { name: nameOf(one) })}
            >
              {t('personaldata.stop')}
            </Button>
          )}
          {one.state === 'done' && (
            <Button
              size="small"
              variant="outlined"
              onClick={() => void download((options) => onTake(one.id, options))}
              aria-label={t('personaldata.download_of', { name: nameOf(one) })}
            >
              {t('personaldata.download')}
            </Button>
          )}
        </>
      ),
    },
  ];
  return (
    <FullTable
      title={t('personaldata.exports')}
      lead={lead}
      actions={action}
      query={query}
      columns={columns}
      rowKey={(one) => one.id}
      rowName={nameOf}
      empty={
        <EmptyState compact title={t('personaldata.exports_empty')} hint={t('personaldata.exports_hint')} />
      }
    />
  );
}

function ExportState({ one }: { readonly one: PersonalExport }) {
  const { t } = useTranslation('personaldata');
  const format = useFormat();
  if (one.state === 'running')
    return (
      <ProgressBar
        label={t('personaldata.making')}
        ratio={one.filesTotal === 0 ? undefined : one.filesDone / one.filesTotal}
        note={t('personaldata.progress', {
          done: format.number(one.filesDone),
          total: format.number(one.filesTotal),
        })}
      />
    );
  const tone = (
    { done: 'success', failed: 'error', interrupted: 'warning' } as Partial<
      Record<PersonalExport['state'], 'success' | 'error' | 'warning'>
    >
  )[one.state];
  // used as: 'personaldata.state_*'
  return <StatusBadge tone={tone ?? 'neutral'} label={t(`personaldata.state_${one.state}`)} />;
}

function ExportContent({ one }: { readonly one: PersonalExport }) {
  const { t } = useTranslation('personaldata');
  const format = useFormat();
  if (one.problem !== null) return one.problem;
  if (one.sizeBytes === null) return '–';
  return (
    <>
      {t('personaldata.content_of', {
        files: format.number(one.filesTotal),
        rows: format.number(one.rowsDone),
        size: format.bytes(one.sizeBytes),
      })}
      {one.keptUntil && (
        <Box sx={quiet}>{t('personaldata.kept_until', { date: format.dateTable(one.keptUntil) })}</Box>
      )}
    </>
  );
}
