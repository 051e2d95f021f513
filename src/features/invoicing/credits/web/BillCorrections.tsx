// The Admin's actions on an issued bill, its history, and its remarks.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Out } from '#kernel/contract.ts';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import type { credits } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { creditsApi, creditsKey, creditsQueries } from './api.ts';
import { CreditDialog } from './CreditDialog.tsx';
import { NoteList, type NoteFiles } from './NoteList.tsx';
import { ReissueDialog } from './ReissueDialog.tsx';
import { Remarks } from './Remarks.tsx';
import { VoidDialog } from './VoidDialog.tsx';
import { VoidNotice } from './VoidNotice.tsx';

type History = Out<typeof credits.adminBillHistory>;
export type BillCorrectionsProps = {
  readonly bill: BillDetail;
  /** Shows another bill, by its id. */ readonly onBill: (billId: string) => void;
  /** Buttons of other features, beside its own. */ readonly more?: ReactNode;
  /** Additional files of each credit note. */ readonly noteFiles?: NoteFiles['more'];
};

export function BillCorrections(props: BillCorrectionsProps) {
  useLive('billing', [creditsKey()]);
  return (
    <QueryState
      query={useQuery(creditsQueries.adminBillHistory({ billId: props.bill.id }))}
      skeleton={<Lines count={3} />}
    >
      {(history) => <Content {...props} history={history} />}
    </QueryState>
  );
}

function Content({ bill, history, onBill, more, noteFiles }: BillCorrectionsProps & { history: History }) {
  const { t } = useTranslation('credits');
  const hasStory = history.void !== null || history.replaces !== null || history.creditNotes.length > 0;
  return (
    <>
      <Actions bill={bill} history={history} onBill={onBill} more={more} />
      {hasStory && (
        <Stack component="section" sx={{ gap: 1.5 }}>
          <Typography variant="h3">{t('credits.history')}</Typography>
          <VoidNotice history={history} onBill={(one) => onBill(one.id)} />
          <NoteList history={history} pdf={creditsApi.adminCreditNotePdf} more={noteFiles} />
        </Stack>
      )}
      <Box component="section">
        <Remarks billId={bill.id} notes={history.notes} />
      </Box>
    </>
  );
}

type CorrectionAction = 'credit' | 'void' | 'reissue';

/** Only currently possible actions are shown. */
function Actions({ bill, history, onBill, more }: BillCorrectionsProps & { history: History }) {
  const { t } = useTranslation('credits');
  const [act, setAct] = useState<CorrectionAction>();
  const close = () => setAct(undefined);
  const isVoid = bill.state === 'void';
  const mayCredit = !isVoid && bill.total.minor > history.credited.minor;
  if (isVoid && history.replacedBy) return null;
  return (
    <Stack direction="row" role="group" aria-label={t('credits.actions')} sx={{ gap: 1, flexWrap: 'wrap' }}>
      {mayCredit && (
        <Button variant="outlined" aria-haspopup="dialog" onClick={() => setAct('credit')}>
          {t('credits.credit')}
        </Button>
      )}
      <Button variant="outlined" aria-haspopup="dialog" onClick={() => setAct('reissue')}>
        {t('credits.reissue')}
      </Button>
      {more}
      {!isVoid && (
        <Button variant="outlined" color="error" aria-haspopup="dialog" onClick={() => setAct('void')}>
          {t('credits.void')}
        </Button>
      )}
      {act === 'credit' && <CreditDialog bill={bill} lines={history.lines} onClose={close} />}
      {act === 'void' && <VoidDialog bill={bill} onClose={close} />}
      {act === 'reissue' && <ReissueDialog bill={bill} onDone={(made) => onBill(made.id)} onClose={close} />}
    </Stack>
  );
}
