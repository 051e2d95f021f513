// Imports users from a file: first the plan for each row, then the import, with progress and a stop button.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { identityKey } from '#features/access/identity/web/parts.ts';
import { exportFormats, maxImportedBytes, spreadsheetType, type UserImport } from '../contract.ts';
import { useRequired } from '#platform/web/form/use-required.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { FileDrop } from '#platform/web/ui/FileDrop.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useUpload } from '#platform/web/api/use-upload.ts';
import { usersApi, usersKey, usersQueries } from './api.ts';
import { ImportPlan } from './ImportPlan.tsx';
import { ImportRun } from './ImportRun.tsx';

const lookEveryMs = 500;
/** Derived from the file name: browsers derive a file's type from the programs installed on the machine. */
const typed = (file: File): Blob =>
  new Blob([file], { type: file.name.toLowerCase().endsWith('.xlsx') ? spreadsheetType : 'text/csv' });

export function ImportDialog({ mails, onClose }: { mails: boolean; onClose: () => void }) {
  const { t } = useTranslation('users');
  const format = useFormat();
  const cache = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [made, setMade] = useState<UserImport>();
  const [options, setOptions] = useState({ leaveOutBadRows: false, sendLinks: mails });
  const required = useRequired<HTMLButtonElement>(file !== null, 'form.file_required');
  const { send, sending } = useUpload();
  const upload = useCall((chosen: File) =>
    send((options) => usersApi.uploadUsers({ fileName: chosen.name }, { ...options, body: typed(chosen) })),
  );
  const start = useCall(usersApi.startImport, { onSuccess: setMade });
  const cancel = useCall(usersApi.cancelUserImport, { onError: toast.failure });
  const isStarted = made !== undefined && made.state !== 'ready';
  const latest = useQuery({
    ...usersQueries.getUserImport({ importId: made?.id ?? ('' as never) }),
    enabled: isStarted,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? lookEveryMs : false),
    staleTime: 0,
  });
  const now = isStarted && latest.data?.state !== 'ready' ? (latest.data ?? made) : made;
  const isOver = now?.state === 'done' || now?.state === 'stopped';
  useEffect(() => {
    if (isOver)
      for (const queryKey of [identityKey('listUsers'), usersKey('listImportRows')])
        void cache.invalidateQueries({ queryKey });
  }, [isOver, cache]);
  const choose = (chosen: File | null): void => {
    setFile(chosen);
    setMade(undefined);
    start.reset();
    if (chosen) upload.mutate(chosen, { onSuccess: setMade });
  };
  const changes = now ? now.create + now.update : 0;
  const isBlocked = now !== undefined && now.refused > 0 && !options.leaveOutBadRows;
  const isReady = now === undefined || now.state === 'ready';
  const problem = upload.error ?? start.error;
  const buttons = isReady ? (
    <>
      <Button onClick={onClose}>{t('ui.cancel')}</Button>
      <Button
        variant="contained"
        loading={start.isPending}
        disabled={file !== null && (!now || upload.isPending || changes === 0 || isBlocked)}
        onClick={() => required.check() && now && start.mutate({ importId: now.id, ...options })}
      >
        {changes > 0 ? t('users.import_button', { count: format.number(changes) }) : t('users.import_title')}
      </Button>
    </>
  ) : (
    <>
      {now.state === 'running' && (
        <Button loading={cancel.isPending} onClick={() => cancel.mutate({ importId: now.id })}>
          {t('users.stop')}
        </Button>
      )}
      <Button variant="contained" onClick={onClose}>
        {t(now.state === 'running' ? 'users.import_leave' : 'ui.done')}
      </Button>
    </>
  );
  return (
    <Modal open width="md" title={t('users.import_title')} onClose={onClose} actions={buttons}>
      <Stack sx={{ gap: 2 }}>
        {isReady && <Templates />}
        {isReady && (
          <FileDrop
            label={t('users.import_file')}
            endings={['.csv', '.xlsx']}
            maxBytes={maxImportedBytes}
            file={file}
            onChange={choose}
            required={required}
            disabled={upload.isPending}
            sending={sending}
            atWork={t('users.import_checking')}
          />
        )}
        {problem && (
          <Alert severity="error" role="alert">
            {problem.message}
          </Alert>
        )}
        {now &&
          (isReady ? (
            <ImportPlan plan={now} options={options} onChange={setOptions} mails={mails} />
          ) : (
            <ImportRun run={now} />
          ))}
      </Stack>
    </Modal>
  );
}

function Templates() {
  const { t } = useTranslation('users');
  const language = useLanguage();
  const download = useDownload();
  return (
    <Stack sx={{ gap: 1 }}>
      <Typography variant="body2" color="textSecondary">
        {t('users.import_lead')}
      </Typography>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        {/* used as: 'users.template_as_*' */}
        {exportFormats.toReversed().map((one) => (
          <Button
            key={one}
            size="small"
            onClick={() =>
              void download((options) => usersApi.importTemplate({ format: one, language }, options))
            }
          >
            {t(`users.template_as_${one}`)}
          </Button>
        ))}
      </Stack>
    </Stack>
  );
}
