// Audiences as texts.
import type { Announcement } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

/** The audience of an announcement as text. */
export function useAudienceWords(): (
  announcement: Pick<Announcement, 'audience' | 'audienceName'>,
) => string {
  const { t } = useTranslation('announcements');
  return ({ audience, audienceName }) => {
    switch (audience.kind) {
      case 'all':
        return t('announcements.audience_all');
      // used as: 'announcements.role_*'
      case 'role':
        return t(`announcements.role_${audience.role}`);
      case 'organization':
        return audienceName;
      case 'service':
        return t('announcements.audience_service_of', { name: audienceName });
    }
  };
}
