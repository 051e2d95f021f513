// The amount to credit for each line, beside its remaining amount.
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import type { Currency } from '#kernel/money.ts';
import type { CreditableLine } from '../contract.ts';
import { useChargeName } from '#features/selling/rating/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { isAmount } from './credit-ask.ts';
import { useLineKind } from './line-kind.ts';

type LineAmountsProps = {
  readonly lines: readonly CreditableLine[];
  readonly currency: Currency;
  readonly typed: Readonly<Record<string, string>>;
  readonly onTyped: (typed: Readonly<Record<string, string>>) => void;
};

/** On phones the remaining amount is below the name instead. */
const notOnPhones = { display: { xs: 'none', sm: 'table-cell' } } as const;

export function LineAmounts({ lines, currency, typed, onTyped }: LineAmountsProps) {
  const { t } = useTranslation('credits');
  const kindOf = useLineKind();
  const nameOf = useChargeName();
  return (
    <Box
      tabIndex={0}
      role="region"
      aria-label={t('credits.line')}
      sx={{
        overflow: 'auto',
        maxHeight: 320,
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '5px',
      }}
    >
      <Box
        component="table"
        sx={{
          width: '100%',
          borderCollapse: 'collapse',
          fontSize: '0.875rem',
          '& th, & td': { padding: '6px 12px', fontWeight: 400, textAlign: 'end', verticalAlign: 'middle' },
          '& th:first-of-type': { textAlign: 'start' },
          '& thead th': {
            color: 'text.secondary',
            fontSize: '0.8125rem',
            position: 'sticky',
            top: 0,
            bgcolor: 'background.paper',
            zIndex: 1,
          },
          '& tbody tr > *': { borderTop: '1px solid', borderColor: 'divider' },
        }}
      >
        <thead>
          <tr>
            <th scope="col">{t('credits.line')}</th>
            <Box component="th" scope="col" sx={notOnPhones}>
              {t('credits.left')}
            </Box>
            <th scope="col">{t('credits.credit_now')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => {
            const value = typed[line.lineId] ?? '';
            return (
              <tr key={line.lineId}>
                <Box component="th" scope="row" sx={{ overflowWrap: 'anywhere' }}>
                  {nameOf(line)}
                  <Typography
                    variant="caption"
                    component="span"
                    color="textSecondary"
                    sx={{ display: 'block' }}
                  >
                    {kindOf(line)}
                    <Box component="span" sx={{ display: { sm: 'none' } }}>
                      {' '}
                      · {t('credits.left')} <Money amount={line.rest} />
                    </Box>
                  </Typography>
                </Box>
                <Box component="td" sx={notOnPhones}>
                  <Money amount={line.rest} />
                </Box>
                <td>
                  <OutlinedInput
                    size="small"
                    value={value}
                    error={!isAmount(value, currency)}
                    onChange={(event) => onTyped({ ...typed, [line.lineId]: event.target.value })}
                    slotProps={{
                      input: {
                        inputMode: 'decimal',
                        'aria-label': t('credits.credit_of', { service: nameOf(line) }),
                      },
                    }}
                    sx={{ width: { xs: 96, sm: 112 }, '& input': { textAlign: 'end', paddingBlock: '6px' } }}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </Box>
    </Box>
  );
}
