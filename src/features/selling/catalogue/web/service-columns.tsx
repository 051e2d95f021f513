// The columns of the list of services.
import Typography from '@mui/material/Typography';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { brokenAtParts } from '#platform/web/ui/MachineName.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import type { AdminService } from '../contract.ts';
import { PriceText, QuotaText } from './PriceText.tsx';
import { releaseKeys, releaseTones, statusTones } from './states.ts';
import { limitUnit } from '../rules.ts';

export function useServiceColumns(): readonly Column<AdminService>[] {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  return [
    {
      key: 'name',
      label: t('catalogue.name'),
      width: '16%',
      sortable: true,
      card: 'title',
      render: (service) => (
        <>
          {brokenAtParts(service.name)}
          <Typography variant="caption" component="span" color="textSecondary" sx={{ display: 'block' }}>
            {service.category}
          </Typography>
        </>
      ),
    },
    {
      key: 'type',
      label: t('catalogue.type'),
      sortable: true,
      show: 'wide',
      width: 144,
      render: (service) => service.type,
    },
    {
      key: 'price',
      label: t('catalogue.price'),
      // A service with many charges would fill the screen; its panel lists all of them.
      render: (service) => <PriceText service={service} lines={2} />,
    },
    {
      key: 'quota',
      label: t('catalogue.quota'),
      show: 'wide',
      render: (service) => <QuotaText quota={service.quota} unit={limitUnit(service)} />,
    },
    {
      key: 'subscribers',
      label: t('catalogue.subscribers'),
      align: 'right',
      render: (service) => <span className="tabular">{format.number(service.subscribers)}</span>,
    },
    {
      key: 'release',
      label: t('catalogue.release'),
      render: (service) => (
        <>
          <StatusBadge
            tone={releaseTones[service.releaseState]}
            icon={null}
            label={t(releaseKeys[service.releaseState])}
          />
          {service.releaseState === 'Coming Soon' && (
            <Typography
              variant="caption"
              component="span"
              color="textSecondary"
              sx={{ display: 'block', whiteSpace: 'nowrap' }}
            >
              {t('catalogue.interested', { count: format.number(service.interested) })}
            </Typography>
          )}
        </>
      ),
    },
    {
      key: 'status',
      label: t('catalogue.status'),
      sortable: true,
      render: (service) => (
        <StatusBadge tone={statusTones[service.status]} label={t(`catalogue.status_${service.status}`)} />
      ),
    },
    {
      key: 'createdAt',
      label: t('catalogue.created'),
      sortable: true,
      show: 'wide',
      card: 'hidden',
      render: (service) => <Moment at={service.createdAt} />,
    },
  ];
}
