// Accepts one file, dropped or selected; shows its name and size, and rejects one that is too large or of
// another type.
import InsertDriveFileOutlined from '~icons/ic/outline-insert-drive-file';
import UploadFileOutlined from '~icons/ic/outline-upload-file';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useRef, useState, type DragEvent } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { useFormat } from '../format/use-format.ts';
import type { Sending } from '../api/use-upload.ts';
import { useProblemText } from '../form/Field.tsx';
import { FileInput } from '../form/FileInput.tsx';
import type { Required } from '../form/use-required.ts';
import { ProgressBar } from './ProgressBar.tsx';

export type FileDropProps = {
  /** The field's label: "FOCUS CSV file". */
  readonly label: string;
  /** File name extensions, with the dot: ['.csv']. */
  readonly endings: readonly string[];
  readonly maxBytes: number;
  readonly file: File | null;
  readonly onChange: (file: File | null) => void;
  readonly disabled?: boolean;
  /** For a required file: shows the problem once the submit button was pressed. */
  readonly required?: Required<HTMLButtonElement>;
  /** The running upload, from `useUpload`. */
  readonly sending?: Sending | undefined;
  /** Describes what the server does with the file after the upload. */
  readonly atWork?: string;
};

export function FileDrop({
  label,
  endings,
  maxBytes,
  file,
  onChange,
  disabled = false,
  required,
  sending,
  atWork,
}: FileDropProps) {
  const { t } = useTranslation('platform');
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [problem, setProblem] = useState<string>();
  const missing = useProblemText(label, required?.problem);
  const sentence = problem ?? missing;
  const types = format.list(endings.map((ending) => ending.slice(1).toUpperCase()));
  const take = (taken: File | undefined) => {
    if (!taken || disabled) return;
    const isKind = endings.some((ending) => taken.name.toLowerCase().endsWith(ending));
    const found = !isKind
      ? t('file.wrong_type', { types })
      : taken.size > maxBytes
        ? t('file.too_big', { size: format.bytes(taken.size), max: format.bytesAtMost(maxBytes) })
        : undefined;
    setProblem(found);
    onChange(found === undefined ? taken : null);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files[0]);
  };
  return (
    <Box>
      <Box
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
        sx={{
          display: 'grid',
          justifyItems: 'center',
          gap: 1,
          padding: { xs: '16px', sm: '20px 24px' },
          textAlign: 'center',
          borderRadius: '5px',
          border: '1.5px dashed',
          borderColor: isOver ? 'primary.main' : sentence === undefined ? 'control' : 'error.main',
          bgcolor: isOver ? 'primary.soft' : 'sunken',
          transition: 'background-color 120ms, border-color 120ms',
        }}
      >
        {file ? (
          <Stack
            direction="row"
            role="status"
            sx={{ alignItems: 'center', gap: 1, minWidth: 0, maxWidth: '100%' }}
          >
            <InsertDriveFileOutlined aria-hidden sx={{ color: 'primary.main' }} />
            <Typography sx={{ overflowWrap: 'anywhere' }}>
              {t('file.chosen', { name: file.name, size: format.bytes(file.size) })}
            </Typography>
          </Stack>
        ) : (
          <Typography
            color="textSecondary"
            sx={{
              display: 'flex',
              gap: 1,
              alignItems: 'center',
              // There is no drag and drop on touch screens.
              '@media (pointer: coarse)': { display: 'none' },
            }}
          >
            <UploadFileOutlined aria-hidden />
            {t('file.drop')}
          </Typography>
        )}
        <Button
          variant="outlined"
          disabled={disabled}
          {...(required && { ref: required.input })}
          onClick={() => input.current?.click()}
        >
          {t(file ? 'file.other' : 'file.choose')}
        </Button>
        <Typography variant="caption" color="textSecondary">
          {t('file.limits', { types, size: format.bytesAtMost(maxBytes) })}
        </Typography>
        <FileInput ref={input} label={label} accept={endings} onFile={take} />
      </Box>
      {sentence !== undefined && (
        <Alert severity="error" role="alert" sx={{ marginTop: 1 }}>
          {sentence}
        </Alert>
      )}
      {sending && <OnItsWay {...sending} size={file?.size ?? 0} atWork={atWork ?? t('file.at_work')} />}
    </Box>
  );
}

function OnItsWay({
  ratio,
  cancel,
  size,
  atWork,
}: Sending & { readonly size: number; readonly atWork: string }) {
  const { t } = useTranslation('platform');
  const format = useFormat();
  const hasLeft = ratio >= 1;
  return (
    <Box
      role="status"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr) auto',
        alignItems: 'center',
        gap: 2,
        marginTop: 1.5,
        minHeight: 44,
      }}
    >
      <ProgressBar
        label={hasLeft ? atWork : t('file.sending')}
        ratio={hasLeft ? undefined : ratio}
        {...(!hasLeft && {
          note: t('file.sent', { sent: format.bytes(Math.round(size * ratio)), size: format.bytes(size) }),
        })}
      />
      {!hasLeft && <Button onClick={cancel}>{t('file.stop')}</Button>}
    </Box>
  );
}
