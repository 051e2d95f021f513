// Fills the form from a provider's metadata, pasted or selected as a file.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useRef, useState } from 'react';
import { useCall } from '#platform/web/api/queries.ts';
import { FileInput } from '#platform/web/form/FileInput.tsx';
import { finished } from '#platform/web/form/problems.ts';
import { useRequired } from '#platform/web/form/use-required.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { providersApi } from './api.ts';
import type { ProviderForm } from './provider-fields.ts';

export function MetadataReader({ form }: { form: ProviderForm }) {
  const { t } = useTranslation('providers');
  const [metadata, setMetadata] = useState('');
  const required = useRequired(metadata.trim() !== '');
  const file = useRef<HTMLInputElement>(null);
  const read = useCall(providersApi.readMetadata, {
    onSuccess: ({ entityId, ssoUrl, certificates }) => {
      const changed = { shouldDirty: true, shouldValidate: true } as const;
      form.setValue('entityId', entityId, changed);
      form.setValue('ssoUrl', ssoUrl, changed);
      form.setValue('certificates', certificates.map(({ pem }) => pem.trim()).join('\n'), changed);
      setMetadata('');
      toast.success(t('providers.metadata_done'));
    },
  });
  return (
    <Stack sx={{ gap: 1, marginBottom: 2 }}>
      <TextBox
        name="metadata"
        label={t('providers.metadata')}
        help={t('providers.metadata_hint')}
        value={metadata}
        onChange={setMetadata}
        rows={4}
        code
        problem={read.error ? finished(read.error.message) : required.problem}
        inputRef={required.input}
      />
      <Stack direction="row" sx={{ gap: 1 }}>
        <Button
          variant="outlined"
          loading={read.isPending}
          onClick={() => required.check() && read.mutate({ metadata })}
        >
          {t('providers.metadata_read')}
        </Button>
        <Button onClick={() => file.current?.click()}>{t('providers.metadata_file')}</Button>
        <FileInput
          ref={file}
          label={t('providers.metadata_file')}
          accept={['.xml']}
          onFile={(chosen) => void chosen.text().then(setMetadata)}
        />
      </Stack>
    </Stack>
  );
}
