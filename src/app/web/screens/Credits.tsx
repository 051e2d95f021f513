// Quotes that await the customer's reply, the customer's credit, discounts and one-off charges, and the
// month's minimum.
import { OwnCommitments } from '#features/invoicing/commitments/web/parts.ts';
import { OwnCredits } from '#features/invoicing/credit-grants/web/parts.ts';
import { OwnDiscounts } from '#features/invoicing/discounts/web/parts.ts';
import { UpcomingOneOffs } from '#features/invoicing/one-offs/web/parts.ts';
import { OwnQuotes } from '#features/invoicing/quotes/web/parts.ts';
import { CreditsScreen } from './CreditsScreen.tsx';

export function Credits() {
  return (
    <CreditsScreen>
      <OwnQuotes />
      <OwnCredits />
      <OwnCommitments />
      <OwnDiscounts />
      <UpcomingOneOffs />
    </CreditsScreen>
  );
}
