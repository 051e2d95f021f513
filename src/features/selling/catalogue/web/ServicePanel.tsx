// The panel beside the list of services: a new service, or an existing one with its prices.
import Tab from '@mui/material/Tab';
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { isId, type Id } from '#kernel/ids.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { ScrollableTabs } from '#platform/web/ui/ScrollableTabs.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import type { AdminService } from '../contract.ts';
import { catalogueQueries } from './api.ts';
import { Overrides } from './Overrides.tsx';
import { PriceHistory } from './PriceHistory.tsx';
import { emptyFields, fieldsOf } from './service-fields.ts';
import type { Rehearsal } from './service-form.ts';
import { panelWidth, ServiceEditor } from './ServiceEditor.tsx';

/** Stored in the address instead of a service's id. */
export const newService = 'new';

export function ServicePanel({
  open,
  onClose,
  rehearsal,
}: {
  open: string | undefined;
  onClose: () => void;
  rehearsal?: Rehearsal | undefined;
}) {
  const currency = useBrand((brand) => brand.currency);
  if (open === newService) return <ServiceEditor initial={emptyFields(currency)} onClose={onClose} />;
  return isId('svc', open) ? (
    <Loaded key={open} serviceId={open} onClose={onClose} rehearsal={rehearsal} />
  ) : null;
}

function Loaded({
  serviceId,
  onClose,
  rehearsal,
}: {
  serviceId: Id<'svc'>;
  onClose: () => void;
  rehearsal: Rehearsal | undefined;
}) {
  const { t } = useTranslation('catalogue');
  const query = useQuery({ ...catalogueQueries.adminGetService({ serviceId }), refetchOnWindowFocus: false });
  if (query.data)
    return (
      <Existing
        service={query.data}
        onClose={onClose}
        onReload={() => void query.refetch()}
        rehearsal={rehearsal}
      />
    );
  return (
    <SidePanel open title={t('catalogue.service_edit')} onClose={onClose} width={panelWidth}>
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Lines count={10} />
      )}
    </SidePanel>
  );
}

const tabs = ['edit', 'prices', 'overrides'] as const;
type PanelTab = (typeof tabs)[number];

function Existing({
  service,
  onClose,
  onReload,
  rehearsal,
}: {
  service: AdminService;
  onClose: () => void;
  onReload: () => void;
  rehearsal: Rehearsal | undefined;
}) {
  const { t } = useTranslation('catalogue');
  const id = useId();
  const [tab, setTab] = useState<PanelTab>('edit');
  const head = (
    <ScrollableTabs
      value={tab}
      onChange={(_, next: PanelTab) => setTab(next)}
      aria-label={t('catalogue.panel_tabs')}
      sx={{
        marginTop: { xs: '-8px', sm: '-16px' },
        marginBottom: 3,
        borderBottom: '1px solid',
        borderColor: 'divider',
      }}
    >
      {/* used as: 'catalogue.panel_*' */}
      {tabs.map((one) => (
        <Tab
          key={one}
          value={one}
          label={t(`catalogue.panel_${one}`)}
          id={`${id}-${one}`}
          aria-controls={`${id}-panel`}
        />
      ))}
    </ScrollableTabs>
  );
  const panel = { role: 'tabpanel', id: `${id}-panel`, 'aria-labelledby': `${id}-${tab}` } as const;
  // A newer version remounts the form, because values typed for the old version may not fit.
  if (tab === 'edit')
    return (
      <ServiceEditor
        key={service.version}
        initial={fieldsOf(service)}
        service={service}
        onClose={onClose}
        onReload={onReload}
        rehearsal={rehearsal}
        head={head}
        panel={panel}
      />
    );
  return (
    <SidePanel open title={service.name} onClose={onClose} width={panelWidth}>
      {head}
      <Box {...panel}>
        {tab === 'prices' ? <PriceHistory service={service} /> : <Overrides service={service} />}
      </Box>
    </SidePanel>
  );
}
