// The only way to download a file: with progress, a cancel button and a message when it is complete
// (R-BILL-04).
import { useCallback } from 'react';
import { saveFile, type CallOptions, type Download } from './api.ts';
import { useTranslation } from '../i18n/i18n.ts';
import { changeToast, dismissToast, toast } from '../toasts/toasts.ts';
import { useFormat } from '../format/use-format.ts';

/** Progress of a download: the bytes received so far, and the total number of rows if the server sent it. */
type Progress = {
  readonly bytes: number;
  readonly rows: number;
  readonly totalRows: number | undefined;
  readonly isText: boolean;
};

/** The toast is updated at most this often, because faster updates flicker. */
const reportEveryMs = 120;

/**
 * `const download = useDownload(); await download((options) => api.exportServices({ format: 'csv' },
 * options))`; resolves to true when the file is complete.
 */
export function useDownload(): (call: (options: CallOptions) => Promise<Download>) => Promise<boolean> {
  const { t } = useTranslation('platform');
  const format = useFormat();
  return useCallback(
    async (call) => {
      const stop = new AbortController();
      const id = toast.progress(t('ui.downloading'), { label: t('ui.cancel'), onClick: () => stop.abort() });
      const report = ({ bytes, rows, totalRows, isText }: Progress): void => {
        if (totalRows === undefined) return;
        const total = format.number(totalRows);
        const message = isText
          ? t('ui.downloading_rows', { rows: format.number(Math.min(rows, totalRows)), total })
          : t('ui.downloading_bytes', { size: format.bytes(bytes), total });
        changeToast(id, message);
      };
      try {
        const file = await call({
          signal: stop.signal,
          readFile: (answer) => readWithProgress(answer, report),
        });
        saveFile(file);
        toast.success(t('ui.downloaded'));
        return true;
      } catch (error) {
        toast.failure(error);
        return false;
      } finally {
        dismissToast(id);
      }
    },
    [t, format],
  );
}

/**
 * Reads a body in chunks and reports progress. Rows of text files are counted by line breaks; binary files
 * have none.
 */
async function readWithProgress(answer: Response, report: (progress: Progress) => void): Promise<Blob> {
  if (!answer.body) return answer.blob();
  const type = answer.headers.get('content-type') ?? '';
  const totalHeader = answer.headers.get('x-total-rows');
  const totalRows = totalHeader === null ? undefined : Number.parseInt(totalHeader, 10);
  const isText = type.startsWith('text/');
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let [bytes, lines, toldAt] = [0, 0, performance.now()];
  const reader = answer.body.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    parts.push(piece.value);
    bytes += piece.value.length;
    if (isText) lines += lineEnds(piece.value);
    if (performance.now() - toldAt < reportEveryMs) continue;
    toldAt = performance.now();
    // The header is a line too.
    report({ bytes, rows: Math.max(lines - 1, 0), totalRows, isText });
  }
  return new Blob(parts, { type });
}

const carriageReturn = 13;
const lineEnds = (piece: Uint8Array): number =>
  piece.reduce((count, byte) => (byte === carriageReturn ? count + 1 : count), 0);
