// Days with unusual usage of a service, consecutive days combined, and users' judgements of them.
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { UseQueryResult } from '@tanstack/react-query';
import { decimal, decimalText } from '#kernel/decimal.ts';
import { dayPeriod } from '#kernel/time.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Quantity } from '#platform/web/ui/Money.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { UnusualDay, Verdict } from '../contract.ts';
import type { ExplorerSlot } from '#features/metering/usage/web/parts.ts';
import { insightsApi, insightsKey } from './api.ts';
import { unusualRuns, type UnusualRun } from './unusual-runs.ts';
import { FigureTable } from './FigureTable.tsx';

export type UnusualDaysProps = {
  readonly query: UseQueryResult<{ days: UnusualDay[] }>;
  readonly isWrong: boolean;
  readonly zone: string;
  readonly onEvents: ExplorerSlot['onEvents'];
};

export function UnusualDays({ query, isWrong, zone, onEvents }: UnusualDaysProps) {
  const { t } = useTranslation('insights');
  const format = useFormat();
  if (isWrong) return null;
  const open = ({ days: [first], ...run }: UnusualRun) =>
    onEvents({
      among: [first.subscriptionId],
      start: dayPeriod(first.day, zone).start,
      end: dayPeriod(run.last.day, zone).end,
    });
  const spanOf = ({ days, last }: UnusualRun): string =>
    days.length === 1
      ? format.dayTable(days[0].day)
      : t('insights.days_of', {
          range: `${format.dayTable(days[0].day)} – ${format.dayTable(last.day)}`,
          count: days.length,
        });
  return (
    <Section title={t('insights.unusual')} lead={t('insights.unusual_lead')} flush>
      <QueryState query={query}>
        {({ days }) =>
          days.length === 0 ? (
            <EmptyState
              compact
              title={t('insights.nothing_unusual')}
              hint={t('insights.nothing_unusual_hint')}
            />
          ) : (
            <FigureTable
              label={t('insights.unusual')}
              texts={1}
              heads={[
                t('insights.day'),
                t('insights.service'),
                t('insights.quantity'),
                t('insights.usual'),
                t('insights.verdict'),
              ]}
              rows={unusualRuns(days).map((run) => ({
                key: `${run.days[0].subscriptionId} ${run.days[0].day}`,
                cells: [
                  <Button
                    key="day"
                    variant="text"
                    size="small"
                    aria-haspopup="dialog"
                    onClick={() => open(run)}
                    aria-label={`${spanOf(run)} ${run.days[0].serviceName}`}
                    sx={{ marginInlineStart: '-10px', textAlign: 'start' }}
                  >
                    {spanOf(run)}
                  </Button>,
                  run.days[0].serviceName,
                  <UsedRange key="quantity" run={run} />,
                  <UsualRange key="usual" one={run.last} />,
                  <Judgement key="verdict" run={run} span={spanOf(run)} />,
                ],
              }))}
            />
          )
        }
      </QueryState>
    </Section>
  );
}

/** The usage of the days: one figure, or the range from lowest to highest. */
function UsedRange({ run: { days, last } }: { run: UnusualRun }) {
  const { t } = useTranslation('insights');
  const sorted = days.map((each) => decimal(each.quantity)).toSorted((a, b) => a.cmp(b));
  const [least, most] = [sorted[0], sorted.at(-1)].map((each) => (each ? decimalText(each) : '0'));
  if (least === most) return <Quantity value={last.quantity} unit={last.unit} />;
  return t('insights.usual_range', { low: least ?? '', high: most ?? '' });
}

function UsualRange({ one }: { one: UnusualDay }) {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const short = (value: string): string =>
    format.number(Number(value) >= 100 ? Math.round(Number(value)) : Number(Number(value).toPrecision(3)));
  return (
    <>
      <Quantity value={short(one.expected).replaceAll(',', '')} unit={one.unit} />
      <Typography
        variant="caption"
        component="span"
        color="textSecondary"
        className="tabular"
        sx={{ display: 'block', whiteSpace: 'nowrap' }}
      >
        {t('insights.usual_range', { low: short(one.low), high: short(one.high) })}
      </Typography>
    </>
  );
}

/**
 * The verdict on a run of days with a button to withdraw it, or two buttons to give one. ReadOnly users only
 * see the verdict.
 */
function Judgement({ run: { days, last }, span }: { run: UnusualRun; span: string }) {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const may = useAuthStore((auth) => auth.user?.role.trim() === 'User');
  const options = {
    invalidates: [insightsKey('unusualDays')],
    onError: (error: Error) => toast.failure(error),
  };
  const judge = useCall(insightsApi.judgeDay, options);
  const takeBack = useCall(insightsApi.takeBackVerdict, options);
  const { subscriptionId, serviceName, verdict } = last;
  const isBusy = judge.isPending || takeBack.isPending;
  const name = { day: span, service: serviceName };
  // One after the other; `onError` reports a rejection, and the days after it stay unchanged.
  const each = async (call: (day: UnusualDay['day']) => Promise<unknown>): Promise<void> => {
    for (const { day } of days) await call(day);
  };
  const verdictButton = (word: Verdict) => (
    // used as: 'insights.verdict_*' 'insights.judge_*'
    <Button
      size="small"
      variant="outlined"
      disabled={isBusy}
      aria-label={t(`insights.judge_${word}`, name)}
      onClick={() =>
        void each((day) => judge.mutateAsync({ subscriptionId, day, verdict: word })).catch(() => undefined)
      }
    >
      {t(`insights.verdict_${word}`)}
    </Button>
  );
  if (verdict === null)
    return may ? (
      <Stack
        direction="row"
        sx={{ gap: 1, justifyContent: { xs: 'flex-start', sm: 'flex-end' }, flexWrap: 'wrap' }}
      >
        {verdictButton('expected')}
        {verdictButton('unexpected')}
      </Stack>
    ) : (
      <>–</>
    );
  return (
    <Stack
      direction="row"
      sx={{
        gap: 1,
        alignItems: 'center',
        justifyContent: { xs: 'flex-start', sm: 'flex-end' },
        flexWrap: 'wrap',
      }}
    >
      <Chip size="small" label={t(`insights.verdict_${verdict.verdict}`)} />
      <Typography variant="caption" color="textSecondary">
        {t('insights.verdict_by', {
          name: verdict.by ?? t('insights.somebody'),
          time: format.dateTime(verdict.at),
        })}
      </Typography>
      {may && (
        <Button
          size="small"
          disabled={isBusy}
          aria-label={t('insights.take_back_of', name)}
          onClick={() =>
            void each((day) => takeBack.mutateAsync({ subscriptionId, day })).catch(() => undefined)
          }
          data-screen-only
        >
          {t('insights.take_back')}
        </Button>
      )}
    </Stack>
  );
}
