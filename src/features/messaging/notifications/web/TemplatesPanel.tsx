// The e-mail of every kind of notification, in both languages, exactly as it is sent.
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import List from '@mui/material/List';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import Stack from '@mui/material/Stack';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useQuery } from '@tanstack/react-query';
import { contentLanguageOf, contentLanguages, type ContentLanguage } from '#kernel/language.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { Template } from '../contract.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { LetterFrame } from '#platform/web/ui/LetterFrame.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useParam } from '#platform/web/routing/use-param.ts';
import { useState } from 'react';
import { notificationsQueries } from './api.ts';

export function TemplatesPanel() {
  const query = useQuery(notificationsQueries.listTemplates());
  return (
    <QueryState query={query} skeleton={<Lines count={10} />}>
      {({ items }) => <Templates items={items} />}
    </QueryState>
  );
}

function Templates({ items }: { items: readonly Template[] }) {
  const { t } = useTranslation('notifications');
  const [wanted, setKind] = useParam('kind');
  const kind = items.find((item) => item.kind === wanted) ?? items[0];
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '360px minmax(0, 1fr)' },
        gap: { xs: 2, sm: 3 },
        alignItems: 'start',
      }}
    >
      <Section title={t('notifications.kinds')} lead={t('notifications.kinds_lead')} flush>
        <List
          dense
          component="nav"
          aria-label={t('notifications.kinds')}
          sx={{
            maxHeight: { xs: 280, md: 640 },
            overflow: 'auto',
            borderTop: '1px solid',
            borderColor: 'divider',
          }}
        >
          {items.map((item) => (
            <ListItemButton
              key={item.kind}
              selected={item.kind === kind?.kind}
              aria-current={item.kind === kind?.kind}
              onClick={() => setKind(item.kind, { replace: true })}
              sx={{ paddingInline: { xs: 2, sm: 3 } }}
            >
              {/* used as: 'notifications.category_*' */}
              <ListItemText
                primary={item.message}
                secondary={`${t(`notifications.category_${item.category}`)} · ${item.kind}`}
                slotProps={{ primary: { variant: 'body2' }, secondary: { variant: 'caption' } }}
              />
            </ListItemButton>
          ))}
        </List>
      </Section>
      {kind && <Preview template={kind} />}
    </Box>
  );
}

const looks = ['html', 'text'] as const;

function Preview({ template }: { template: Template }) {
  const { t } = useTranslation('notifications');
  const own = contentLanguageOf(useLanguage());
  const [language, setLanguage] = useState<ContentLanguage>(own);
  const [look, setLook] = useState<(typeof looks)[number]>('html');
  const query = usePagedQuery(notificationsQueries.previewTemplate({ kind: template.kind, language }));
  return (
    <Section
      title={t('notifications.preview')}
      actions={
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          <ToggleButtonGroup
            exclusive
            size="small"
            value={language}
            aria-label={t('notifications.preview_language')}
            onChange={(_, next: ContentLanguage | null) => next !== null && setLanguage(next)}
          >
            {/* used as: 'notifications.language_*' */}
            {contentLanguages.map((one) => (
              <ToggleButton key={one} value={one}>
                {t(`notifications.language_${one}`)}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
          <ToggleButtonGroup
            exclusive
            size="small"
            value={look}
            aria-label={t('notifications.preview_look')}
            onChange={(_, next: (typeof looks)[number] | null) => next !== null && setLook(next)}
          >
            {/* used as: 'notifications.look_*' */}
            {looks.map((one) => (
              <ToggleButton key={one} value={one}>
                {t(`notifications.look_${one}`)}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
        </Stack>
      }
    >
      <Stack sx={{ gap: 1.5 }}>
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          {/* used as: 'notifications.channel_*' */}
          {template.channels.map((channel) => (
            <Chip
              key={channel}
              size="small"
              variant="outlined"
              label={t(`notifications.channel_${channel}`)}
            />
          ))}
          {template.isLocked && (
            <Chip size="small" color="primary" label={t('notifications.always_mailed')} />
          )}
        </Stack>
        <QueryState query={query} skeleton={<Lines count={8} />}>
          {(letter) =>
            look === 'html' ? (
              <LetterFrame title={letter.subject} html={letter.html} />
            ) : (
              <CodeBlock code={`${letter.subject}\n\n${letter.text}`} label={letter.subject} />
            )
          }
        </QueryState>
      </Stack>
    </Section>
  );
}
