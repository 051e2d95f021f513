// Who pays for others: for whole organizations, and for single subscriptions.
import { PayerList } from './PayerList.tsx';
import { SubscriptionPayerList } from './SubscriptionPayerList.tsx';

export function PayerLists() {
  return (
    <>
      <PayerList />
      <SubscriptionPayerList />
    </>
  );
}
