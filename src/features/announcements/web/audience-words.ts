// How audiences and states are said and shown.
import type { Announcement, AnnouncementState } from '#features/announcements/contract.ts';
import type { BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { useAnnouncementsTexts } from './texts.ts';

export const stateTones: Record<AnnouncementState, BadgeTone> = { draft: 'neutral', scheduled: 'primary', sending: 'info', sent: 'success', cancelled: 'neutral' };

/** Whom an announcement is for, in words. */
export function useAudienceWords(): (announcement: Pick<Announcement, 'audience' | 'audienceName'>) => string {
  const t = useAnnouncementsTexts();
  return ({ audience, audienceName }) => {
    switch (audience.kind) {
      case 'all': return t('announcements.audience_all');
      // used as: 'announcements.role_*'
      case 'role': return t(`announcements.role_${audience.role}`);
      case 'organization': return audienceName;
      case 'service': return t('announcements.audience_service_of', { name: audienceName });
    }
  };
}
