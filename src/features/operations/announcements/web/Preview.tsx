// The announcement as readers of either language will see it: the same line as in their inbox.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { createTranslator } from '#kernel/translate.ts';
import { contentLanguages } from '#kernel/language.ts';
import type { Announcement } from '../contract.ts';
import { NotificationLine } from '#features/messaging/notifications/web/parts.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { enUS } from '../locales/enUS.ts';
import { zhTW } from '../locales/zhTW.ts';

const translate = createTranslator({ zhTW, enUS });

export function Preview({ words, severity }: Pick<Announcement, 'words' | 'severity'>) {
  const { t } = useTranslation('announcements');
  const createdAt = useNow();
  return (
    <Box component="section" aria-label={t('announcements.preview')} sx={{ display: 'grid', gap: 2 }}>
      {contentLanguages.map((language) => (
        <Box key={language}>
          {/* used as: 'announcements.preview_*' */}
          <Typography variant="subtitle2" component="h3" sx={{ marginBottom: 0.75 }}>
            {t(`announcements.preview_${language}`)}
          </Typography>
          <Box
            lang={language === 'zhTW' ? 'zh-Hant-TW' : 'en'}
            sx={{
              border: '1px solid',
              borderColor: 'divider',
              borderRadius: '5px',
              padding: '12px 16px',
              bgcolor: 'background.paper',
            }}
          >
            <NotificationLine
              notification={{
                id: '' as never,
                type: severity,
                category: 'system',
                message: translate(language, 'announcements.notice', { ...words[language] }),
                link: null,
                read: false,
                createdAt,
                deliveries: [],
              }}
            />
          </Box>
        </Box>
      ))}
    </Box>
  );
}
