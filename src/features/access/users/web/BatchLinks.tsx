// Links for new passwords, which cannot be shown again, for the Admin to hand over.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { Out } from '#kernel/contract.ts';
import type { users } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';

export function BatchLinks({
  links,
  onClose,
}: {
  links: Out<typeof users.startBatch>['links'];
  onClose: () => void;
}) {
  const { t } = useTranslation('users');
  const format = useFormat();
  const [first] = links;
  return (
    <Modal
      open
      width="md"
      title={t('users.links_title')}
      actions={
        <Button variant="contained" onClick={onClose}>
          {t('ui.done')}
        </Button>
      }
    >
      <Stack sx={{ gap: 2 }}>
        <Alert severity="info" role="status">
          {t('users.links_once', { when: first ? format.dateTime(first.expiresAt) : '' })}
        </Alert>
        <Box
          component="ul"
          aria-label={t('users.links_title')}
          sx={{
            margin: 0,
            padding: 0,
            listStyle: 'none',
            maxHeight: 360,
            overflow: 'auto',
            display: 'grid',
            gap: 1,
          }}
        >
          {links.map((one) => (
            <Box
              component="li"
              key={one.userId}
              sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}
            >
              <Box sx={{ flex: 1, minWidth: 0 }}>
                <Typography variant="body2">
                  {t('users.name_and_account', { name: one.name, account: one.account })}
                </Typography>
                <Typography variant="caption" color="textSecondary" noWrap component="p">
                  {one.link}
                </Typography>
              </Box>
              <CopyButton text={one.link} label={t('users.copy_link_of', { name: one.name })} />
            </Box>
          ))}
        </Box>
      </Stack>
    </Modal>
  );
}
