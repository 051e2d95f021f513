// API keys that expire soon, so that no customer's gateway stops unexpectedly.
import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import type { SecurityState } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useNow } from '#platform/web/time/clock.ts';

export function ExpiringKeys({ keys: { expiring, endless, total } }: { keys: SecurityState['keys'] }) {
  const { t } = useTranslation('security');
  const format = useFormat();
  const now = useNow();
  return (
    <Section
      title={t('security.keys_title')}
      lead={t('security.keys_lead', { total: format.number(total), endless: format.number(endless) })}
      actions={
        <Button component={RouterLink} to="/admin/api-keys" size="small">
          {t('security.keys_manage')}
        </Button>
      }
    >
      {expiring.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t('security.keys_none')}
        </Typography>
      ) : (
        <List disablePadding>
          {expiring.map(({ id, name, organization, expiresAt, lastUsedAt }) => (
            <ListItem key={id} disableGutters>
              <ListItemText
                primary={`${name} · ${organization ?? t('security.platform_key')}`}
                secondary={`${t('security.expires')} ${format.dateTime(expiresAt)}${format.aside(format.relative(expiresAt, now))} · ${lastUsedAt ? `${t('security.last_used')} ${format.relative(lastUsedAt, now)}` : t('security.never_used')}`}
                slotProps={{ primary: { variant: 'body2' }, secondary: { variant: 'caption' } }}
              />
            </ListItem>
          ))}
        </List>
      )}
    </Section>
  );
}
