// Payers' public API in the browser: the Admin's list and the customer's part, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadPayerList = () =>
  withTexts(import('./PayerLists.tsx'), 'payers', 'identity', 'subscriptions').then(
    (module) => module.PayerLists,
  );
export const loadOwnPayers = () =>
  withTexts(import('./OwnPayers.tsx'), 'payers').then(({ OwnPayers, PaidForOthers }) => ({
    OwnPayers,
    PaidForOthers,
  }));
