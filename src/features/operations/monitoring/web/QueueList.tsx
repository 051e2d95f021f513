// Outgoing messages by channel; failed ones can be retried.
import ReplayOutlined from '~icons/ic/outline-replay';
import type { MessageQueue } from '../contract.ts';
import { queueNames } from '../rules.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { monitoringApi, monitoringKey } from './api.ts';
import { PartTable } from './PartTable.tsx';
import { VerdictBadge } from './VerdictBadge.tsx';

const isNamed = (kind: string): kind is keyof typeof queueNames => Object.hasOwn(queueNames, kind);

export function QueueList({ queues }: { queues: readonly MessageQueue[] }) {
  const { t } = useTranslation('monitoring');
  const format = useFormat();
  const retry = useCall(monitoringApi.retryParked, {
    invalidates: [monitoringKey('monitoring')],
    onSuccess: ({ retried }) => toast.success(t('monitoring.retried', { count: format.number(retried) })),
  });
  // used as: 'monitoring.lane_*'
  const nameOf = ({ kind }: MessageQueue) =>
    isNamed(kind) ? t(`monitoring.lane_${queueNames[kind]}`) : t('monitoring.lane_other', { kind });
  const columns: readonly Column<MessageQueue>[] = [
    { key: 'kind', label: t('monitoring.lane'), card: 'title', render: nameOf },
    {
      key: 'state',
      label: t('monitoring.state'),
      render: ({ verdict }) => <VerdictBadge verdict={verdict} />,
    },
    {
      key: 'waiting',
      label: t('monitoring.waiting'),
      align: 'right',
      render: ({ waiting }) => format.number(waiting),
    },
    {
      key: 'oldest',
      label: t('monitoring.oldest'),
      render: ({ oldestDueAt }) => (oldestDueAt ? <Moment at={oldestDueAt} as="relative" /> : '–'),
    },
    {
      key: 'failing',
      label: t('monitoring.failing'),
      align: 'right',
      render: ({ failing }) => format.number(failing),
    },
    {
      key: 'parked',
      label: t('monitoring.parked'),
      align: 'right',
      render: ({ parked }) => format.number(parked),
    },
    {
      key: 'error',
      label: t('monitoring.last_error'),
      show: 'wide',
      render: ({ lastError }) => lastError ?? '–',
    },
  ];
  return (
    <PartTable
      title={t('monitoring.part_lanes')}
      columns={columns}
      rows={queues}
      rowKey={({ kind }) => kind}
      rowName={nameOf}
      rowActions={(queue) =>
        queue.parked === 0
          ? []
          : [
              {
                label: t('monitoring.retry'),
                icon: <ReplayOutlined />,
                onClick: () => retry.mutate({ kind: queue.kind }),
              },
            ]
      }
    />
  );
}
