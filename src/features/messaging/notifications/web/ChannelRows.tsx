// The channels, each with its destination, its problem, its switch, and a test.
import EmailOutlined from '~icons/ic/outline-email';
import NotificationsActiveOutlined from '~icons/ic/outline-notifications-active';
import PhoneIphoneOutlined from '~icons/ic/outline-phone-iphone';
import SmsOutlined from '~icons/ic/outline-sms';
import Box from '@mui/material/Box';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { channels, testChannels, type Preferences } from '../contract.ts';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ChannelTest } from './ChannelTest.tsx';
import type { Draft } from './preferences-draft.ts';

const glyphs = {
  inApp: NotificationsActiveOutlined,
  email: EmailOutlined,
  sms: SmsOutlined,
  push: PhoneIphoneOutlined,
} as const;
type Row = { readonly preferences: Preferences; readonly form: FormOf<Draft, Draft> };

export function ChannelRows({ preferences, form }: Row) {
  return (
    <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {testChannels.map((channel) => (
        <Box
          component="li"
          key={channel}
          sx={{
            padding: { xs: '14px 16px', sm: '14px 24px' },
            borderTop: '1px solid',
            borderColor: 'divider',
          }}
        >
          <ChannelRow
            channel={channel}
            preferences={preferences}
            {...(channel === 'email' && { toggle: <Toggle form={form} name="isEmailOn" channel="email" /> })}
            {...(channel === 'sms' && { toggle: <Toggle form={form} name="isSmsOn" channel="sms" /> })}
          />
        </Box>
      ))}
    </Box>
  );
}

function ChannelRow({
  channel,
  preferences,
  toggle,
}: {
  channel: (typeof testChannels)[number];
  preferences: Preferences;
  toggle?: ReactNode;
}) {
  const { t } = useTranslation('notifications');
  const Glyph = glyphs[channel];
  const state = channel === 'inApp' ? undefined : preferences.channels[channel];
  // used as: 'notifications.channel_*', 'notifications.to_*', 'notifications.no_*', 'notifications.unverified', 'notifications.phone_wrong'
  const where =
    state === undefined
      ? t('notifications.to_inApp')
      : state.problem !== null
        ? t(`notifications.${state.problem}`)
        : t(`notifications.to_${channel}`, { to: state.to ?? '' });
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: '24px minmax(0, 1fr) auto',
        gap: '8px 12px',
        alignItems: 'center',
      }}
    >
      <Glyph aria-hidden sx={{ color: 'text.secondary' }} />
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="subtitle2" component="h3">
          {t(`notifications.channel_${channel}`)}
        </Typography>
        <Typography
          variant="body2"
          sx={{ overflowWrap: 'anywhere', color: state?.problem ? 'warning.main' : 'text.secondary' }}
        >
          {where}
        </Typography>
      </Box>
      {toggle ?? <span />}
      <Box sx={{ gridColumn: { xs: '1 / -1', sm: '2 / -1' } }}>
        <ChannelTest channel={channel} refused={state?.problem ?? null} />
      </Box>
    </Box>
  );
}

function Toggle({
  form,
  name,
  channel,
}: {
  form: Row['form'];
  name: 'isEmailOn' | 'isSmsOn';
  channel: (typeof channels)[number];
}) {
  const { t } = useTranslation('notifications');
  const { field } = useController({ control: form.control, name });
  // used as: 'notifications.channel_*'
  return (
    <Switch
      checked={field.value}
      onChange={(_, isOn) => field.onChange(isOn)}
      onBlur={field.onBlur}
      slotProps={{
        input: {
          ref: field.ref,
          name: field.name,
          'aria-label': t('notifications.channel_on', { channel: t(`notifications.channel_${channel}`) }),
        },
      }}
    />
  );
}
