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

export function AdminFigures({ now }: { now: AdminDashboard | undefined }) {
  const users = useUserHistory(now);
  const { t } = useTranslation('console');
  const format = useFormat();
  const machine = (kind: 'cpu' | 'memory' | 'disk', note: string | undefined) => (
    <StatCard
      // used as: 'admin_dashboard.cpu', 'admin_dashboard.memory', 'admin_dashboard.disk'
      label={t(`admin_dashboard.${kind}`)}
      value={now && format.percent(now[kind].percent / 100)}
      note={note ?? ' '}
      graphic={
        <Sparkline
          values={curve(now ? [...now.history.map((reading) => reading[kind]), now[kind].percent] : [])}
          min={0}
          max={100}
          tone={now ? toneOf(now[kind].percent) : 'primary'}
          label={t('admin_dashboard.curve', { name: t(`admin_dashboard.${kind}`) })}
        />
      }
    />
  );
  const bytes = (kind: 'memory' | 'disk') =>
    now &&
    t('admin_dashboard.used_of', {
      used: format.bytes(now[kind].used),
      total: format.bytes(now[kind].total),
    });
  return (
    <Grid columns={4} pairs>
      {machine('cpu', now && t('admin_dashboard.cores', { count: now.cpu.total }))}
      {machine('memory', bytes('memory'))}
      {machine('disk', bytes('disk'))}
      <StatCard
        label={t('admin_dashboard.users')}
        value={
          now &&
          t('admin_dashboard.users_of', {
            active: format.number(now.users.active),
            total: format.number(now.users.total),
          })
        }
        note={t('admin_dashboard.users_note')}
        graphic={
          <Sparkline
            values={curve(users.map((reading) => reading.users.active))}
            min={0}
            max={Math.max(1, now?.users.total ?? 1)}
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
