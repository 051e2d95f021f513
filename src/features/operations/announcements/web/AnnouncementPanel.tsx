// One announcement: preview, audience, progress, number of readers, and actions.
import { inLanguage } from '#kernel/language.ts';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import type { AnnouncementDetail } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { announcementsApi, announcementsKey, announcementsQueries } from './api.ts';
import { useAudienceWords } from './audience-words.ts';
import { ComposePanel } from './ComposePanel.tsx';
import { Preview } from './Preview.tsx';
import { SendDialog } from './SendDialog.tsx';
import { StateBadge } from './StateBadge.tsx';

type OpenAction = 'edit' | 'send' | 'cancel';

export function AnnouncementPanel({
  announcementId,
  onClose,
}: {
  announcementId: Id<'ann'>;
  onClose: () => void;
}) {
  const { t } = useTranslation('announcements');
  const format = useFormat();
  const [doing, setDoing] = useState<OpenAction>();
  const query = useQuery(announcementsQueries.getAnnouncement({ announcementId }));
  const cancel = useCall(announcementsApi.cancelAnnouncement, {
    invalidates: [announcementsKey()],
    onSuccess: () => toast.success(t('announcements.cancelled_done')),
  });
  const found = query.data;
  const close = () => setDoing(undefined);
  if (doing === 'edit' && found) return <ComposePanel announcement={found} onClose={close} onSaved={close} />;
  const mayChange = found?.state === 'draft' || found?.state === 'scheduled';
  return (
    <SidePanel
      open
      title={found ? inLanguage(found.words, format.language).title : t('announcements.detail')}
      width={600}
      onClose={onClose}
      footer={
        mayChange ? (
          <>
            <Button
              aria-haspopup="dialog"
              color="error"
              onClick={() => setDoing('cancel')}
              sx={{ marginInlineEnd: 'auto' }}
            >
              {t('announcements.cancel')}
            </Button>
            <Button aria-haspopup="dialog" onClick={() => setDoing('edit')}>
              {t('announcements.edit')}
            </Button>
            <Button variant="contained" aria-haspopup="dialog" onClick={() => setDoing('send')}>
              {t('announcements.send')}
            </Button>
          </>
        ) : (
          <Button variant="contained" onClick={onClose}>
            {t('ui.close')}
          </Button>
        )
      }
    >
      <QueryState query={query} skeleton={<Lines count={10} />}>
        {(announcement) => <Detail announcement={announcement} />}
      </QueryState>
      {doing === 'send' && found && <SendDialog announcement={found} onClose={close} />}
      <ConfirmDialog
        open={doing === 'cancel'}
        title={t('announcements.cancel_ask')}
        consequences={[t('announcements.cancel_effect')]}
        confirmLabel={t('announcements.cancel')}
        tone="danger"
        onConfirm={() => cancel.mutateAsync({ announcementId })}
        onClose={close}
      />
    </SidePanel>
  );
}

function Detail({ announcement }: { announcement: AnnouncementDetail }) {
  const { t } = useTranslation('announcements');
  const format = useFormat();
  const audienceOf = useAudienceWords();
  const { words, severity, link, state, sendAt, people, reached, expected, read, author, createdAt } =
    announcement;
  const count = (number: number) => t('announcements.people_count', { count: format.number(number) });
  const isOut = state === 'sending' || state === 'sent';
  return (
    <Stack sx={{ gap: 3 }}>
      <Facts
        items={[
          // used as: 'announcements.severity_*'
          [t('announcements.state'), <StateBadge key="state" state={state} />],
          [t('announcements.audience'), audienceOf(announcement)],
          ...(people === null ? [] : [[t('announcements.people_label'), count(people)] as const]),
          ...(sendAt ? [[t('announcements.when'), format.dateTimeTable(sendAt)] as const] : []),
          ...(isOut
            ? [
                [t('announcements.reached'), count(reached)] as const,
                [
                  t('announcements.read'),
                  t('announcements.read_of', {
                    read: format.number(read),
                    percent: format.percent(reached === 0 ? 0 : read / reached),
                  }),
                ] as const,
              ]
            : []),
          [t('announcements.severity'), t(`announcements.severity_${severity}`)],
          ...(link === null ? [] : [[t('announcements.link'), link] as const]),
          [t('announcements.created'), t('announcements.by', { author, at: format.dateTime(createdAt) })],
        ]}
      />
      {state === 'sending' && expected !== null && (
        <ProgressBar
          label={t('announcements.progress', {
            reached: format.number(reached),
            expected: format.number(expected),
          })}
          ratio={expected === 0 ? 1 : reached / expected}
        />
      )}
      <Preview words={words} severity={severity} />
    </Stack>
  );
}
