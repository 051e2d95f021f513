// The result of each charge of a subscription in a month, with the dimension values for which its usage is
// counted separately.
import { inLanguage } from '#kernel/language.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { Money, Quantity, UnitPrice } from '#platform/web/ui/Money.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { ChargeMonth } from '../contract.ts';
import { usageKey, usageQueries } from './api.ts';

/** The charges of a subscription in the current month; nothing for a service with a single price. */
export function SubscriptionCharges({ subscriptionId }: { readonly subscriptionId: Id<'sub'> }) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const zone = useBrand((brand) => brand.timeZone);
  const query = useQuery(usageQueries.charges({ subscriptionId }));
  useLive('usage', [usageKey('charges')]);
  if (query.data?.charges.length === 0) return null;
  const title = t('usage.charges_of', { month: format.month(query.data?.month ?? monthNow(zone)) });
  return (
    <Stack component="section" aria-label={title} sx={{ gap: 1 }}>
      <Typography variant="h3">{title}</Typography>
      <QueryState query={query}>{({ charges }) => <ChargeList charges={charges} label={title} />}</QueryState>
    </Stack>
  );
}

/** Charges in the order of their rate card: quantity, unit price, and cost so far. */
export function ChargeList({
  charges,
  label,
}: {
  readonly charges: readonly ChargeMonth[];
  readonly label: string;
}) {
  return (
    <Box component="ul" aria-label={label} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {charges.map((charge) => (
        <Box
          component="li"
          key={charge.key ?? charge.kind}
          sx={{ paddingBlock: '8px', borderTop: '1px solid', borderColor: 'divider', fontSize: '0.875rem' }}
        >
          <ChargeMonthItem charge={charge} />
        </Box>
      ))}
    </Box>
  );
}

/** The name of a charge; a month's limits and single prices have a fixed term. */
export function useChargeWord(): (charge: Pick<ChargeMonth, 'name' | 'kind'>) => string {
  const { t } = useTranslation('usage');
  const language = useLanguage();
  // used as: 'usage.kind_*'
  return ({ name, kind }) => (name ? inLanguage(name, language) : t(`usage.kind_${kind}`));
}

function ChargeMonthItem({ charge }: { charge: ChargeMonth }) {
  const nameOf = useChargeWord();
  const { kind, quantity, unit, unitPrice, cost, billed, cells = [] } = charge;
  return (
    <>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, alignItems: 'baseline' }}>
        <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          {nameOf(charge)}
        </Box>
        <Money amount={billed} />
      </Box>
      {kind === 'usage' && (
        <Typography variant="caption" component="p" color="textSecondary">
          <Quantity isBrief value={quantity} unit={unit} />
          {unitPrice !== null && (
            <>
              {' '}
              × <UnitPrice price={unitPrice} currency={cost.currency} />
            </>
          )}
        </Typography>
      )}
      {cells.length > 0 && <Cells charge={charge} cells={cells} name={nameOf(charge)} />}
    </>
  );
}

/** The number of values shown at first. */
const cellsShown = 50;

function Cells({
  charge: { unit },
  cells,
  name,
}: {
  charge: ChargeMonth;
  cells: NonNullable<ChargeMonth['cells']>;
  name: string;
}) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="small"
        variant="text"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={t(isOpen ? 'usage.values_close' : 'usage.values_open', {
          charge: name,
          count: cells.length,
        })}
        onClick={() => setOpen(!isOpen)}
        sx={{ marginInlineStart: '-5px' }}
        data-screen-only
      >
        {t(isOpen ? 'usage.values_less' : 'usage.values', { count: cells.length })}
      </Button>
      <Box
        component="dl"
        id={id}
        hidden={!isOpen}
        sx={{
          display: isOpen ? 'grid' : 'none',
          gridTemplateColumns: 'minmax(0, 1fr) auto',
          gap: '4px 16px',
          margin: 0,
          paddingInlineStart: '12px',
          borderInlineStart: '2px solid',
          borderColor: 'divider',
          '& dt': { color: 'text.secondary', overflowWrap: 'anywhere' },
          '& dd': { margin: 0, textAlign: 'end' },
        }}
      >
        {cells.slice(0, cellsShown).map(({ dimensions, quantity }) => {
          const values = valuesText(dimensions);
          return (
            <Box key={values} sx={{ display: 'contents' }}>
              <dt>{values === '' ? t('usage.no_value') : values}</dt>
              <dd>
                <Quantity isBrief value={quantity} unit={unit} />
              </dd>
            </Box>
          );
        })}
        {cells.length > cellsShown && (
          <dt>{t('usage.values_more', { count: format.number(cells.length - cellsShown) })}</dt>
        )}
      </Box>
    </>
  );
}

/** The values of dimensions for display: `region: tpe · size: m`. */
export const valuesText = (dimensions: Readonly<Record<string, string>>): string =>
  Object.entries(dimensions)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ');
