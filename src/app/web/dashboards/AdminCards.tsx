// Links to everything that an Admin runs; each card shows something that works (R-ADM-01).
import ApiOutlined from '~icons/ic/outline-api';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { useTranslation, type TextKey } from '#platform/web/i18n/i18n.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { AdminDashboard } from '../../console/contract.ts';
import { linksOf, menuOf, type MenuIcon } from '../../menu.ts';
import { menuIcons } from '../menu-icons.ts';

type Card = {
  readonly name: string;
  readonly title: TextKey<'console'>;
  readonly about: string;
  readonly place: string;
  readonly icon: MenuIcon | 'docs';
};
const ownIcons = { docs: ApiOutlined } as const;

export function AdminCards({ dashboard }: { dashboard: AdminDashboard | undefined }) {
  const { t } = useTranslation('console');
  return (
    <Section title={t('admin_dashboard.manage')}>
      <Box
        component="ul"
        sx={{
          listStyle: 'none',
          margin: 0,
          padding: 0,
          display: 'grid',
          gap: 1.5,
          gridTemplateColumns: {
            xs: 'minmax(0, 1fr)',
            sm: 'repeat(2, minmax(0, 1fr))',
            lg: 'repeat(3, minmax(0, 1fr))',
          },
        }}
      >
        {useCards(dashboard).map((card) => (
          <CardLink key={card.name} card={card} />
        ))}
      </Box>
    </Section>
  );
}

function CardLink({ card }: { card: Card }) {
  const { t } = useTranslation('console');
  const Icon = card.icon === 'docs' ? ownIcons[card.icon] : menuIcons[card.icon];
  const isInside = !card.place.startsWith('/api');
  return (
    <Box component="li" sx={{ display: 'flex' }}>
      <Link
        {...(isInside ? { component: RouterLink, to: card.place } : { href: card.place })}
        underline="none"
        color="inherit"
        sx={{
          flex: 1,
          display: 'grid',
          gridTemplateColumns: '32px minmax(0, 1fr)',
          gap: '2px 8px',
          alignContent: 'start',
          padding: '12px 16px',
          border: '1px solid',
          borderColor: 'divider',
          borderRadius: '5px',
          transition: 'background-color 120ms, border-color 120ms',
          '&:hover': { bgcolor: 'primary.soft', borderColor: 'primary.main' },
        }}
      >
        <Icon aria-hidden sx={{ color: 'primary.main', gridRow: '1 / 3', marginTop: '2px' }} />
        <Typography variant="subtitle1" component="span">
          {t(card.title)}
        </Typography>
        <Typography variant="caption" component="span" color="textSecondary">
          <NoWrap text={card.about} />
        </Typography>
      </Link>
    </Box>
  );
}

function useCards(dashboard: AdminDashboard | undefined): readonly Card[] {
  const { t } = useTranslation('console');
  const format = useFormat();
  const count = (figure: number | undefined): string => (figure === undefined ? '…' : format.number(figure));
  const about: Readonly<Record<string, string>> = {
    'user-management': t('admin_dashboard.card_users', { count: count(dashboard?.users.total) }),
    'service-management': t('admin_dashboard.card_services', { count: count(dashboard?.services) }),
    'admin-billing': t('admin_dashboard.card_billing', { count: count(dashboard?.bills.open) }),
    'admin-payments': t('admin_dashboard.card_payments', { count: count(dashboard?.pendingPayments) }),
    'admin-quotas': t('admin_dashboard.card_quotas', { count: count(dashboard?.openRaises) }),
    imports: t('admin_dashboard.card_imports'),
    'api-keys': t('admin_dashboard.card_keys'),
    'system-settings': t('admin_dashboard.card_settings'),
    permissions: t('admin_dashboard.card_permissions'),
    security: t('admin_dashboard.card_security'),
    monitoring: t('admin_dashboard.card_monitoring', { count: count(dashboard?.faults) }),
    backups: t(
      dashboard?.backup.lastProvenAt ? 'admin_dashboard.card_backup' : 'admin_dashboard.card_no_backup',
      {
        when: dashboard?.backup.lastProvenAt ? format.dateTime(dashboard.backup.lastProvenAt) : '',
      },
    ),
    'audit-log': t('admin_dashboard.card_audit'),
    licences: t('admin_dashboard.card_licences'),
    organizations: t('admin_dashboard.card_organizations', { count: count(dashboard?.organizations) }),
  };
  const links = linksOf(menuOf('Admin'));
  const order = Object.keys(about).flatMap((name) => links.filter((link) => link.name === name));
  return [
    ...order.map((link): Card => ({
      name: link.name,
      title: link.label,
      about: about[link.name] ?? '',
      place: link.path,
      icon: link.icon,
    })),
    {
      name: 'docs',
      title: 'admin_dashboard.docs',
      about: t('admin_dashboard.card_docs'),
      place: '/api/docs',
      icon: 'docs',
    },
  ];
}
