// Confirms an announcement before it is sent: now or at a time, and to how many users.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { isDay, type LocalDay } from '#kernel/shape.ts';
import type { AnnouncementDetail } from '../contract.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useRequired } from '#platform/web/form/use-required.ts';
import { PickerBox } from '#platform/web/form/PickerField.tsx';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ActionDialog } from '#platform/web/ui/ActionDialog.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useToday } from '#platform/web/time/use-today.ts';
import { announcementsApi, announcementsKey } from './api.ts';

const quarters = Array.from(
  { length: 96 },
  (_, index) =>
    `${String(Math.floor(index / 4)).padStart(2, '0')}:${String((index % 4) * 15).padStart(2, '0')}`,
);

export function SendDialog({
  announcement,
  onClose,
}: {
  announcement: AnnouncementDetail;
  onClose: () => void;
}) {
  const { t } = useTranslation('announcements');
  const format = useFormat();
  const zone = useBrand((brand) => brand.timeZone);
  const today = useToday(zone, []);
  const [timing, setTiming] = useState<'now' | 'later'>(announcement.state === 'scheduled' ? 'later' : 'now');
  const [day, setDay] = useState<string>(today);
  const [time, setTime] = useState('09:00');
  const send = useCall(announcementsApi.sendAnnouncement, {
    invalidates: [announcementsKey()],
    onSuccess: ({ sendAt }) => {
      toast.success(
        timing === 'now' || !sendAt
          ? t('announcements.sending_now')
          : t('announcements.scheduled', { at: format.dateTime(sendAt) }),
      );
      onClose();
    },
  });
  const at = (): { day: LocalDay; time: string } | undefined =>
    timing === 'later' && isDay(day) ? { day, time } : undefined;
  const required = useRequired(timing === 'now' || isDay(day));
  const people = format.number(announcement.people ?? 0);
  const problem =
    send.error instanceof ApiError
      ? (send.error.errors[0]?.message ?? send.error.message)
      : send.error?.message;
  return (
    <ActionDialog
      width="xs"
      title={t('announcements.send_title')}
      confirm={
        timing === 'now' ? t('announcements.send_go', { count: people }) : t('announcements.schedule_go')
      }
      isBusy={send.isPending}
      onConfirm={() =>
        required.check() && send.mutate({ announcementId: announcement.id, ...(at() && { at: at() }) })
      }
      problem={problem}
      beginsWithField
      onClose={onClose}
    >
      <SelectBox
        label={t('announcements.send_when')}
        value={timing}
        options={[
          { value: 'now', label: t('announcements.send_now') },
          { value: 'later', label: t('announcements.send_later') },
        ]}
        onChange={setTiming}
        fullWidth
      />
      {timing === 'later' && (
        <Box>
          <Box
            sx={{
              display: 'grid',
              gap: 2,
              gridTemplateColumns: 'minmax(0, 3fr) minmax(0, 2fr)',
              alignItems: 'start',
            }}
          >
            <PickerBox
              name="day"
              type="date"
              label={t('announcements.send_day')}
              value={day}
              problem={required.problem}
              inputRef={required.input}
              onChange={setDay}
              required
            />
            <SelectBox
              label={t('announcements.send_time')}
              value={time}
              options={quarters.map((one) => ({ value: one, label: one }))}
              onChange={setTime}
              fullWidth
            />
          </Box>
          <Typography variant="caption" component="p" color="textSecondary">
            {t('announcements.zone', { zone })}
          </Typography>
        </Box>
      )}
      <Typography variant="body2">{t('announcements.people', { count: people })}</Typography>
      {timing === 'now' && (
        <Typography variant="body2" color="textSecondary">
          {t('announcements.send_final')}
        </Typography>
      )}
    </ActionDialog>
  );
}
