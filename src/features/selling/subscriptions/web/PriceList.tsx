// The price of a service as a list of short sentences.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { cardChargeUnit } from '#features/selling/catalogue/rules.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useChargeDetails } from '#features/selling/rating/web/parts.ts';
import { usePriceLines, type PriceLine } from './price-words.ts';

type Priced = Pick<Service, 'pricing' | 'meter' | 'meterUnits'> & Partial<Pick<Service, 'billingCycle'>>;

/** The price among other facts. Names of charges need the whole width of a phone. */
export const priceFact = (label: string, service: Priced): readonly [string, ReactNode, 'below'?] =>
  service.pricing.model === 'rate_card'
    ? [label, <PriceList key="price" service={service} />, 'below']
    : [label, <PriceList key="price" service={service} />];

/** The number of details of a charge shown at first; further ones are collapsed. */
const shownDetails = 8;

/**
 * At most `most` sentences, always including the monthly maximum; the rest is only counted. A full list has
 * each rate and tier of every charge.
 */
export function PriceList({ service, most }: { service: Priced; most?: number }) {
  const { t } = useTranslation('subscriptions');
  const words = usePriceLines(service, { freeLast: most !== undefined });
  const detailsOf = useChargeDetails(service.pricing.currency);
  const charges = most === undefined && service.pricing.model === 'rate_card' ? service.pricing.charges : [];
  const isCut = most !== undefined && words.length > most;
  const hasLast = isCut && service.pricing.maximum !== undefined;
  const shown = isCut
    ? [...words.slice(0, hasLast ? most - 1 : most), ...(hasLast ? words.slice(-1) : [])]
    : words;
  return (
    <Box
      component="ul"
      aria-label={t('subscriptions.price')}
      sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: '6px' }}
    >
      {shown.map((line, index) => (
        <Typography
          key={line.sentence}
          component="li"
          variant="body2"
          className="tabular"
          sx={
            most === undefined
              ? // The charges of a rate card are equals.
                { fontWeight: index === 0 && !line.parts ? 700 : 400, overflowWrap: 'anywhere' }
              : { color: 'text.secondary', display: 'flex', gap: 2, minWidth: 0 }
          }
          {...(most !== undefined && { title: line.sentence })}
        >
          {most === undefined ? <Wrapped {...line} /> : <Short {...line} />}
          <Details
            lines={
              charges[index]
                ? detailsOf(charges[index], cardChargeUnit(charges[index], service.meterUnits))
                : []
            }
          />
        </Typography>
      ))}
      {words.length > shown.length && (
        <Typography component="li" variant="caption" color="textSecondary">
          {t('subscriptions.price_more', { count: words.length - shown.length })}
        </Typography>
      )}
    </Box>
  );
}

const twoLines = {
  display: '-webkit-box',
  WebkitBoxOrient: 'vertical',
  WebkitLineClamp: 2,
  overflow: 'hidden',
  overflowWrap: 'anywhere',
} as const;
const cut = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 } as const;

/** A charge with its price at the end of the line, or below it where there is no room. */
function Wrapped({ sentence, parts }: PriceLine) {
  if (!parts) return sentence;
  return (
    <Box component="span" sx={{ display: 'flex', flexWrap: 'wrap', gap: '0 16px' }}>
      <Box component="span" sx={{ flex: '1 1 12em', minWidth: 0 }}>
        {parts.charge}
      </Box>{' '}
      <Box component="span" sx={{ marginInlineStart: 'auto', textAlign: 'end' }}>
        {parts.price}
      </Box>
    </Box>
  );
}

/**
 * Below a large price only what fits: a sentence has one line, the name of a charge two, with its whole price
 * at the end. The details have everything.
 */
function Short({ sentence, parts }: PriceLine) {
  if (!parts)
    return (
      <Box component="span" sx={cut}>
        {sentence}
      </Box>
    );
  return (
    <>
      <Box component="span" sx={{ ...twoLines, flex: 1, minWidth: 0 }}>
        {parts.charge}
      </Box>{' '}
      <Box component="span" sx={{ maxWidth: '60%', textAlign: 'end' }}>
        {parts.price}
      </Box>
    </>
  );
}

function Details({ lines }: { lines: readonly string[] }) {
  const { t } = useTranslation('subscriptions');
  if (lines.length === 0) return null;
  const list = (
    <Box component="ul" sx={{ margin: 0, paddingInlineStart: 2.5, fontWeight: 400, color: 'text.secondary' }}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </Box>
  );
  if (lines.length <= shownDetails) return list;
  return (
    <Box component="details" sx={{ fontWeight: 400 }}>
      <Box component="summary" sx={{ cursor: 'pointer', color: 'text.secondary' }}>
        {t('subscriptions.price_all', { count: lines.length })}
      </Box>
      {list}
    </Box>
  );
}
