// Resends all failed deliveries since a moment.
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { hourMs } from '#kernel/durations.ts';
import { nowMs } from '#platform/web/time/clock.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ActionDialog } from '#platform/web/ui/ActionDialog.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { webhooksApi, webhooksKey } from './api.ts';

const ranges = {
  hour: hourMs,
  day: 24 * hourMs,
  week: 168 * hourMs,
  month: 720 * hourMs,
  ever: undefined,
} as const;
type Range = keyof typeof ranges;
const names = Object.keys(ranges) as Range[];

export function ReplayDialog({ endpointId, onClose }: { endpointId: Id<'whe'>; onClose: () => void }) {
  const { t } = useTranslation('webhooks');
  const format = useFormat();
  const [range, setRange] = useState<Range>('day');
  const replay = useCall(webhooksApi.replayFailed, {
    invalidates: [webhooksKey()],
    onSuccess: ({ replayed }) => {
      toast.success(
        replayed === 0
          ? t('webhooks.replayed_none')
          : t('webhooks.replayed_count', { count: format.number(replayed) }),
      );
      onClose();
    },
  });
  const since = (): Date => new Date(ranges[range] === undefined ? 0 : nowMs() - ranges[range]);
  return (
    <ActionDialog
      width="xs"
      title={t('webhooks.replay_failed')}
      confirm={t('webhooks.replay')}
      isBusy={replay.isPending}
      onConfirm={() => replay.mutate({ endpointId, since: since() })}
      problem={replay.error?.message}
      beginsWithField
      onClose={onClose}
    >
      <Typography variant="body2" color="textSecondary">
        {t('webhooks.replay_failed_lead')}
      </Typography>
      {/* used as: 'webhooks.since_*' */}
      <SelectBox
        label={t('webhooks.since')}
        value={range}
        options={names.map((name) => ({ value: name, label: t(`webhooks.since_${name}`) }))}
        onChange={setRange}
        fullWidth
      />
    </ActionDialog>
  );
}
