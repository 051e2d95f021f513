// Downloads with which customers verify licenses offline.
import FileDownloadOutlined from '~icons/ic/outline-file-download';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useDownload } from '#platform/web/api/use-download.ts';
import { licensingApi } from './api.ts';

const example = 'node collect-machine.mjs machine.json\nnode verify-licence.mjs FILE --machine machine.json';

export function VerifierTools() {
  const { t } = useTranslation('licensing');
  const download = useDownload();
  return (
    <Section title={t('licensing.tools')} lead={t('licensing.tools_lead')}>
      <Stack sx={{ gap: 2 }}>
        <CodeBlock code={example} label={t('licensing.tools')} />
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          <Button
            variant="outlined"
            startIcon={<FileDownloadOutlined />}
            onClick={() => void download((options) => licensingApi.verifierKit({}, options))}
          >
            {t('licensing.kit')}
          </Button>
          <Button
            variant="outlined"
            startIcon={<FileDownloadOutlined />}
            onClick={() => void download((options) => licensingApi.revocations({}, options))}
          >
            {t('licensing.revocations')}
          </Button>
        </Stack>
      </Stack>
    </Section>
  );
}
