// What a price changes compared with the previous one, by charge.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useTranslation, type Translate } from '#platform/web/i18n/i18n.ts';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import {
  chargeAnchors,
  chargeCycles,
  chargeKinds,
  chargeProrations,
  chargeTimings,
  packageRoundings,
  tierScopes,
} from '#features/selling/rating/contract.ts';
import { dimensionsText, namesUnit } from '#features/selling/rating/rules.ts';
import { useChargeWords } from '#features/selling/rating/web/parts.ts';
import {
  amountTerms,
  priceDifference,
  quantityTerms,
  type ChangedTerm,
  type PriceDifference as Difference,
  type TermName,
} from '../rules-difference.ts';
import type { Pricing, Service } from '../contract.ts';
import { cardChargeUnit, unitOf } from '../rules.ts';
import { chargeModels } from './charge-fields.ts';

const tones = { added: 'success', removed: 'error', changed: 'info' } as const;

export type PriceDifferenceProps = {
  readonly service: Pick<Service, 'meter' | 'meterUnits'>;
  readonly before: Pricing;
  readonly after: Pricing;
};

export function PriceDifference({ service, before, after }: PriceDifferenceProps) {
  const { t } = useTranslation('catalogue');
  const differences = priceDifference(before, after);
  if (differences.length === 0)
    return (
      <Typography variant="body2" color="textSecondary">
        {t('catalogue.difference_none')}
      </Typography>
    );
  return (
    <Box
      component="ul"
      aria-label={t('catalogue.difference')}
      sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 2 }}
    >
      {differences.map((difference) => (
        <Changed
          key={difference.charge?.key ?? ''}
          difference={difference}
          currency={after.currency}
          unit={
            difference.charge === null
              ? unitOf(service.meter)
              : cardChargeUnit(difference.charge, service.meterUnits)
          }
        />
      ))}
    </Box>
  );
}

function Changed({
  difference: { charge, action, terms },
  currency,
  unit,
}: {
  difference: Difference;
  currency: Pricing['currency'];
  unit: string;
}) {
  const { t } = useTranslation('catalogue');
  const words = useChargeWords(currency);
  const described = charge && words(charge, unit);
  const name =
    described?.name ?? t(action === 'changed' ? 'catalogue.difference_whole' : 'catalogue.difference_single');
  return (
    <Box component="li" sx={{ display: 'grid', gap: 0.5, minWidth: 0 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        {/* used as: 'catalogue.difference_added', 'catalogue.difference_removed', 'catalogue.difference_changed' */}
        <StatusBadge tone={tones[action]} label={t(`catalogue.difference_${action}`)} />
        <Typography variant="body2" component="span" sx={{ fontWeight: 700 }}>
          {name}
        </Typography>
        {described && action !== 'changed' && (
          <Typography variant="body2" component="span" color="textSecondary" className="tabular">
            {described.price}
          </Typography>
        )}
      </Stack>
      {terms.length > 0 && (
        <Terms
          name={name}
          terms={terms}
          currency={currency}
          unit={charge === null || namesUnit(charge) ? unit : ''}
        />
      )}
    </Box>
  );
}

function Terms({
  name,
  terms,
  currency,
  unit,
}: {
  name: string;
  terms: readonly ChangedTerm[];
  currency: Pricing['currency'];
  unit: string;
}) {
  const { t } = useTranslation('catalogue');
  const { labelOf, valueOf } = useTermWords(currency, unit);
  const none = t('catalogue.difference_nothing');
  return (
    <Table size="small" aria-label={t('catalogue.difference_of', { name })}>
      <TableHead>
        <TableRow>
          <TableCell>{t('catalogue.difference_term')}</TableCell>
          <TableCell align="right">{t('catalogue.difference_before')}</TableCell>
          <TableCell align="right">{t('catalogue.difference_after')}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {terms.map((term) => {
          const label = labelOf(term);
          return (
            <TableRow key={label}>
              <TableCell component="th" scope="row" sx={{ fontWeight: 400 }}>
                {label}
              </TableCell>
              <TableCell align="right" className="tabular" sx={{ color: 'text.secondary' }}>
                {term.before === undefined ? none : valueOf(term.name, term.before)}
              </TableCell>
              <TableCell align="right" className="tabular" sx={{ fontWeight: 700 }}>
                {term.after === undefined ? none : valueOf(term.name, term.after)}
              </TableCell>
            </TableRow>
          );
        })}
      </TableBody>
    </Table>
  );
}

const isOf = <N extends TermName>(names: readonly N[], name: TermName): name is N =>
  names.some((each) => each === name);

/** Terms and their values in the user's language. */
function useTermWords(currency: Pricing['currency'], unit: string) {
  const { t } = useTranslation('catalogue');
  const { t: tRating } = useTranslation('rating');
  const format = useFormat();
  const labelOf = ({ name, tier, when }: ChangedTerm): string => {
    // used as: 'catalogue.term_*'
    const term = t(`catalogue.term_${name}`);
    const range =
      tier &&
      (tier.upTo === null
        ? t('catalogue.step_tier_open', { from: format.quantity(tier.from, unit) })
        : t('catalogue.step_tier', {
            from: format.number(tier.from),
            upTo: format.quantity(tier.upTo, unit),
          }));
    const values = when && (dimensionsText(when) ?? tRating('rating.everything_else'));
    const places = [values, range].filter((place) => place !== undefined);
    return places.length === 0
      ? term
      : t('catalogue.term_at', {
          term,
          place: places.join(t('catalogue.between')),
        });
  };
  const valueOf = (name: TermName, value: string): string => {
    if (isOf(amountTerms, name)) return format.unitPrice(value, currency);
    if (isOf(quantityTerms, name))
      return name === 'freeEvents' ? format.number(value) : format.quantity(value, unit);
    if (name === 'ratePercent') return t('catalogue.term_percent', { percent: format.number(value) });
    return choiceOf(name, value, t);
  };
  return { labelOf, valueOf };
}

/** The text for a value of a term that has only a few values; other terms show their value. */
function choiceOf(name: TermName, value: string, t: Translate<'catalogue'>): string {
  const textOf = <V extends string>(values: readonly V[], write: (one: V) => string): string => {
    const found = values.find((one) => one === value);
    return found === undefined ? value : write(found);
  };
  // used as: 'catalogue.kind_*', 'catalogue.model_*', 'catalogue.tier_scope_*', 'catalogue.rounding_*', 'catalogue.charge_cycle_*', 'catalogue.timing_*', 'catalogue.charge_prorate_*', 'catalogue.anchor_*'
  switch (name) {
    case 'kind':
      return textOf(chargeKinds, (one) => t(`catalogue.kind_${one}`));
    case 'model':
    case 'tierModel':
      return textOf(chargeModels, (one) => t(`catalogue.model_${one}`));
    case 'tierScope':
      return textOf(tierScopes, (one) => t(`catalogue.tier_scope_${one}`));
    case 'rounding':
      return textOf(packageRoundings, (one) => t(`catalogue.rounding_${one}`));
    case 'cycle':
      return textOf(chargeCycles, (one) => t(`catalogue.charge_cycle_${one}`));
    case 'timing':
      return textOf(chargeTimings, (one) => t(`catalogue.timing_${one}`));
    case 'prorate':
      return textOf(chargeProrations, (one) => t(`catalogue.charge_prorate_${one}`));
    case 'anchor':
      return textOf(chargeAnchors, (one) => t(`catalogue.anchor_${one}`));
    default:
      return value;
  }
}
