// The panel beside the list of meters: a new meter, or one with what it measures, the services that use it,
// and an example of an event that it counts.
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { isId, type Id } from '#kernel/ids.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { nowMs } from '#platform/web/time/clock.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { brokenAtParts } from '#platform/web/ui/MachineName.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { RecordPanel } from '#platform/web/ui/RecordPanel.tsx';
import type { Meter } from '../contract.ts';
import { exampleEvent } from '../rules.ts';
import { metersApi, metersKey, metersQueries } from './api.ts';
import { MeterEditor } from './MeterEditor.tsx';
import { useMeasuredFacts } from './measured-facts.ts';

/** Stored in the address instead of a meter's id. */
export const newMeter = 'new';

type Services = (meter: Meter) => ReactNode;

export function MeterPanel({
  open,
  onClose,
  services,
}: {
  open: string | undefined;
  onClose: () => void;
  services: Services;
}) {
  if (open === newMeter) return <MeterEditor onClose={onClose} onSaved={onClose} />;
  return isId('mtr', open) ? (
    <Opened key={open} meterId={open} onClose={onClose} services={services} />
  ) : null;
}

function Opened({
  meterId,
  onClose,
  services,
}: {
  meterId: Id<'mtr'>;
  onClose: () => void;
  services: Services;
}) {
  const { t } = useTranslation('meters');
  const query = useQuery(metersQueries.getMeter({ meterId }));
  const remove = useCall(metersApi.deleteMeter, { invalidates: [metersKey('listMeters')] });
  return (
    <RecordPanel
      query={query}
      title={t('meters.meter')}
      width={640}
      editor={(meter, onEnd) => (
        // A newer version remounts the form, because values typed for the old version may not fit.
        <MeterEditor
          key={meter.version}
          meter={meter}
          onClose={onEnd}
          onSaved={onEnd}
          onReload={() => void query.refetch()}
        />
      )}
      deletion={({ name }) => ({
        title: t('meters.delete_ask', { name }),
        consequences: [t('meters.delete_gone')],
        confirmLabel: t('meters.delete'),
        onConfirm: async () => {
          await remove.mutateAsync({ meterId });
          toast.success(t('meters.deleted', { name }));
          onClose();
        },
      })}
      onClose={onClose}
    >
      {(meter) => <Details meter={meter} services={services} />}
    </RecordPanel>
  );
}

function Details({ meter, services }: { meter: Meter; services: Services }) {
  const { t } = useTranslation('meters');
  const measured = useMeasuredFacts();
  const [openedAt] = useState(() => new Date(nowMs()));
  return (
    <Stack sx={{ gap: 4 }}>
      <Facts
        items={[
          [t('meters.key'), brokenAtParts(meter.key)],
          ...measured(meter),
          [t('meters.created'), <Moment key="created" at={meter.createdAt} as="dateTime" />],
        ]}
      />
      <PanelPart title={t('meters.services')}>
        {meter.usedBy === 0 ? (
          <Typography variant="body2" color="textSecondary">
            {t('meters.no_services')}
          </Typography>
        ) : (
          services(meter)
        )}
      </PanelPart>
      <PanelPart title={t('meters.example')}>
        <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 1 }}>
          {t('meters.example_lead')}
        </Typography>
        <CodeBlock code={exampleEvent(meter, openedAt)} label={t('meters.copy_example')} />
      </PanelPart>
      {meter.dataSchema && (
        <PanelPart title={t('meters.schema')}>
          <CodeBlock code={JSON.stringify(meter.dataSchema, null, 2)} label={t('ui.copy')} />
        </PanelPart>
      )}
    </Stack>
  );
}
