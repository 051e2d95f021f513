// The explanation of a line: its price version, the calculation, and the days whose usage adds up to its
// quantity.
import { inLanguage } from '#kernel/language.ts';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { moneyText, sumMoney } from '#kernel/money.ts';
import type { BillDetail, BillLine, LineExplanation, LineSplit, Reduction } from '../contract.ts';
import { usagePaths } from '#features/metering/usage/contract.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { namedPeriod } from '#features/selling/rating/rules.ts';
import { useChargeName, useChargeStepTexts } from '#features/selling/rating/web/parts.ts';
import { Calculation, type CalculationStep } from '#platform/web/ui/Calculation.tsx';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { LinePrice, LineQuantity, useShareWords } from './BillLines.tsx';
import { LineDays } from './LineDays.tsx';

/** The parts of a bill that the explanation needs: an issued bill, or the current month. */
type ExplainedBill = Pick<BillDetail, 'currency' | 'lines'>;

/** Explains the line with the id `lineId`, if the bill has it. */
export function LinePanel({
  bill,
  lineId,
  query,
  linksUsage,
  onClose,
}: {
  bill: ExplainedBill;
  lineId: string | undefined;
  /** The query for a line's explanation. */
  query: (lineId: string) => UseQueryOptions<LineExplanation>;
  /** Whether months and days link to the usage of the user's own organization. */
  linksUsage: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation('billing');
  // The address may contain a line of another bill.
  const line = bill.lines.find((one) => one.id === lineId);
  return (
    <SidePanel open={line !== undefined} title={t('billing.why')} onClose={onClose} width={560}>
      {line && <Explained bill={bill} query={query(line.id)} linksUsage={linksUsage} />}
    </SidePanel>
  );
}

type ExplainedProps = { readonly bill: ExplainedBill; readonly linksUsage: boolean };

function Explained({
  query,
  ...props
}: ExplainedProps & { readonly query: UseQueryOptions<LineExplanation> }) {
  return (
    <QueryState query={useQuery(query)} skeleton={<Lines count={10} />}>
      {(explained) => <Content {...props} explained={explained} />}
    </QueryState>
  );
}

function Content({ bill, linksUsage, explained }: ExplainedProps & { readonly explained: LineExplanation }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const { line } = explained;
  const steps = useSteps(bill, explained);
  const shares = useShares(explained);
  const nameOf = useChargeName();
  const period = line.share && namedPeriod(line.share, line.unit);
  return (
    <Stack sx={{ gap: 3 }}>
      <Typography variant="h3" component="p" sx={{ overflowWrap: 'anywhere' }}>
        {nameOf(line)}
      </Typography>
      <Facts
        items={[
          // used as: 'billing.kind_*'
          [t('billing.line_kind'), t(`billing.kind_${line.kind}`)],
          ...(line.forMonth === undefined
            ? []
            : [
                [
                  t('billing.for_month'),
                  linksUsage ? (
                    <Link
                      key="month"
                      component={RouterLink}
                      to={`${usagePaths.statistics}?month=${line.forMonth}&service=${line.subscriptionId}`}
                    >
                      {format.month(line.forMonth)}
                    </Link>
                  ) : (
                    format.month(line.forMonth)
                  ),
                ] as const,
              ]),
          [t('billing.quantity'), <LineQuantity key="quantity" line={line} isWhole />],
          ...(period ? [[t('billing.line_period'), format.range(...period)] as const] : []),
          [t('billing.unit_price'), <LinePrice key="price" line={line} currency={bill.currency} />],
          [t('billing.line_total'), <Money key="total" amount={line.total} strong />],
          ...(explained.priceVersionId !== null && explained.priceEffectiveFrom !== null
            ? [
                [
                  t('billing.price_version'),
                  <PriceVersion
                    key="version"
                    id={explained.priceVersionId}
                    effectiveFrom={explained.priceEffectiveFrom}
                  />,
                ] as const,
              ]
            : []),
          ...(line.term?.period
            ? [
                [
                  t('billing.term_period'),
                  [...new Set([line.term.period.from, line.term.period.to])].map(format.month).join('–'),
                ] as const,
              ]
            : []),
          ...(line.term ? [[t('billing.term'), <CopiedId key="term" id={line.term.id} />] as const] : []),
          ...(line.kind === 'usage' ? [[t('billing.events'), format.number(explained.events)] as const] : []),
        ]}
      />
      <section>
        <Typography variant="h3" sx={{ marginBottom: 0.5 }}>
          {t('billing.calculation')}
        </Typography>
        {line.term?.percent !== undefined && <RateSentence line={line} percent={line.term.percent} />}
        {line.term?.reduction && <ReductionSentence reduction={line.term.reduction} />}
        <Calculation
          label={t('billing.calculation')}
          heads={{ step: t('billing.step'), amount: t('billing.step_amount', { currency: bill.currency }) }}
          steps={explained.shares.length > 0 ? shares : steps}
        />
      </section>
      {explained.split && <Split split={explained.split} currency={bill.currency} />}
      {line.kind === 'usage' && <LineDays explained={explained} linksUsage={linksUsage} />}
    </Stack>
  );
}

function CopiedId({ id }: { id: string }) {
  const { t } = useTranslation('billing');
  return (
    <Stack direction="row" sx={{ gap: 0.5, alignItems: 'center' }}>
      <Typography
        variant="mono"
        component="span"
        color="textSecondary"
        sx={{ fontSize: '0.8125rem', overflowWrap: 'anywhere' }}
      >
        {id}
      </Typography>
      <CopyButton text={id} label={t('billing.copy_id')} />
    </Stack>
  );
}

function PriceVersion({ id, effectiveFrom }: { id: string; effectiveFrom: Date }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return (
    <>
      {t('billing.price_since', { date: format.date(effectiveFrom) })}
      <CopiedId id={id} />
    </>
  );
}

/** The effect of a commitment's rate on the lines below. */
function RateSentence({ line, percent }: { line: BillLine; percent: string }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return (
    <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 1 }}>
      {t(line.kind === 'committed_rate' ? 'billing.rate_committed' : 'billing.rate_overage', {
        percent: format.number(percent),
      })}
    </Typography>
  );
}

/**
 * Which part of the line is within its commitment and which beyond; both add up to the amount after
 * discounts.
 */
function Split({ split, currency }: { split: LineSplit; currency: BillDetail['currency'] }) {
  const { t } = useTranslation('billing');
  const language = useLanguage();
  const format = useFormat();
  const title = t('billing.split_of', { name: inLanguage(split.name, language) });
  const rate = (percent: string) => t('billing.split_rate', { percent: format.number(percent) });
  return (
    <section>
      <Typography variant="h3" sx={{ marginBottom: 0.5, overflowWrap: 'anywhere' }}>
        {title}
      </Typography>
      <Calculation
        label={title}
        heads={{ step: t('billing.step'), amount: t('billing.step_amount', { currency }) }}
        steps={[
          {
            sign: '',
            label: t('billing.split_within'),
            note: rate(split.committedPercent),
            amount: moneyText(split.within),
          },
          {
            sign: '+',
            label: t('billing.split_beyond'),
            note: rate(split.overagePercent),
            amount: moneyText(split.beyond),
          },
          {
            sign: '=',
            label: t('billing.split_sum'),
            amount: moneyText(sumMoney([split.within, split.beyond], currency)),
            isResult: true,
          },
        ]}
      />
    </section>
  );
}

/** The terms of a discount: 20 % of each line, at most NT$2,000 a month. */
function ReductionSentence({ reduction }: { reduction: Reduction }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const text =
    reduction.kind === 'fixed'
      ? t('billing.reduction_fixed', { amount: format.money(reduction.amount) })
      : reduction.maximum === null
        ? t('billing.reduction_percent', { percent: format.number(reduction.percent) })
        : t('billing.reduction_percent_maximum', {
            percent: format.number(reduction.percent),
            maximum: format.money(reduction.maximum),
          });
  return (
    <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 1 }}>
      {text}
    </Typography>
  );
}

/** What a discount or promotional credit deducted from which lines; the parts add up to the line's amount. */
function useShares({ line, shares }: LineExplanation): readonly CalculationStep[] {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const nameOf = useChargeName();
  return [
    ...shares.map(({ line: covered, amount, part }, index): CalculationStep => ({
      sign: index === 0 ? '' : '+',
      label: nameOf(covered),
      note:
        part === undefined
          ? t('billing.share_of', { amount: format.money(covered.total) })
          : t(line.kind === 'committed_rate' ? 'billing.share_within' : 'billing.share_beyond', {
              amount: format.money(covered.total),
              part: format.money(part),
            }),
      amount: moneyText({ ...amount, minor: -amount.minor }),
    })),
    { sign: '=', label: t('billing.line_total'), amount: moneyText(line.total), isResult: true },
  ];
}

/** The calculation as of when the bill was issued, down to the rounded amount. */
function useSteps(bill: ExplainedBill, { line, steps }: LineExplanation): readonly CalculationStep[] {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const share = useShareWords();
  const chargeStep = useChargeStepTexts(bill.currency);
  const product = (step: LineExplanation['steps'][number]) =>
    t('billing.product', {
      quantity: format.number(step.quantity),
      price: format.unitPrice(step.unitPrice, bill.currency),
    });
  const fee = (step: LineExplanation['steps'][number]) => {
    if (!step.share) return product(step);
    const words = {
      price: format.unitPrice(step.unitPrice, bill.currency),
      period: share({ ...step.share, units: '1' }, line.unit),
    };
    // Tiers and packages have one price for all units together.
    return step.share.units === '1' || line.unitPrice === null
      ? t('billing.step_fee_note_one', words)
      : t('billing.step_fee_note', { ...words, units: format.number(step.share.units) });
  };
  const range = ({ from, upTo }: LineExplanation['steps'][number]) =>
    upTo === null
      ? t('billing.tier_open', { from: format.number(from ?? '0') })
      : t('billing.tier_range', { from: format.number(from ?? '0'), to: format.number(upTo) });
  const worded = (step: LineExplanation['steps'][number]): Pick<CalculationStep, 'label' | 'note'> => {
    switch (step.kind) {
      case 'base':
        return {
          label: t(line.kind === 'credit' ? 'billing.step_credit' : 'billing.step_base'),
          note: fee(step),
        };
      case 'unit':
        return { label: t('billing.step_unit'), note: product(step) };
      case 'tier':
        return { label: t('billing.step_tier', { range: range(step) }), note: product(step) };
      case 'flat_fee':
        return { label: t('billing.step_flat_fee', { range: range(step) }) };
      case 'package':
        return { label: t('billing.step_package'), note: product(step) };
      case 'included':
        return { label: t('billing.step_included'), note: format.quantity(step.quantity, line.unit) };
      case 'maximum':
        return {
          label: t('billing.step_maximum'),
          note: t('billing.step_maximum_note', { amount: format.unitPrice(step.unitPrice, bill.currency) }),
        };
      case 'recounted':
        return {
          label: t('billing.step_recounted', {
            month: line.forMonth === undefined ? '' : format.month(line.forMonth),
          }),
          note: format.quantity(step.quantity, line.unit),
        };
      case 'billed':
        if (line.kind === 'true_up') return { label: t('billing.step_true_up_billed') };
        if (line.kind === 'interim' || line.kind === 'interim_deduction')
          return { label: t('billing.step_interim_billed') };
        return { label: t('billing.step_billed'), note: format.quantity(step.quantity, line.unit) };
      case 'agreed':
        return { label: t('billing.step_agreed') };
      case 'used':
        return { label: t('billing.step_used'), note: t('billing.step_used_note') };
      case 'covered':
        return { label: t('billing.step_covered') };
      case 'committed':
        return { label: t('billing.step_committed') };
      case 'drawn':
        return { label: t('billing.step_drawn'), note: t('billing.step_drawn_note') };
      case 'charged':
        return { label: t('billing.step_charged'), note: t('billing.step_charged_note') };
      case 'percentage':
      case 'free_events':
      case 'event_fee':
      case 'event_minimum':
      case 'event_maximum':
      case 'dynamic':
        return chargeStep.texts({ ...step, kind: step.kind });
      case 'minimum':
        return {
          label: t('billing.step_minimum'),
          note: t('billing.step_minimum_note', { amount: format.unitPrice(step.unitPrice, bill.currency) }),
        };
    }
  };
  return [
    ...steps.map((step, index): CalculationStep => ({
      sign: index === 0 ? '' : '+',
      amount: step.amount,
      ...chargeStep.labelled(worded(step), step.when),
    })),
    { sign: '=', label: t('billing.step_exact'), amount: line.exact },
    {
      sign: '=',
      label: t('billing.step_rounded'),
      note: t(line.kind === 'adjustment' ? 'billing.step_adjusted_note' : 'billing.step_rounded_note'),
      amount: moneyText(line.total),
      isResult: true,
    },
  ];
}
