// Imports the European Central Bank's file of reference rates.
import Alert from '@mui/material/Alert';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useCall } from '#platform/web/api/queries.ts';
import { useUpload } from '#platform/web/api/use-upload.ts';
import { useRequired } from '#platform/web/form/use-required.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmButtons } from '#platform/web/ui/ConfirmButtons.tsx';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { FileDrop } from '#platform/web/ui/FileDrop.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { rates } from '../contract.ts';
import { ratesApi, ratesKey } from './api.ts';

const maxBytes = rates.importRates.raw?.maxBytes ?? 0;
const mediaTypes = { csv: 'text/csv', xml: 'application/xml', zip: 'application/zip' } as const;
/** Sets the file's type, which browsers name differently, or not at all. */
function typed(file: File): Blob {
  const ending = file.name.slice(file.name.lastIndexOf('.') + 1).toLowerCase();
  const type = ending === 'xml' || ending === 'zip' ? mediaTypes[ending] : mediaTypes.csv;
  return file.slice(0, file.size, type);
}

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('rates');
  const format = useFormat();
  const [file, setFile] = useState<File | null>(null);
  const required = useRequired<HTMLButtonElement>(file !== null, 'form.file_required');
  const { send, sending } = useUpload();
  const take = useCall(
    (body: File) => send((options) => ratesApi.importRates({}, { ...options, body: typed(body) })),
    {
      invalidates: [ratesKey()],
      onSuccess: ({ added, days }) => {
        toast.success(
          added === 0
            ? t('rates.imported_none')
            : t('rates.imported', { added: format.number(added), days: format.number(days) }),
        );
        onClose();
      },
    },
  );
  return (
    <Modal open width="sm" title={t('rates.import')} onClose={take.isPending ? undefined : onClose}>
      <Stack sx={{ gap: 2, paddingBlock: 1 }}>
        <Typography variant="body2">{t('rates.import_lead')}</Typography>
        <FileDrop
          label={t('rates.import_file')}
          endings={['.csv', '.xml', '.zip']}
          maxBytes={maxBytes}
          file={file}
          onChange={setFile}
          required={required}
          disabled={take.isPending}
          sending={sending}
        />
        {take.error && <Alert severity="error">{take.error.message}</Alert>}
        <DialogButtons>
          <ConfirmButtons
            confirm={t('rates.upload')}
            isBusy={take.isPending}
            onConfirm={() => required.check() && file && take.mutate(file)}
            onClose={onClose}
          />
        </DialogButtons>
      </Stack>
    </Modal>
  );
}
