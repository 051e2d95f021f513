// One quota in full: bar, state, used and allowed quantity, and the day on which it runs out.
import type { QuotaState } from '../contract.ts';
import type * as z from 'zod/mini';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { QuotaBar, type QuotaLevel } from '#platform/web/ui/QuotaBar.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';

export type Quota = z.output<typeof QuotaState>;

const levels = { Normal: 'normal', Warning: 'warning', Critical: 'critical' } as const satisfies Record<
  Quota['status'],
  QuotaLevel
>;

export function QuotaMeter({ quota }: { quota: Quota }) {
  const { t } = useTranslation('quotas');
  const format = useFormat();
  return (
    <QuotaBar
      label={t('quotas.meter', { service: quota.serviceName })}
      ratio={quota.percent / 100}
      level={levels[quota.status]}
      amounts={t('quotas.amounts', {
        used: format.quantity(quota.used),
        limit: format.quantity(quota.limit, quota.unit),
      })}
      {...(quota.runsOutOn !== null && {
        outlook:
          quota.percent >= 100
            ? t('quotas.used_up')
            : t('quotas.runs_out', { day: format.day(quota.runsOutOn) }),
      })}
    />
  );
}
