// The customer's own screens as the portal shows them: with the parts that a link can open, and without those of other pages.
import type { ComponentType } from 'react';
import { loadBillsScreen } from '#features/invoicing/billing/web/index.ts';
import { loadBillStory } from '#features/invoicing/credits/web/index.ts';
import { loadRetailBills } from '#features/invoicing/resellers/web/index.ts';
import { loadExplorer } from '#features/metering/insights/web/index.ts';
import { loadUsageScreen } from '#features/metering/usage/web/index.ts';
import { loadBillProof } from '#features/operations/bill-proofs/web/index.ts';
import { loadOwnCollection } from '#features/receivables/collection/web/index.ts';
import { loadBillFees } from '#features/receivables/late-fees/web/index.ts';
import { loadBillPlan } from '#features/receivables/payment-plans/web/index.ts';
import { loadBillPayments } from '#features/receivables/payments/web/index.ts';
import { loadBillDocuments } from '#features/reporting/en16931/web/index.ts';
import { useTranslation, withTexts } from '#platform/web/i18n/i18n.ts';
import { Page } from '#platform/web/ui/Page.tsx';

/** A month's figures, with the explorer of any range. */
export async function loadPortalUsage(): Promise<ComponentType> {
  const [UsageScreen, Explorer] = await Promise.all([loadUsageScreen(), loadExplorer()]);
  return () => <UsageScreen explorer={(slot) => <Explorer {...slot} />} notice={null} />;
}

/** The bills, with the ways to pay them and their later history. */
export async function loadPortalBills(): Promise<ComponentType> {
  const [
    { BillsScreen, useBillsAhead },
    { PayButton, PayConsolidatedButton, PaymentHistory },
    { BillStory, OwnCreditNotes },
    { BillDocuments, CreditNoteDocuments },
    { BillCollection },
    BillPlan,
    BillFees,
    BillProof,
    { BillsBySeller },
  ] = await Promise.all([
    loadBillsScreen(),
    loadBillPayments(),
    loadBillStory(),
    loadBillDocuments(),
    loadOwnCollection(),
    loadBillPlan(),
    loadBillFees(),
    loadBillProof(),
    loadRetailBills(),
  ]);
  return function Bills() {
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
  };
}

/** The saved cards. */
export async function loadPortalCards(): Promise<ComponentType> {
  const [{ CardsContent }] = await Promise.all([loadOwnCollection(), withTexts(Promise.resolve(), 'portal')]);
  return function PortalCards() {
    const { t } = useTranslation('portal');
    return (
      <Page title={t('portal.page_paymentMethods')} width="form">
        <CardsContent />
      </Page>
    );
  };
}

/** The subscriptions, with usage and remaining quota of each. */
export async function loadPortalSubscriptions(): Promise<ComponentType> {
  const { PortalServices } = await withTexts(
    import('./PortalServices.tsx'),
    'subscriptions',
    'usage',
    'quotas',
    'planning',
    'billing',
  );
  return PortalServices;
}
