// The origin of an entry: its kind as text, and a link to the bill.
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { billingPaths } from '#features/invoicing/billing/contract.ts';
import type { Reference, Transaction } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

export type Reader = 'admin' | 'own';

/** The page of a reference for its reader; payments without a bill are in the list of payments. */
function pathOf({ billId, billMonth }: Reference, reader: Reader): string {
  if (reader === 'admin') return billId === null ? '/admin/payments' : `${billingPaths.admin}?bill=${billId}`;
  return billMonth === null
    ? `${billingPaths.bills}?view=payments`
    : `${billingPaths.bills}?month=${billMonth}`;
}

export function ReferenceLink({
  kind,
  reference,
  reader,
}: {
  kind: Transaction['kind'];
  reference: Reference;
  reader: Reader;
}) {
  const { t } = useTranslation('books');
  // used as: 'books.kind_*'
  const words = t(`books.kind_${kind}`);
  const isLink = reference.billId !== null || kind === 'top_up' || kind === 'refund' || kind === 'dispute';
  return (
    <Box component="span" sx={{ display: 'inline-flex', columnGap: 1, flexWrap: 'wrap' }}>
      {reference.billNumber === null && isLink ? (
        <Link component={RouterLink} to={pathOf(reference, reader)}>
          {words}
        </Link>
      ) : (
        words
      )}
      {reference.billNumber !== null && (
        <Link component={RouterLink} to={pathOf(reference, reader)} sx={{ whiteSpace: { sm: 'nowrap' } }}>
          {reference.billNumber}
        </Link>
      )}
    </Box>
  );
}
