// Where files are stored, and whether these places are reachable now.
import type { Monitoring } from '../contract.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { PartTable } from './PartTable.tsx';
import { VerdictBadge } from './VerdictBadge.tsx';

type Place = Monitoring['files'][number];

export function FilePlaces({ files, archive }: Pick<Monitoring, 'files' | 'archive'>) {
  const { t } = useTranslation('monitoring');
  const format = useFormat();
  // used as: 'monitoring.files_*'
  const nameOf = ({ use }: Place): string => t(`monitoring.files_${use}`);
  const columns: readonly Column<Place>[] = [
    { key: 'use', label: t('monitoring.files_use'), card: 'title', width: 240, render: nameOf },
    {
      key: 'state',
      label: t('monitoring.state'),
      render: ({ verdict }) => <VerdictBadge verdict={verdict} />,
    },
    { key: 'place', label: t('monitoring.files_place'), render: ({ place }) => <code>{place}</code> },
    {
      key: 'problem',
      label: t('monitoring.last_error'),
      render: ({ problem }) => problem ?? '–',
    },
  ];
  return (
    <PartTable
      title={t('monitoring.part_files')}
      lead={
        archive
          ? t(archive.bytes > 0 ? 'monitoring.archived' : 'monitoring.archived_elsewhere', {
              since: format.month(archive.since),
              until: format.month(archive.until),
              events: format.number(archive.events),
              size: format.bytes(archive.bytes),
            })
          : undefined
      }
      columns={columns}
      rows={files}
      rowKey={({ use }) => use}
      rowName={nameOf}
    />
  );
}
