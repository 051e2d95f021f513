// How an announcement stands.
import EditOutlined from '@mui/icons-material/EditOutlined';
import type { AnnouncementState } from '../contract.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { useAnnouncementsTexts } from './texts.ts';

const tones: Record<AnnouncementState, BadgeTone> = {
  draft: 'neutral',
  scheduled: 'primary',
  sending: 'info',
  sent: 'success',
  cancelled: 'neutral',
};

export function StateBadge({ state }: { state: AnnouncementState }) {
  const t = useAnnouncementsTexts();
  // used as: 'announcements.state_*'
  return (
    <StatusBadge
      tone={tones[state]}
      label={t(`announcements.state_${state}`)}
      {...(state === 'draft' && { icon: <EditOutlined aria-hidden /> })}
    />
  );
}
