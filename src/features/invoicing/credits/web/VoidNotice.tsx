// States that a bill is void and why, which bill replaces it, and which one it replaces.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import type { BillHistory } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

type ReplacedBill = NonNullable<BillHistory['replaces']>;
type VoidWordsProps = { readonly history: BillHistory; readonly onBill: (bill: ReplacedBill) => void };

export function VoidNotice({ history, onBill }: VoidWordsProps) {
  const { t } = useTranslation('credits');
  const format = useFormat();
  const { void: made, replacedBy, replaces } = history;
  return (
    <>
      {made && (
        <Alert severity="warning" sx={{ '& .MuiAlert-message': { minWidth: 0, overflowWrap: 'anywhere' } }}>
          {t('credits.void_on', { date: format.date(made.voidedAt), reason: made.reason })}
          <Box component="span" sx={{ display: 'block' }}>
            {replacedBy ? (
              <>
                {t('credits.replaced_by', { number: replacedBy.number })}{' '}
                <Show bill={replacedBy} onBill={onBill} />
              </>
            ) : (
              t('credits.not_replaced')
            )}
          </Box>
          {made.by !== null && (
            <Box component="span" sx={{ display: 'block' }}>
              {t('credits.void_by', { name: made.by })}
            </Box>
          )}
        </Alert>
      )}
      {replaces && (
        <Alert severity="info">
          {t('credits.replaces', { number: replaces.number })} <Show bill={replaces} onBill={onBill} />
        </Alert>
      )}
    </>
  );
}

function Show({ bill, onBill }: { bill: ReplacedBill; onBill: VoidWordsProps['onBill'] }) {
  const { t } = useTranslation('credits');
  return (
    <Link
      component="button"
      type="button"
      color="inherit"
      data-screen-only
      onClick={() => onBill(bill)}
      aria-label={t('credits.show_bill', { number: bill.number })}
      sx={{ font: 'inherit', fontWeight: 700, verticalAlign: 'baseline' }}
    >
      {t('credits.show')}
    </Link>
  );
}
