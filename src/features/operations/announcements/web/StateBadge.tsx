// An announcement's state.
import EditOutlined from '~icons/ic/outline-edit';
import type { AnnouncementState } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';

const tones: Record<AnnouncementState, BadgeTone> = {
  draft: 'neutral',
  scheduled: 'primary',
  sending: 'info',
  sent: 'success',
  cancelled: 'neutral',
};

export function StateBadge({ state }: { state: AnnouncementState }) {
  const { t } = useTranslation('announcements');
  // used as: 'announcements.state_*'
  return (
    <StatusBadge
      tone={tones[state]}
      label={t(`announcements.state_${state}`)}
      {...(state === 'draft' && { icon: <EditOutlined aria-hidden /> })}
    />
  );
}
