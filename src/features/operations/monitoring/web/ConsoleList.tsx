// The consoles that run on this database.
import type { ConsoleState } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { PartTable } from './PartTable.tsx';
import { VerdictBadge } from './VerdictBadge.tsx';

export function ConsoleList({ consoles }: { consoles: readonly ConsoleState[] }) {
  const { t } = useTranslation('monitoring');
  const format = useFormat();
  const nameOf = ({ host, processId }: ConsoleState): string =>
    t('monitoring.process_of', { host, id: processId });
  const seconds = (count: number): string => t('monitoring.seconds', { count: format.number(count) });
  const columns: readonly Column<ConsoleState>[] = [
    { key: 'name', label: t('monitoring.host'), card: 'title', width: 240, render: nameOf },
    {
      key: 'state',
      label: t('monitoring.state'),
      render: ({ verdict }) => <VerdictBadge verdict={verdict} />,
    },
    { key: 'version', label: t('monitoring.version'), render: ({ version }) => version },
    {
      key: 'address',
      label: t('monitoring.listens'),
      show: 'wide',
      render: ({ address }) => <code>{address.replace(/^https?:\/\//, '')}</code>,
    },
    {
      key: 'started',
      label: t('monitoring.started'),
      render: ({ startedAt }) => <Moment at={startedAt} as="relative" />,
    },
    {
      key: 'heard',
      label: t('monitoring.heard'),
      align: 'right',
      render: ({ heardSecondsAgo }) => seconds(Math.round(heardSecondsAgo)),
    },
    {
      key: 'clock',
      label: t('monitoring.clock_ahead'),
      align: 'right',
      // Rounded to a tenth of a second; a smaller difference is shown as 0, without a sign.
      render: ({ clockAheadMs }) =>
        seconds(Math.abs(clockAheadMs) < 50 ? 0 : Math.round(clockAheadMs / 100) / 10),
    },
    {
      key: 'clients',
      label: t('monitoring.clients'),
      align: 'right',
      render: ({ clients }) => format.number(clients),
    },
    {
      key: 'memory',
      label: t('monitoring.resident'),
      align: 'right',
      show: 'wide',
      render: ({ memoryBytes }) => format.bytes(memoryBytes),
    },
  ];
  return (
    <PartTable
      title={t('monitoring.part_consoles')}
      columns={columns}
      rows={consoles}
      rowKey={({ id }) => id}
      rowName={nameOf}
    />
  );
}
