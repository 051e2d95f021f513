// The customer's bills, with the ways to pay them and their later history.
import { BillsScreen, useBillsAhead } from '#features/invoicing/billing/web/parts.ts';
import { BillStory, OwnCreditNotes } from '#features/invoicing/credits/web/parts.ts';
import { OwnPayers, PaidForOthers } from '#features/invoicing/payers/web/parts.ts';
import { BillsBySeller, ResellerLink } from '#features/invoicing/resellers/web/parts.ts';
import { BillProof } from '#features/operations/bill-proofs/web/parts.ts';
import { BillCollection, PaymentCards } from '#features/receivables/collection/web/parts.ts';
import {
  CreditBanner,
  OwnCreditLimit,
  useCreditAhead,
} from '#features/receivables/credit-limits/web/parts.ts';
import { DunningBanner, useDunningAhead } from '#features/receivables/dunning/web/parts.ts';
import { BillEinvoices, OwnEinvoices, useEinvoicesOn } from '#features/receivables/einvoices/web/parts.ts';
import { BillFees } from '#features/receivables/late-fees/web/parts.ts';
import { BillPlan } from '#features/receivables/payment-plans/web/parts.ts';
import {
  BalanceCard,
  PayButton,
  PayConsolidatedButton,
  PaymentHistory,
  useBalanceAhead,
} from '#features/receivables/payments/web/parts.ts';
import { OwnTopUps } from '#features/receivables/top-ups/web/parts.ts';
import { OwnStatement } from '#features/reporting/books/web/parts.ts';
import { BillDocuments, CreditNoteDocuments } from '#features/reporting/en16931/web/parts.ts';
import { OwnMonthPacks } from '#features/reporting/packs/web/parts.ts';
import { useMay } from '../permissions/own-grants.ts';
import { CreditsLink } from './CreditsLink.tsx';

export function Bills() {
  useBillsAhead();
  useDunningAhead();
  useBalanceAhead();
  useCreditAhead();
  const may = useMay();
  const hasEinvoices = useEinvoicesOn();
  return (
    <BillsBySeller
      otherwise={
        <BillsScreen
          notice={(otherwise) => (
            <DunningBanner otherwise={<CreditBanner otherwise={otherwise} isOnBills />} />
          )}
          pay={(bill) => <PayButton bill={bill} />}
          payConsolidated={(bill) => <PayConsolidatedButton bill={bill} />}
          balance={
            <BalanceCard
              actions={
                <>
                  <PaymentCards />
                  <CreditsLink />
                  <ResellerLink />
                </>
              }
              more={
                <>
                  <OwnTopUps />
                  <OwnCreditLimit />
                </>
              }
            />
          }
          payments={<PaymentHistory />}
          creditNotes={<OwnCreditNotes />}
          {...(may('reader_statement') && { statement: <OwnStatement /> })}
          {...(may('reader_packs') && { packs: <OwnMonthPacks /> })}
          {...(hasEinvoices && { einvoices: <OwnEinvoices /> })}
          history={(bill) => (
            <>
              <BillPlan bill={bill} />
              <BillFees bill={bill} />
              <BillCollection bill={bill} />
              <BillEinvoices bill={bill} />
              <BillStory bill={bill} noteFiles={(note) => <CreditNoteDocuments note={note} />} />
            </>
          )}
          payers={<OwnPayers />}
          paysFor={<PaidForOthers />}
          files={(bill) => (
            <>
              <BillDocuments bill={bill} />
              <BillProof bill={bill} />
            </>
          )}
        />
      }
    />
  );
}
