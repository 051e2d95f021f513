// The matrix of categories and channels; security e-mails are always sent, which the matrix shows.
import LockOutlined from '~icons/ic/outline-lock';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useController } from 'react-hook-form';
import {
  channels,
  notificationCategories,
  type Category,
  type Channel,
  type Preferences,
} from '../contract.ts';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Draft } from './preferences-draft.ts';

export function PreferencesMatrix({
  preferences,
  form,
}: {
  preferences: Preferences;
  form: FormOf<Draft, Draft>;
}) {
  // used as: 'notifications.channel_*', 'notifications.category_*', 'notifications.about_*'
  const { t } = useTranslation('notifications');
  const [isEmailOn, isSmsOn] = form.watch(['isEmailOn', 'isSmsOn']);
  const isOn: Record<Channel, boolean> = {
    email: isEmailOn,
    sms: isSmsOn,
    push: preferences.channels.push.isOn,
  };
  return (
    <Table
      size="small"
      aria-label={t('notifications.matrix')}
      sx={{
        '& td, & th': { paddingInline: { xs: '8px', sm: '16px' }, paddingBlock: '8px' },
        '& td:first-of-type, & th:first-of-type': { paddingInlineStart: { xs: '16px', sm: '24px' } },
      }}
    >
      <TableHead>
        <TableRow>
          <TableCell>{t('notifications.category')}</TableCell>
          {channels.map((channel) => (
            <TableCell key={channel} align="center" sx={{ width: { xs: 64, sm: 110 } }}>
              {t(`notifications.channel_${channel}`)}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {notificationCategories.map((category) => (
          <TableRow key={category}>
            <TableCell component="th" scope="row">
              {t(`notifications.category_${category}`)}
              <Typography
                variant="caption"
                component="p"
                color="textSecondary"
                sx={{ display: { xs: 'none', sm: 'block' } }}
              >
                {t(`notifications.about_${category}`)}
              </Typography>
            </TableCell>
            {channels.map((channel) => (
              <TableCell key={channel} align="center">
                {category === 'security' && channel === 'email' ? (
                  <Locked />
                ) : (
                  <Tick form={form} category={category} channel={channel} isOff={!isOn[channel]} />
                )}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Locked() {
  const { t } = useTranslation('notifications');
  return (
    <Box sx={{ position: 'relative', display: 'inline-flex' }}>
      <Checkbox
        checked
        disabled
        slotProps={{ input: { 'aria-label': t('notifications.security_locked') } }}
      />
      <LockOutlined
        aria-hidden
        sx={{ position: 'absolute', insetInlineEnd: 2, bottom: 4, fontSize: 14, color: 'text.secondary' }}
      />
    </Box>
  );
}

/** Ticks stay while their channel is off, and apply again when it is on. */
function Tick({
  form,
  category,
  channel,
  isOff,
}: {
  form: FormOf<Draft, Draft>;
  category: Category;
  channel: Channel;
  isOff: boolean;
}) {
  const { t } = useTranslation('notifications');
  const { field } = useController({ control: form.control, name: `matrix.${category}.${channel}` });
  return (
    <Checkbox
      checked={field.value}
      disabled={isOff}
      onChange={(_, isTicked) => field.onChange(isTicked)}
      onBlur={field.onBlur}
      slotProps={{
        input: {
          ref: field.ref,
          name: field.name,
          'aria-label': t('notifications.matrix_tick', {
            category: t(`notifications.category_${category}`),
            channel: t(`notifications.channel_${channel}`),
          }),
        },
      }}
    />
  );
}
