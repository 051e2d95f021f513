// All bills and the month close, with corrections, and imported costs compared with billed ones.
import { AdminBillingScreen } from '#features/invoicing/billing/web/parts.ts';
import { BillCorrections, CreditNotes } from '#features/invoicing/credits/web/parts.ts';
import { PayerLists } from '#features/invoicing/payers/web/parts.ts';
import { AdminResellers } from '#features/invoicing/resellers/web/parts.ts';
import { Reconciliation } from '#features/operations/administration/web/parts.ts';
import { BillProof } from '#features/operations/bill-proofs/web/parts.ts';
import { AdminBillCollection } from '#features/receivables/collection/web/parts.ts';
import { BillDunning } from '#features/receivables/dunning/web/parts.ts';
import { AdminBillEinvoices } from '#features/receivables/einvoices/web/parts.ts';
import { AdminBillFees } from '#features/receivables/late-fees/web/parts.ts';
import { AdminBillPlan } from '#features/receivables/payment-plans/web/parts.ts';
import { RecordWithholding } from '#features/receivables/payments/web/parts.ts';
import { BillDocuments, CreditNoteDocuments } from '#features/reporting/en16931/web/parts.ts';
import { MonthPacks } from '#features/reporting/packs/web/parts.ts';
import { useParam } from '#platform/web/routing/use-param.ts';

export function AdminBilling() {
  const [, setBillId] = useParam('bill');
  return (
    <AdminBillingScreen
      reconciliation={(month) => <Reconciliation month={month} />}
      corrections={(bill) => (
        <>
          <BillCorrections
            key={bill.id}
            bill={bill}
            onBill={setBillId}
            noteFiles={(note) => <CreditNoteDocuments note={note} isAdmin />}
            more={
              <>
                <RecordWithholding bill={bill} />
                <BillDocuments bill={bill} isAdmin />
                <BillProof bill={bill} isAdmin />
              </>
            }
          />
          <AdminBillEinvoices bill={bill} />
          <AdminBillPlan key={`plan ${bill.id}`} bill={bill} />
          <AdminBillCollection bill={bill} />
          <BillDunning bill={bill} />
          <AdminBillFees bill={bill} />
        </>
      )}
      creditNotes={(onBill) => <CreditNotes onBill={onBill} />}
      packs={(month) => <MonthPacks month={month} />}
      payers={
        <>
          <PayerLists />
          <AdminResellers />
        </>
      }
    />
  );
}
