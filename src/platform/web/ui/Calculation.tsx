// A step-by-step calculation: each step with its sign, name, reason and exact figure, the figures aligned.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Fragment, type ReactNode } from 'react';
import { grouped } from '#kernel/format-money.ts';

export type CalculationStep = {
  readonly sign: '' | '+' | '−' | '=';
  readonly label: string;
  readonly note?: ReactNode;
  /** A decimal string; all its digits are shown. */
  readonly amount: string;
  /** A result: bold, with a line above. */
  readonly isResult?: boolean;
};

/** `label` names the calculation for screen readers; `heads` are the headings of the two columns. */
export function Calculation({
  label,
  heads,
  steps,
}: {
  label: string;
  heads: { readonly step: string; readonly amount: string };
  steps: readonly CalculationStep[];
}) {
  const digits = Math.max(0, ...steps.map((step) => step.amount.split('.')[1]?.length ?? 0));
  return (
    <Box
      component="table"
      aria-label={label}
      sx={{
        width: '100%',
        borderCollapse: 'collapse',
        fontSize: '0.875rem',
        lineHeight: 22 / 14,
        '& th, & td': { padding: '8px 0', textAlign: 'start', fontWeight: 400, verticalAlign: 'top' },
      }}
    >
      <Box component="thead" sx={{ color: 'text.secondary' }}>
        <tr>
          <Box component="th" scope="col" sx={{ fontSize: '0.8125rem' }}>
            {heads.step}
          </Box>
          <Box component="th" scope="col" sx={{ fontSize: '0.8125rem', textAlign: 'end !important' }}>
            {heads.amount}
          </Box>
        </tr>
      </Box>
      <tbody>
        {steps.map((step, index) => (
          <Fragment key={`${index} ${step.label}`}>
            <Box
              component="tr"
              sx={{
                '& > *': {
                  borderTop: '1px solid',
                  borderColor: step.isResult ? 'text.secondary' : 'divider',
                  ...(step.note !== undefined && { paddingBottom: '0 !important' }),
                },
              }}
            >
              <Box component="th" scope="row" sx={{ paddingInlineEnd: '16px !important' }}>
                <Box sx={{ display: 'grid', gridTemplateColumns: '20px minmax(0, 1fr)' }}>
                  <Box component="span" sx={{ color: 'text.secondary' }}>
                    {step.sign}
                  </Box>
                  <Box component="span" sx={{ fontWeight: step.isResult ? 700 : 400 }}>
                    {step.label}
                  </Box>
                </Box>
              </Box>
              <Box
                component="td"
                className="tabular"
                sx={{
                  textAlign: 'end !important',
                  whiteSpace: 'nowrap',
                  fontWeight: step.isResult ? '700 !important' : 400,
                }}
              >
                <Figure
                  amount={step.amount}
                  digits={digits}
                  bracketed={step.amount.startsWith('-') && (step.sign === '+' || step.sign === '−')}
                />
              </Box>
            </Box>
            {/* A row of its own: beside a figure with many digits, a phone has no room for a sentence. */}
            {step.note !== undefined && (
              <tr>
                <Box component="td" colSpan={2} sx={{ padding: '0 0 8px 20px !important' }}>
                  <Typography variant="caption" component="span" color="textSecondary">
                    {step.note}
                  </Typography>
                </Box>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </Box>
  );
}

// The width of a digit, and of a decimal point with a bracket, in the widest of our fonts; in em, so that it
// also fits bold figures.
const digitEm = 0.59;
const pointEm = 0.6;

/** Aligns the decimal points of all figures; a negative figure that is added or subtracted is in brackets. */
function Figure({ amount, digits, bracketed }: { amount: string; digits: number; bracketed: boolean }) {
  const [whole = '0', fraction = ''] = amount.split('.');
  return (
    <>
      {bracketed && '('}
      {grouped(whole)}
      <Box
        component="span"
        sx={{
          display: 'inline-block',
          minWidth: digits === 0 ? undefined : `${digits * digitEm + pointEm}em`,
          textAlign: 'start',
        }}
      >
        {fraction !== '' && `.${fraction}`}
        {bracketed && ')'}
      </Box>
    </>
  );
}
