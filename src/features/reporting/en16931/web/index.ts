// EN 16931's public API in the browser: the menus of a bill's and a credit note's files (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadBillDocuments = () => withTexts(import('./BillDocuments.tsx'), 'en16931');
