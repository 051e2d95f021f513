// The public API of proofs of bills in the browser: the button of a bill (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadBillProof = () =>
  withTexts(import('./BillProof.tsx'), 'billproofs').then((module) => module.BillProof);
