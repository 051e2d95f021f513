// Texts of proofs of bills in English.
export const enUS = {
  // Errors
  'billproofs.bill_not_found': 'Bill not found. Open it again from the list of bills.',
  // The button
  'billproofs.open': 'Verify it yourself',
  // The dialog
  'billproofs.title': 'Verify {{number}}',
  'billproofs.holds':
    'The file contains this bill, the prices of its lines and its usage events, all signed, plus an offline program that recalculates each line from the events.',
  'billproofs.commands': 'Commands to verify the bill',
  'billproofs.says':
    'It needs Node.js 20 or later and no connection. Each line reads “same”, “differs” or “not recomputed” with the reason, and the last line gives the verdict on the whole bill.',
  'billproofs.keys':
    'The program shares no code with this console. You can compare the public keys with those at /api/licenses/public-keys.',
  'billproofs.download': 'Download',
  'billproofs.close': 'Close',
} as const;
