// Prices of single organizations that replace the list price.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { AdminService, PriceOverride } from '../contract.ts';
import { catalogueApi, catalogueKey, catalogueQueries } from './api.ts';
import { OverrideForm } from './OverrideForm.tsx';
import { listLook, PriceEntry } from './PriceHistory.tsx';

export function Overrides({ service }: { service: AdminService }) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const query = useQuery(catalogueQueries.listOverrides({ serviceId: service.id }));
  const [isAdding, setIsAdding] = useState(false);
  const [ending, setEnding] = useState<PriceOverride>();
  const end = useCall(catalogueApi.endOverride, { invalidates: [catalogueKey()] });
  const confirm = async (): Promise<void> => {
    if (!ending) return;
    await end.mutateAsync({ serviceId: service.id, overrideId: ending.id });
    toast.success(t('catalogue.override_done'));
  };
  if (isAdding) return <OverrideForm service={service} onClose={() => setIsAdding(false)} />;
  const add = (
    <AddButton variant="outlined" onClick={() => setIsAdding(true)}>
      {t('catalogue.override_add')}
    </AddButton>
  );
  return (
    <Stack sx={{ gap: 2 }}>
      <Stack
        direction="row"
        sx={{ gap: 2, alignItems: 'center', justifyContent: 'space-between', flexWrap: 'wrap' }}
      >
        <Typography variant="body2" color="textSecondary" sx={{ flex: '1 1 280px' }}>
          {t('catalogue.overrides_lead')}
        </Typography>
        {query.data && query.data.items.length > 0 && add}
      </Stack>
      <QueryState query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={t('catalogue.overrides_empty')} action={add} />
          ) : (
            <Box component="ul" sx={listLook}>
              {items.map((override) => (
                <PriceEntry
                  key={override.id}
                  title={override.organization}
                  state={override.state}
                  from={override.effectiveFrom}
                  until={override.until}
                  service={service}
                  pricing={override.pricing}
                  earlier={service.pricing}
                  comparedWith={t(
                    override.charges ? 'catalogue.override_of_charges' : 'catalogue.override_of_price',
                  )}
                  note={`${override.reason} · ${t('catalogue.price_made', { name: override.createdBy ?? t('catalogue.by_console'), at: format.dateTime(override.createdAt) })}`}
                  action={
                    override.state !== 'past' && (
                      <Button
                        aria-haspopup="dialog"
                        size="small"
                        variant="outlined"
                        color="error"
                        onClick={() => setEnding(override)}
                      >
                        {t(
                          override.state === 'scheduled'
                            ? 'catalogue.price_withdraw'
                            : 'catalogue.override_end',
                        )}
                      </Button>
                    )
                  }
                />
              ))}
            </Box>
          )
        }
      </QueryState>
      {ending && (
        <ConfirmDialog
          open
          title={t('catalogue.override_end_ask', { name: ending.organization })}
          consequences={[
            t(ending.state === 'scheduled' ? 'catalogue.override_never' : 'catalogue.override_end_then'),
          ]}
          confirmLabel={t(
            ending.state === 'scheduled' ? 'catalogue.price_withdraw_confirm' : 'catalogue.override_end',
          )}
          tone="danger"
          onConfirm={confirm}
          onClose={() => setEnding(undefined)}
        />
      )}
    </Stack>
  );
}
