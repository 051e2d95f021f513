// A price with all of its tiers.
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { Tier } from '#features/selling/rating/contract.ts';
import type { Service } from '../contract.ts';
import { PriceText } from './PriceText.tsx';

export function PriceDetails({
  service,
}: {
  service: Pick<Service, 'pricing' | 'billingCycle' | 'meterUnits'> & {
    readonly meter: { readonly unit: string };
  };
}) {
  const { pricing } = service;
  return (
    <>
      <Box sx={{ fontSize: '0.875rem' }}>
        <PriceText service={service} />
      </Box>
      {'tiers' in pricing && <Tiers tiers={pricing.tiers} service={service} />}
    </>
  );
}

function Tiers({
  tiers,
  service: { pricing, meter },
}: {
  tiers: readonly Tier[];
  service: Pick<Service, 'pricing'> & { readonly meter: { readonly unit: string } };
}) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const hasFees = tiers.some((tier) => tier.flatFee !== undefined);
  const from = (index: number): string => format.number(index === 0 ? '0' : (tiers[index - 1]?.upTo ?? '0'));
  return (
    <Table size="small" aria-label={t('catalogue.tiers')}>
      <TableHead>
        <TableRow>
          <TableCell>{t('catalogue.tiers_in', { unit: meter.unit })}</TableCell>
          <TableCell align="right">{t('catalogue.unit_price')}</TableCell>
          {hasFees && <TableCell align="right">{t('catalogue.tier_flat_fee')}</TableCell>}
        </TableRow>
      </TableHead>
      <TableBody>
        {tiers.map((tier, index) => (
          <TableRow key={tier.upTo ?? 'open'}>
            <TableCell className="tabular">
              {tier.upTo === null
                ? t('catalogue.step_tier_open', { from: from(index) })
                : t('catalogue.step_tier', { from: from(index), upTo: format.number(tier.upTo) })}
            </TableCell>
            <TableCell align="right" className="tabular">
              {format.unitPrice(tier.unitPrice, pricing.currency)}
            </TableCell>
            {hasFees && (
              <TableCell align="right" className="tabular">
                {tier.flatFee === undefined ? '' : format.unitPrice(tier.flatFee, pricing.currency)}
              </TableCell>
            )}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
