// The machine and the served requests of the last hour, minute by minute.
import type { Monitoring } from '../contract.ts';
import { machineLimits } from '../rules.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Grid } from '#platform/web/ui/Section.tsx';
import { Sparkline } from '#platform/web/ui/Sparkline.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';

const toneOf = (percent: number) =>
  percent > machineLimits.alarm ? 'error' : percent >= machineLimits.warning ? 'warning' : 'primary';

export function MachineFigures({ monitoring }: { monitoring: Monitoring }) {
  const { t } = useTranslation('monitoring');
  const format = useFormat();
  const { readings } = monitoring;
  const last = readings.at(-1);
  // A single point would draw no line, so it is doubled into a horizontal one.
  const curve = (values: readonly number[]) => (values.length === 1 ? [...values, ...values] : values);
  const machine = (kind: 'cpu' | 'memory' | 'disk') => (
    <StatCard
      // used as: 'monitoring.cpu', 'monitoring.memory', 'monitoring.disk'
      label={t(`monitoring.${kind}`)}
      value={last ? format.percent(last[kind] / 100) : '–'}
      note={last ? t('monitoring.last_minute') : t('monitoring.first_minute')}
      graphic={
        <Sparkline
          values={curve(readings.map((reading) => reading[kind]))}
          min={0}
          max={100}
          tone={toneOf(last?.[kind] ?? 0)}
          label={t('monitoring.curve', { name: t(`monitoring.${kind}`) })}
        />
      }
    />
  );
  return (
    <Grid columns={4} pairs>
      {machine('cpu')}
      {machine('memory')}
      {machine('disk')}
      <StatCard
        label={t('monitoring.requests')}
        value={last ? format.number(last.requests) : '–'}
        note={
          !last
            ? t('monitoring.first_minute')
            : last.failed > 0
              ? t('monitoring.failed_requests', { count: last.failed })
              : t('monitoring.no_failed')
        }
        graphic={
          <Sparkline
            values={curve(readings.map((reading) => reading.requests))}
            min={0}
            tone={last && last.failed > 0 ? 'error' : 'primary'}
            label={t('monitoring.curve', { name: t('monitoring.requests') })}
          />
        }
      />
    </Grid>
  );
}
