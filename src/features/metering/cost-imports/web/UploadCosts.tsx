// Uploads a billing export; it is read at once, and imported after a user has reviewed it.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useCall } from '#platform/web/api/queries.ts';
import { useUpload } from '#platform/web/api/use-upload.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { FileDrop } from '#platform/web/ui/FileDrop.tsx';
import { maxUploadBytes, type CostSource } from '../contract.ts';
import { costsApi, costsKey } from './api.ts';

const longestName = 200;

export function UploadCosts({ source }: { source: CostSource }) {
  const { t } = useTranslation('costs');
  const [file, setFile] = useState<File | null>(null);
  const { send: withProgress, sending } = useUpload();
  const send = useCall(
    (chosen: File) =>
      withProgress((options) =>
        costsApi.uploadCostFile(
          { sourceId: source.id, name: chosen.name.slice(-longestName) },
          { ...options, body: chosen },
        ),
      ),
    {
      invalidates: [costsKey()],
      onSuccess: ({ state }, chosen) => {
        setFile(null);
        if (state === 'waiting') toast.success(t('costs.uploaded', { name: chosen.name }));
        else toast.info(t('costs.file_same'));
      },
      onError: toast.failure,
    },
  );
  return (
    <Stack sx={{ gap: 1.5 }}>
      <Typography variant="body2" color="textSecondary">
        {t('costs.upload_help')}
      </Typography>
      <FileDrop
        label={t('costs.upload')}
        endings={['.csv', '.gz', '.parquet', '.json', '.jsonl', '.ndjson']}
        maxBytes={maxUploadBytes}
        file={file}
        onChange={setFile}
        disabled={send.isPending}
        sending={sending}
      />
      {file && (
        <Button
          variant="contained"
          loading={send.isPending}
          onClick={() => send.mutate(file)}
          sx={{ alignSelf: 'flex-start' }}
        >
          {t('costs.upload')}
        </Button>
      )}
    </Stack>
  );
}
