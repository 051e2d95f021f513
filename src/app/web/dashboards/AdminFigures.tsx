// CPU, memory and disk with their last hour, and the users.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { AdminDashboard } from '../../console/contract.ts';
import { Grid } from '#platform/web/ui/Section.tsx';
import { Sparkline } from '#platform/web/ui/Sparkline.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { diskAlarmPercent } from './attention.ts';
import { useUserHistory } from './user-history.ts';

const warningPercent = 75;
const toneOf = (percent: number) =>
  percent > diskAlarmPercent ? 'error' : percent >= warningPercent ? 'warning' : 'primary';

export function AdminFigures({ dashboard }: { dashboard: AdminDashboard | undefined }) {
  const users = useUserHistory(dashboard);
  const { t } = useTranslation('console');
  const format = useFormat();
  const machine = (kind: 'cpu' | 'memory' | 'disk', note: string | undefined) => (
    <StatCard
      // used as: 'admin_dashboard.cpu', 'admin_dashboard.memory', 'admin_dashboard.disk'
      label={t(`admin_dashboard.${kind}`)}
      value={dashboard && format.percent(dashboard[kind].percent / 100)}
      note={note ?? ' '}
      graphic={
        <Sparkline
          values={curve(
            dashboard ? [...dashboard.history.map((reading) => reading[kind]), dashboard[kind].percent] : [],
          )}
          min={0}
          max={100}
          tone={dashboard ? toneOf(dashboard[kind].percent) : 'primary'}
          label={t('admin_dashboard.curve', { name: t(`admin_dashboard.${kind}`) })}
        />
      }
    />
  );
  const bytes = (kind: 'memory' | 'disk') =>
    dashboard &&
    t('admin_dashboard.used_of', {
      used: format.bytes(dashboard[kind].used),
      total: format.bytes(dashboard[kind].total),
    });
  return (
    <Grid columns={4} pairs>
      {machine('cpu', dashboard && t('admin_dashboard.cores', { count: dashboard.cpu.total }))}
      {machine('memory', bytes('memory'))}
      {machine('disk', bytes('disk'))}
      <StatCard
        label={t('admin_dashboard.users')}
        value={
          dashboard &&
          t('admin_dashboard.users_of', {
            active: format.number(dashboard.users.active),
            total: format.number(dashboard.users.total),
          })
        }
        note={t('admin_dashboard.users_note')}
        graphic={
          <Sparkline
            values={curve(users.map((reading) => reading.users.active))}
            min={0}
            max={Math.max(1, dashboard?.users.total ?? 1)}
            label={t('admin_dashboard.curve_users')}
          />
        }
      />
    </Grid>
  );
}

/** A single point would draw no line, so it is doubled into a horizontal one. */
const curve = (values: readonly number[]): readonly number[] =>
  values.length === 1 ? [...values, ...values] : values;
