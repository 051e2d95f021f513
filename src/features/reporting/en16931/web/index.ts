// EN 16931's public API in the browser: the menu of a bill's files (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadBillDocuments = () =>
  withTexts(import('./BillDocuments.tsx'), 'en16931').then((module) => module.BillDocuments);
