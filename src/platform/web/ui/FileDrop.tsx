// Takes one file, dropped or chosen; refuses wrong kinds and sizes before anything is sent.
import UploadFileOutlined from '@mui/icons-material/UploadFileOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useRef, useState, type DragEvent } from 'react';
import { usePlatformTexts } from '../i18n.ts';
import { useFormat } from '../use-format.ts';
import { VisuallyHidden } from './VisuallyHidden.tsx';

export type FileDropProps = {
  /** Names the input. */
  readonly label: string;
  /** Endings with the dot: ['.json']. */
  readonly endings: readonly string[];
  readonly maxBytes: number;
  readonly file: File | undefined;
  readonly onFile: (file: File) => void;
  readonly disabled?: boolean;
};

export function FileDrop({ label, endings, maxBytes, file, onFile, disabled = false }: FileDropProps) {
  const t = usePlatformTexts();
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const [isOver, setIsOver] = useState(false);
  const types = endings.join(' ');
  const take = (chosen: File | undefined) => {
    if (!chosen) return;
    const isRightType = endings.some((ending) => chosen.name.toLowerCase().endsWith(ending));
    if (!isRightType) return setProblem(t('file.wrong_type', { types }));
    if (chosen.size > maxBytes) return setProblem(t('file.too_big', { size: format.bytes(chosen.size), max: format.bytes(maxBytes) }));
    setProblem(undefined);
    onFile(chosen);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    if (!disabled) take(event.dataTransfer.files[0]);
  };
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <Box
        onDragOver={(event) => { event.preventDefault(); setIsOver(!disabled); }}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
        sx={{ display: 'grid', justifyItems: 'center', gap: 1, padding: 3, textAlign: 'center', border: '2px dashed', borderColor: isOver ? 'primary.main' : 'control', borderRadius: '5px', bgcolor: isOver ? 'primary.soft' : 'transparent' }}
      >
        <UploadFileOutlined aria-hidden sx={{ fontSize: 32, color: 'text.secondary' }} />
        <Typography variant="body2">{file ? t('file.chosen', { name: file.name, size: format.bytes(file.size) }) : t('file.drop')}</Typography>
        <Button variant="outlined" disabled={disabled} onClick={() => input.current?.click()}>{t(file ? 'file.other' : 'file.choose')}</Button>
        <Typography variant="caption" color="textSecondary">{t('file.limits', { types, size: format.bytes(maxBytes) })}</Typography>
        <input ref={input} type="file" hidden accept={endings.join(',')} aria-label={label} onChange={(event) => { take(event.target.files?.[0]); event.target.value = ''; }} />
      </Box>
      {problem !== undefined && <Alert severity="error">{problem}</Alert>}
      <VisuallyHidden live>{file ? t('file.chosen', { name: file.name, size: format.bytes(file.size) }) : ''}</VisuallyHidden>
    </Box>
  );
}
