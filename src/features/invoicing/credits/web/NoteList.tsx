// The credit notes of a bill: number, reason, where the amount went, and the files.
import DownloadOutlined from '~icons/ic/outline-download';
import PictureAsPdfOutlined from '~icons/ic/outline-picture-as-pdf';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { BillHistory, CreditNote } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { creditsApi } from './api.ts';
import { useNoteFiles } from './use-note-files.ts';

export type NoteFiles = {
  readonly pdf: typeof creditsApi.creditNotePdf;
  readonly csv?: typeof creditsApi.creditNoteCsv;
  /** Files of other features. */
  readonly more?: (note: CreditNote) => ReactNode;
};

export function NoteList({ history, ...files }: { history: BillHistory } & NoteFiles) {
  const { t } = useTranslation('credits');
  if (history.creditNotes.length === 0) return null;
  return (
    <Box>
      <Stack
        direction="row"
        sx={{ justifyContent: 'space-between', gap: 2, paddingBottom: 1, fontSize: '0.875rem' }}
      >
        <span>{t('credits.credited')}</span>
        <Box component="span" sx={{ textAlign: 'end' }}>
          <Money amount={history.credited} strong />
          {history.returned.minor !== 0n && (
            <Typography variant="caption" component="span" color="textSecondary" sx={{ display: 'block' }}>
              {t('credits.returned')} <Money amount={history.returned} />
            </Typography>
          )}
        </Box>
      </Stack>
      <Box
        component="ul"
        aria-label={t('credits.notes_of_bill')}
        sx={{ listStyle: 'none', margin: 0, padding: 0 }}
      >
        {history.creditNotes.map((note) => (
          <Note key={note.id} note={note} {...files} />
        ))}
      </Box>
    </Box>
  );
}

function Note({ note, pdf, csv, more }: { note: CreditNote } & NoteFiles) {
  const { t } = useTranslation('credits');
  const format = useFormat();
  const take = useNoteFiles();
  const destination =
    note.toBalance.minor === 0n
      ? t('credits.pdf_to_due', { amount: format.money(note.toDue) })
      : note.toDue.minor === 0n
        ? t('credits.pdf_to_balance', { amount: format.money(note.toBalance) })
        : t('credits.pdf_to_both', { due: format.money(note.toDue), balance: format.money(note.toBalance) });
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr) auto auto',
        gap: '0 12px',
        alignItems: 'start',
        paddingBlock: 1,
        borderTop: '1px solid',
        borderColor: 'divider',
        fontSize: '0.875rem',
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Box component="span" className="tabular" sx={{ fontWeight: 700 }}>
          {note.number}
        </Box>{' '}
        ·{' '}
        <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
          <Moment at={note.issuedAt} />
        </Box>
        <Box sx={{ overflowWrap: 'anywhere' }}>{note.reason}</Box>
        <Typography variant="caption" component="span" color="textSecondary">
          {destination}
        </Typography>
      </Box>
      <Money amount={note.total} />
      <Box data-screen-only sx={{ marginTop: '-6px', whiteSpace: 'nowrap' }}>
        <Tooltip title={t('credits.download_pdf', { number: note.number })}>
          <IconButton
            size="small"
            aria-label={t('credits.download_pdf', { number: note.number })}
            onClick={() => take(pdf, note.id)}
          >
            <PictureAsPdfOutlined fontSize="small" />
          </IconButton>
        </Tooltip>
        {csv && (
          <Tooltip title={t('credits.download_csv', { number: note.number })}>
            <IconButton
              size="small"
              aria-label={t('credits.download_csv', { number: note.number })}
              onClick={() => take(csv, note.id)}
            >
              <DownloadOutlined fontSize="small" />
            </IconButton>
          </Tooltip>
        )}
        {more?.(note)}
      </Box>
    </Box>
  );
}
