// An estimate by charge, each with its calculation, and the effect of overall limits on the sum.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Estimate } from '../contract.ts';
import { PriceSteps } from './PriceSteps.tsx';

/** The names of charges and the units of their usage, by key. */
export type ChargeNaming = {
  readonly nameOf: (key: string) => string;
  readonly unitOf: (key: string) => string;
};

export function EstimateCharges({
  estimate,
  nameOf,
  unitOf,
}: { readonly estimate: Estimate } & ChargeNaming) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const charges = estimate.charges ?? [];
  return (
    <>
      <Box sx={{ borderTop: '1px solid', borderColor: 'divider' }}>
        {charges
          .filter(({ kind }) => kind !== 'one_time')
          .map(({ key, amount, exact, lines }) => (
            <Box
              component="details"
              key={key}
              sx={{
                borderBottom: '1px solid',
                borderColor: 'divider',
                '& > summary': {
                  display: 'grid',
                  gridTemplateColumns: '16px minmax(0, 1fr) auto',
                  gap: '4px 8px',
                  padding: '8px 0',
                  cursor: 'pointer',
                  listStyle: 'none',
                  '&::-webkit-details-marker': { display: 'none' },
                  '&::before': { content: '"▸"', color: 'text.secondary' },
                },
                '&[open] > summary::before': { content: '"▾"' },
              }}
            >
              <summary>
                <span>{nameOf(key)}</span>
                <span className="tabular">{format.money(amount)}</span>
              </summary>
              {lines.length === 0 ? (
                <Typography variant="body2" color="textSecondary" sx={{ paddingBottom: 1 }}>
                  {t('catalogue.preview_nothing')}
                </Typography>
              ) : (
                <PriceSteps steps={lines} unit={unitOf(key)} exact={exact} amount={amount} />
              )}
            </Box>
          ))}
      </Box>
      <Limits estimate={estimate} />
    </>
  );
}

/** The effect of the rate card's own limits on the sum of its charges. */
function Limits({ estimate }: { estimate: Estimate }) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const ofCharges = (estimate.charges ?? []).reduce(
    (count, { kind, lines }) => (kind === 'one_time' ? count : count + lines.length),
    0,
  );
  return estimate.lines.slice(ofCharges).map(({ kind, amount }) => (
    <Box key={kind} sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, paddingInlineStart: 3 }}>
      <span>{t(kind === 'minimum' ? 'catalogue.step_minimum' : 'catalogue.step_maximum')}</span>
      <span className="tabular">{format.unitPrice(amount, estimate.amount.currency)}</span>
    </Box>
  ));
}
