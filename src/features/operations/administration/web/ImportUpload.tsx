// Uploads a FOCUS file, or imports the demo data.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { administration } from '../contract.ts';
import { useRequired } from '#platform/web/form/use-required.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { useUpload } from '#platform/web/api/use-upload.ts';
import { FileDrop } from '#platform/web/ui/FileDrop.tsx';
import { administrationApi, administrationKey } from './api.ts';

const { maxBytes } = administration.importFocus.raw ?? { maxBytes: 0 };
const longestName = 200;

export function ImportUpload({ onStarted }: { onStarted: (importId: string) => void }) {
  const { t } = useTranslation('administration');
  const [file, setFile] = useState<File | null>(null);
  const required = useRequired<HTMLButtonElement>(file !== null, 'form.file_required');
  const started = ({ id }: { id: string }) => {
    setFile(null);
    toast.success(t('administration.import_started'));
    onStarted(id);
  };
  const after = {
    invalidates: [administrationKey('listImports')],
    onSuccess: started,
    onError: toast.failure,
  };
  const { send: withProgress, sending } = useUpload();
  const send = useCall(
    (chosen: File) =>
      withProgress((options) =>
        administrationApi.importFocus(
          { fileName: chosen.name.slice(-longestName) },
          { ...options, body: chosen },
        ),
      ),
    after,
  );
  const sendDemo = useCall(administrationApi.importDemo, after);
  const isBusy = send.isPending || sendDemo.isPending;
  return (
    <Stack sx={{ gap: 2 }}>
      <FileDrop
        label={t('administration.upload_file')}
        endings={['.csv']}
        maxBytes={maxBytes}
        file={file}
        onChange={setFile}
        required={required}
        disabled={isBusy}
        sending={sending}
      />
      <Stack direction={{ xs: 'column', sm: 'row' }} sx={{ gap: 1.5, alignItems: { sm: 'center' } }}>
        <Button
          variant="contained"
          size="large"
          disabled={sendDemo.isPending}
          loading={send.isPending}
          onClick={() => required.check() && file && send.mutate(file)}
        >
          {t('administration.upload_send')}
        </Button>
        <Typography variant="body2" color="textSecondary" sx={{ marginInlineStart: { sm: 'auto' } }}>
          {t('administration.demo_hint')}
        </Typography>
        <Button
          variant="outlined"
          disabled={send.isPending}
          loading={sendDemo.isPending}
          onClick={() => sendDemo.mutate({})}
        >
          {t('administration.demo_start')}
        </Button>
      </Stack>
    </Stack>
  );
}
