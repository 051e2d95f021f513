// The offer of a version and its amounts, the same for the seller's panel and the customer's page.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import type { Figures, ShownEstimate, ShownItem, ShownLine, ShownTerm } from '../contract-content.ts';
import { estimateParts } from '../rules-figures.ts';

const list = { listStyle: 'none', margin: 0, padding: 0 } as const;

/** The services with all prices. */
export function OfferedItems({ items }: { items: readonly ShownItem[] }) {
  const { t } = useTranslation('quotes');
  return (
    <Box component="ul" aria-label={t('quotes.services')} sx={{ ...list, display: 'grid', gap: 2 }}>
      {items.map((item) => (
        <Box
          component="li"
          key={item.name}
          sx={{ borderTop: '1px solid', borderColor: 'divider', paddingTop: 1.5 }}
        >
          <Stack direction="row" sx={{ gap: 1, alignItems: 'baseline', flexWrap: 'wrap' }}>
            <Typography variant="h3" component="p">
              {item.name}
            </Typography>
            {item.quantity !== '1' && (
              <Typography component="span" color="textSecondary" className="tabular">
                {t('quotes.times', { quantity: item.quantity })}
              </Typography>
            )}
            {item.trialDays > 0 && (
              <Typography variant="caption" color="textSecondary">
                {t('quotes.trial', { count: item.trialDays })}
              </Typography>
            )}
          </Stack>
          <Box component="ul" sx={{ ...list, marginTop: '4px' }}>
            {item.charges.map((charge) => (
              <OfferedCharge key={charge.name} charge={charge} />
            ))}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

function OfferedCharge({ charge }: { charge: ShownItem['charges'][number] }) {
  const { t } = useTranslation('quotes');
  const notes = [
    ...charge.details,
    ...(charge.usage === '' ? [] : [t('quotes.expected', { usage: charge.usage })]),
  ];
  return (
    <Box component="li" sx={{ paddingBlock: '6px' }}>
      <Pair
        name={
          charge.quantity === ''
            ? charge.name
            : t('quotes.charge_times', { name: charge.name, quantity: charge.quantity })
        }
      >
        {charge.price}
      </Pair>
      {notes.map((note) => (
        <Typography key={note} variant="caption" color="textSecondary" component="p" className="tabular">
          {note}
        </Typography>
      ))}
    </Box>
  );
}

/** A name on the left and the amount on the right; one below the other if there is not enough room. */
function Pair({
  name,
  strong = false,
  children,
}: {
  name: ReactNode;
  strong?: boolean;
  children: ReactNode;
}) {
  return (
    <Stack
      direction="row"
      sx={{ gap: '2px 16px', justifyContent: 'space-between', alignItems: 'baseline', flexWrap: 'wrap' }}
    >
      <Typography variant="body2" component="span" sx={{ fontWeight: strong ? 700 : undefined, minWidth: 0 }}>
        {name}
      </Typography>
      <Typography
        variant="body2"
        component="span"
        className="tabular"
        sx={{ fontWeight: strong ? 700 : undefined, textAlign: 'right', marginInlineStart: 'auto' }}
      >
        {children}
      </Typography>
    </Stack>
  );
}

/** The other agreed terms. */
export function OfferedTerms({ terms }: { terms: readonly ShownTerm[] }) {
  const { t } = useTranslation('quotes');
  return (
    <Box component="ul" aria-label={t('quotes.terms')} sx={list}>
      {terms.map((term) => (
        <Box
          component="li"
          key={`${term.kind} ${term.name} ${term.terms}`}
          sx={{ borderTop: '1px solid', borderColor: 'divider', paddingBlock: '10px' }}
        >
          <Typography variant="body2" sx={{ fontWeight: 700 }}>
            {term.name}
          </Typography>
          {/* used as: 'quotes.kind_*' */}
          <Typography variant="body2" color="textSecondary" className="tabular">
            {t('quotes.term_of_kind', { kind: t(`quotes.kind_${term.kind}`), terms: term.terms })}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}

/** The contract's value, the first month, and a whole month with its lines. */
export function EstimateView({ estimate }: { estimate: ShownEstimate }) {
  const { t } = useTranslation('quotes');
  const format = useFormat();
  const { first, full, contract, months, hasSeveralRates } = estimate;
  const taxRate = hasSeveralRates ? undefined : estimate.taxRate;
  const named = (title: string, month: ShownEstimate['full']['month']): string =>
    t('quotes.month_named', { title, month: format.month(month) });
  return (
    <Stack sx={{ gap: 2.5 }}>
      <Box>
        <Typography variant="body2" color="textSecondary">
          {t('quotes.contract_value', { count: months })}
        </Typography>
        <Typography variant="kpi" component="p">
          <Money amount={contract.total} />
        </Typography>
        <Sums figures={contract} taxRate={taxRate} />
      </Box>
      <Month
        title={named(t('quotes.first_month'), first.month)}
        lines={first.lines}
        figures={first}
        taxRate={taxRate}
      />
      <Month
        title={named(t('quotes.full_month'), full.month)}
        lines={full.lines}
        figures={full}
        taxRate={taxRate}
      />
      <Notes estimate={estimate} />
    </Stack>
  );
}

function Notes({ estimate }: { estimate: ShownEstimate }) {
  const { t } = useTranslation('quotes');
  const format = useFormat();
  return (
    <Box>
      {[
        t('quotes.note_as_of', { day: format.day(estimate.asOf) }),
        t('quotes.note_estimate'),
        t('quotes.note_not_invoice'),
      ].map((note) => (
        <Typography key={note} variant="caption" color="textSecondary" component="p">
          {note}
        </Typography>
      ))}
    </Box>
  );
}

function Month({
  title,
  lines,
  figures,
  taxRate,
}: {
  title: string;
  lines: readonly ShownLine[];
  figures: Figures;
  taxRate: string | undefined;
}) {
  return (
    <Box component="section" sx={{ borderTop: '1px solid', borderColor: 'divider', paddingTop: 1.5 }}>
      <Stack direction="row" sx={{ gap: 1, justifyContent: 'space-between', alignItems: 'baseline' }}>
        <Typography variant="h3">{title}</Typography>
        <Typography component="p" sx={{ fontWeight: 700 }}>
          <Money amount={figures.total} />
        </Typography>
      </Stack>
      <Box component="ul" sx={{ ...list, marginBlock: '8px' }}>
        {lines.map((line, index) => (
          // A month may have two identical lines.
          // oxlint-disable-next-line react/no-array-index-key
          <Line key={index} line={line} />
        ))}
      </Box>
      <Sums figures={figures} taxRate={taxRate} />
    </Box>
  );
}

function Line({ line }: { line: ShownLine }) {
  const { t } = useTranslation('quotes');
  const arithmetic =
    line.quantity === '—' || line.unitPrice === '—'
      ? [line.kind]
      : [line.kind, t('quotes.line_arithmetic', { quantity: line.quantity, price: line.unitPrice })];
  return (
    <Box component="li" sx={{ paddingBlock: '6px' }}>
      <Pair name={line.name}>
        <Money amount={line.amount} />
      </Pair>
      <Typography variant="caption" color="textSecondary" component="p" className="tabular">
        {arithmetic.filter((part) => part !== '').join(' · ')}
      </Typography>
      {line.steps.map((step) => (
        <Typography key={step} variant="caption" color="textSecondary" component="p" className="tabular">
          {step}
        </Typography>
      ))}
    </Box>
  );
}

function Sums({ figures, taxRate }: { figures: Figures; taxRate: string | undefined }) {
  const { t } = useTranslation('quotes');
  return (
    <Box
      component="dl"
      sx={{ margin: 0, bgcolor: 'sunken', borderRadius: '5px', padding: '8px 12px', marginTop: '8px' }}
    >
      {/* used as: 'quotes.before', 'quotes.part_*', 'quotes.net', 'quotes.tax', 'quotes.total' */}
      {estimateParts(figures, taxRate).map(({ key, rate, amount, isTotal }) => (
        <Stack
          key={key}
          direction="row"
          sx={{ justifyContent: 'space-between', gap: 2, paddingBlock: '2px', fontSize: '0.875rem' }}
        >
          <Box
            component="dt"
            sx={{ color: isTotal ? undefined : 'text.secondary', fontWeight: isTotal ? 700 : undefined }}
          >
            {t(`quotes.${key}`, { rate })}
          </Box>
          <Box component="dd" sx={{ margin: 0, fontWeight: isTotal ? 700 : undefined }}>
            <Money amount={amount} />
          </Box>
        </Stack>
      ))}
    </Box>
  );
}
