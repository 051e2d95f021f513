// The bills, with the ways to pay them and their later history.
import { BillsScreen, useBillsAhead } from '#features/invoicing/billing/web/parts.ts';
import { BillStory, OwnCreditNotes } from '#features/invoicing/credits/web/parts.ts';
import { BillsBySeller } from '#features/invoicing/resellers/web/parts.ts';
import { BillProof } from '#features/operations/bill-proofs/web/parts.ts';
import { BillCollection } from '#features/receivables/collection/web/parts.ts';
import { BillFees } from '#features/receivables/late-fees/web/parts.ts';
import { BillPlan } from '#features/receivables/payment-plans/web/parts.ts';
import {
  PayButton,
  PayConsolidatedButton,
  PaymentHistory,
} from '#features/receivables/payments/web/parts.ts';
import { BillDocuments, CreditNoteDocuments } from '#features/reporting/en16931/web/parts.ts';

export function PortalBills() {
  useBillsAhead();
  return (
    <BillsBySeller
      otherwise={
        <BillsScreen
          notice={() => null}
          pay={(bill) => <PayButton bill={bill} />}
          payConsolidated={(bill) => <PayConsolidatedButton bill={bill} />}
          balance={null}
          payments={<PaymentHistory />}
          creditNotes={<OwnCreditNotes />}
          history={(bill) => (
            <>
              <BillPlan bill={bill} />
              <BillFees bill={bill} />
              <BillCollection bill={bill} />
              <BillStory bill={bill} noteFiles={(note) => <CreditNoteDocuments note={note} />} />
            </>
          )}
          payers={null}
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
