// Shows the keys of a sandbox, which cannot be shown again, with a first call that works.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import type { Sandbox } from '../contract.ts';
import { curlOf } from './sandbox-words.ts';

export type Opened = {
  readonly sandbox: Sandbox;
  /** null: they were said before. */
  readonly key: string | null;
  readonly meteringKey: string | null;
};

export function KeysHandOver({
  opened: { sandbox, key, meteringKey },
  news,
  onClose,
}: {
  readonly opened: Opened;
  readonly news: string;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('sandboxes');
  return (
    <SidePanel
      open
      title={sandbox.name}
      onClose={onClose}
      width={640}
      footer={
        <Button variant="contained" onClick={onClose}>
          {t('ui.done')}
        </Button>
      }
    >
      <Stack sx={{ gap: 3 }}>
        <Alert severity="success">{news}</Alert>
        <Named label={t('sandboxes.address')}>
          <Secret text={sandbox.address} label={t('sandboxes.address_copy')} />
        </Named>
        <Named label={t('sandboxes.key')}>
          <Secret text={key ?? ''} label={t('sandboxes.key_copy')} />
        </Named>
        <Named label={t('sandboxes.metering_key')}>
          <Secret text={meteringKey ?? ''} label={t('sandboxes.metering_key_copy')} />
          <Typography variant="body2" color="textSecondary" sx={{ marginTop: 1 }}>
            {t('sandboxes.key_once')}
          </Typography>
        </Named>
        <Named label={t('sandboxes.try')}>
          <CodeBlock code={curlOf(sandbox.address, key ?? '')} label={t('sandboxes.try_copy')} />
        </Named>
      </Stack>
    </SidePanel>
  );
}

function Named({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Box>
      <Typography variant="subtitle2" component="p" sx={{ marginBottom: 0.5 }}>
        {label}
      </Typography>
      {children}
    </Box>
  );
}
