// The key that decrypts backups on another machine: shown on demand, to be stored away from the backups.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { backupsApi } from './api.ts';

export function RecoveryKey({ recipient }: { readonly recipient: string | null }) {
  const { t } = useTranslation('backups');
  const [key, setKey] = useState<string>();
  const reveal = useCall(backupsApi.revealRecoveryKey, {
    onSuccess: ({ recoveryKey }) => setKey(recoveryKey),
  });
  return (
    <Section title={t('backups.key')}>
      <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {recipient === null ? t('backups.key_lead') : t('backups.key_elsewhere_hint', { recipient })}
        </Typography>
        {recipient === null && (
          <Button
            variant="outlined"
            aria-haspopup="dialog"
            loading={reveal.isPending}
            onClick={() => reveal.mutate({})}
          >
            {t('backups.key_show')}
          </Button>
        )}
      </Stack>
      {key !== undefined && (
        <Modal open title={t('backups.key')} onClose={() => setKey(undefined)}>
          <Stack sx={{ gap: 2, paddingBottom: 1 }}>
            <Alert severity="warning">{t('backups.key_text')}</Alert>
            <Secret text={key} label={t('backups.key_copy')} />
          </Stack>
        </Modal>
      )}
    </Section>
  );
}
