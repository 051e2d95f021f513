// Imports and exports rates of a grid as a table: pasted from a spreadsheet, read from a CSV file, or
// downloaded as one.
import ContentPasteOutlined from '~icons/ic/outline-content-paste';
import FileDownloadOutlined from '~icons/ic/outline-file-download';
import UploadFileOutlined from '~icons/ic/outline-upload-file';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiTextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useRef, useState } from 'react';
import { saveFile } from '#platform/web/api/api.ts';
import { fileDownloaded } from '#platform/web/api/envelope.ts';
import { useProblemText } from '#platform/web/form/Field.tsx';
import { FileInput } from '#platform/web/form/FileInput.tsx';
import { useRequired } from '#platform/web/form/use-required.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { maxRates } from '#features/selling/rating/contract.ts';
import type { RateFields } from './rate-fields.ts';
import { rateTable, type Taken } from './rate-table.ts';

const maxFileBytes = 1024 * 1024;
const shownIssues = 8;

export function RateTableTools({
  columns,
  rates,
  canTake,
  onTake,
  fileName,
}: {
  columns: readonly string[];
  rates: readonly RateFields[];
  canTake: boolean;
  onTake: (text: string) => void;
  /** Without its extension. */
  fileName: string;
}) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const { t: tPlatform } = useTranslation('platform');
  const input = useRef<HTMLInputElement>(null);
  const [isPasting, setIsPasting] = useState(false);
  const [pasted, setPasted] = useState('');
  const required = useRequired(pasted.trim() !== '');
  const missing = useProblemText(t('catalogue.rates_pasted'), required.problem);
  const [problem, setProblem] = useState<string>();
  const read = async (file: File): Promise<void> => {
    if (file.size > maxFileBytes) {
      setProblem(
        tPlatform('file.too_big', { size: format.bytes(file.size), max: format.bytesAtMost(maxFileBytes) }),
      );
      return;
    }
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
      setProblem(undefined);
      onTake(text);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      setProblem(t('catalogue.import_no_utf8'));
    }
  };
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <Box
        role="group"
        aria-label={t('catalogue.rates_tools')}
        sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}
      >
        <Button
          size="small"
          startIcon={<ContentPasteOutlined />}
          aria-expanded={isPasting}
          disabled={!canTake}
          onClick={() => setIsPasting(!isPasting)}
        >
          {t('catalogue.rates_paste')}
        </Button>
        <Button
          size="small"
          startIcon={<UploadFileOutlined />}
          disabled={!canTake}
          onClick={() => input.current?.click()}
        >
          {t('catalogue.rates_import')}
        </Button>
        <Button
          size="small"
          startIcon={<FileDownloadOutlined />}
          onClick={() =>
            saveFile({
              blob: new Blob([rateTable(columns, rates)], { type: 'text/csv;charset=utf-8' }),
              fileName: `${fileName}.csv`,
              message: fileDownloaded,
            })
          }
        >
          {t('catalogue.rates_export')}
        </Button>
        <FileInput
          ref={input}
          label={t('catalogue.rates_file')}
          accept={['.csv', '.tsv', '.txt']}
          onFile={(file) => void read(file)}
        />
      </Box>
      {problem !== undefined && (
        <Alert severity="error" role="alert">
          {problem}
        </Alert>
      )}
      {isPasting && (
        <Box sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
          <MuiTextField
            autoFocus
            fullWidth
            multiline
            minRows={3}
            maxRows={8}
            size="small"
            label={t('catalogue.rates_pasted')}
            error={missing !== undefined}
            helperText={
              missing ??
              t('catalogue.rates_paste_help', {
                columns: [...columns, t('catalogue.unit_price')].join(t('catalogue.between')),
              })
            }
            inputRef={required.input}
            value={pasted}
            onChange={(event) => setPasted(event.target.value)}
            // A tab only becomes part of the text if pasted; the Tab key moves the focus, as everywhere.
            slotProps={{ htmlInput: { spellCheck: false } }}
          />
          <Button
            size="small"
            variant="contained"
            onClick={() => {
              if (!required.check()) return;
              onTake(pasted);
              setPasted('');
              setIsPasting(false);
            }}
          >
            {t('catalogue.rates_take')}
          </Button>
        </Box>
      )}
    </Box>
  );
}

/** What a table contained, and which of its lines could not be read. */
export function TakenRates({ taken, onClose }: { taken: Taken; onClose: () => void }) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const { added, changed, same, left, issues } = taken;
  const isBad = issues.length > 0 || left > 0;
  return (
    <Alert severity={isBad ? 'warning' : 'success'} role="status" onClose={onClose}>
      {format.sentences(
        t('catalogue.rates_taken', { added, changed, same }),
        left > 0 && t('catalogue.rates_left', { count: left, most: maxRates }),
      )}
      {issues.length > 0 && (
        <Box component="ul" sx={{ margin: '4px 0 0', paddingInlineStart: '18px' }}>
          {issues.slice(0, shownIssues).map(({ line, code, params }) => (
            <li key={line}>{t('catalogue.rates_line', { line, problem: t(code, params) })}</li>
          ))}
        </Box>
      )}
      {issues.length > shownIssues && (
        <Typography variant="caption" component="p">
          {t('catalogue.and_more', { count: issues.length - shownIssues })}
        </Typography>
      )}
    </Alert>
  );
}
