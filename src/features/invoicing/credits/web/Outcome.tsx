// The exact effect of a reversal: the amounts, the amount due afterwards, and the ledger entries.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { money } from '#kernel/money.ts';
import type { CreditPreview } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';

export function Outcome({ preview }: { preview: CreditPreview }) {
  return (
    <Stack sx={{ gap: 2, bgcolor: 'sunken', borderRadius: '5px', padding: 2 }} role="status">
      <Sums preview={preview} />
      {preview.entries.length > 0 && <Entries entries={preview.entries} />}
    </Stack>
  );
}

function Sums({ preview }: { preview: CreditPreview }) {
  const { t } = useTranslation('credits');
  const { toBalance, toPrepaid, currency } = preview;
  const rows = [
    [t('credits.net'), preview.net, false],
    [t('credits.tax'), preview.tax, false],
    [t('credits.total_back'), preview.total, true],
    [t('credits.to_due'), preview.toDue, false],
    // A bill with a negative total added money to the balance, which is taken back.
    toBalance.minor < 0n
      ? ([t('credits.from_balance'), money(-toBalance.minor, currency), false] as const)
      : ([t('credits.to_balance'), toBalance, false] as const),
    ...(toPrepaid.minor === 0n ? [] : [[t('credits.to_prepaid'), toPrepaid, false] as const]),
    [t('credits.due_before'), preview.dueBefore, false],
    [t('credits.due_after'), preview.dueAfter, true],
  ] as const;
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        gap: '6px 32px',
        fontSize: '0.875rem',
      }}
    >
      {[rows.slice(0, 3), rows.slice(3)].map((group, index) => (
        <Box
          component="dl"
          key={index}
          sx={{ display: 'grid', gap: '6px', alignContent: 'start', margin: 0 }}
        >
          {group.map(([name, amount, isResult]) => (
            <Box key={name} sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
              <Box component="dt" sx={{ color: 'text.secondary' }}>
                {name}
              </Box>
              <Box component="dd" sx={{ margin: 0 }}>
                <Money amount={amount} strong={isResult} />
              </Box>
            </Box>
          ))}
        </Box>
      ))}
    </Box>
  );
}

function Entries({ entries }: { entries: CreditPreview['entries'] }) {
  const { t } = useTranslation('credits');
  return (
    <Box>
      <Typography variant="subtitle2" component="h3">
        {t('credits.ledger')}
      </Typography>
      <Box
        component="table"
        aria-label={t('credits.ledger')}
        sx={{
          width: '100%',
          borderCollapse: 'collapse',
          fontSize: '0.875rem',
          '& th, & td': { padding: '4px 0', fontWeight: 400, textAlign: 'end' },
          '& th:first-of-type': { textAlign: 'start' },
          '& thead th': { color: 'text.secondary', fontSize: '0.8125rem' },
          '& tbody tr > *': { borderTop: '1px solid', borderColor: 'divider' },
        }}
      >
        <thead>
          <tr>
            <th scope="col">{t('credits.account')}</th>
            <th scope="col">{t('credits.debit')}</th>
            <th scope="col">{t('credits.credit_side')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.accountKind}>
              {/* used as: 'credits.account_*' */}
              <th scope="row">{t(`credits.account_${entry.accountKind}`)}</th>
              <td>{entry.debit && <Money amount={entry.debit} />}</td>
              <td>{entry.credit && <Money amount={entry.credit} />}</td>
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
}
