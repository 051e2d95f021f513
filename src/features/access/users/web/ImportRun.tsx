// The progress and the result of an import, with the result as a file.
import FileDownloadOutlined from '~icons/ic/outline-file-download';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { UserImport } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { usersApi } from './api.ts';
import { ImportRows } from './ImportRows.tsx';

export function ImportRun({ run }: { run: UserImport }) {
  const { t } = useTranslation('users');
  const format = useFormat();
  const download = useDownload();
  const wanted = run.create + run.update;
  const done = run.written + run.failed;
  if (run.state === 'running')
    return (
      <ProgressBar
        label={t('users.running_at', { done: format.number(done), total: format.number(wanted) })}
        ratio={wanted === 0 ? undefined : done / wanted}
        note={t('users.import_running_note')}
      />
    );
  const counts = {
    written: format.number(run.written),
    bad: format.number(run.failed + run.refused),
    left: format.number(wanted - done),
  };
  return (
    <>
      <Alert severity={run.state === 'stopped' || run.failed > 0 ? 'warning' : 'success'} role="status">
        {t(run.state === 'stopped' ? 'users.import_stopped' : 'users.import_done', counts)}
      </Alert>
      <Box>
        <Button
          variant="outlined"
          startIcon={<FileDownloadOutlined />}
          onClick={() =>
            void download((options) => usersApi.importResult({ importId: run.id, format: 'xlsx' }, options))
          }
        >
          {t('users.import_result')}
        </Button>
      </Box>
      {run.failed + run.refused > 0 && <ImportRows importId={run.id} total={run.total} />}
    </>
  );
}
