// What happened to an organization's own bill after it was issued: credit notes, its voiding and replacement,
// and remarks; renders nothing if nothing happened.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import type { BillHistory } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import { creditsApi, creditsKey, creditsQueries } from './api.ts';
import { NoteList, type NoteFiles } from './NoteList.tsx';
import { RemarkList } from './Remarks.tsx';
import { VoidNotice } from './VoidNotice.tsx';

// The replacing bill is for the same month, so it is on the same page, with its number as anchor.
const show = ({ number }: NonNullable<BillHistory['replaces']>): void =>
  document.getElementById(number)?.scrollIntoView();

export function BillStory({
  bill,
  noteFiles,
}: {
  bill: Pick<BillDetail, 'id'>;
  /** Additional files of each credit note. */ noteFiles?: NoteFiles['more'];
}) {
  const { t } = useTranslation('credits');
  useLive('bills', [creditsKey()]);
  // Errors are not shown here, because the bill's own component already shows that the server cannot be
  // reached.
  const { data: history } = useQuery(creditsQueries.billHistory({ billId: bill.id }));
  if (
    !history ||
    (!history.void && !history.replaces && history.creditNotes.length === 0 && history.notes.length === 0)
  )
    return null;
  return (
    <Box className="whole" sx={{ minWidth: 0 }}>
      <Section title={t('credits.history')}>
        <Stack sx={{ gap: 2 }}>
          <VoidNotice history={history} onBill={show} />
          <NoteList
            history={history}
            pdf={creditsApi.creditNotePdf}
            csv={creditsApi.creditNoteCsv}
            more={noteFiles}
          />
          {history.notes.length > 0 && (
            <Box>
              <Typography variant="h3" sx={{ marginBottom: 1 }}>
                {t('credits.remarks')}
              </Typography>
              <RemarkList notes={history.notes} />
            </Box>
          )}
        </Stack>
      </Section>
    </Box>
  );
}
