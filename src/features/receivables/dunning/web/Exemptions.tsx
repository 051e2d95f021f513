// Organizations exempt from dunning: the list, and a form to add one.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import { text } from '#kernel/shape.ts';
import { OrganizationField, requiredOrganization } from '#features/access/identity/web/parts.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { dunningApi, dunningKey, dunningQueries } from './api.ts';

export function Exemptions() {
  const { t } = useTranslation('dunning');
  const [isAdding, setAdding] = useState(false);
  const [ending, setEnding] = useState<{
    readonly organizationId: Id<'org'>;
    readonly organization: string;
  }>();
  const end = useCall(dunningApi.endExemption, {
    invalidates: [dunningKey()],
    onSuccess: () => toast.success(t('dunning.exempt_ended')),
  });
  return (
    <Section
      title={t('dunning.exempt')}
      lead={t('dunning.exempt_lead')}
      actions={
        <Button variant="outlined" aria-haspopup="dialog" onClick={() => setAdding(true)}>
          {t('dunning.exempt_add')}
        </Button>
      }
    >
      <QueryState query={useQuery(dunningQueries.listExemptions())} skeleton={<Lines count={2} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Typography variant="body2" color="textSecondary">
              {t('dunning.exempt_none')}
            </Typography>
          ) : (
            <Stack component="ul" sx={{ listStyle: 'none', padding: 0, margin: 0, gap: 1 }}>
              {items.map(({ organizationId, organization, reason }) => (
                <Stack
                  component="li"
                  key={organizationId}
                  direction="row"
                  sx={{ gap: 2, alignItems: 'center', justifyContent: 'space-between' }}
                >
                  <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                    <Typography variant="body2">{organization}</Typography>
                    <Typography variant="caption" color="textSecondary">
                      {reason}
                    </Typography>
                  </Box>
                  <Button
                    size="small"
                    aria-label={`${t('dunning.exempt_remove')} ${organization}`}
                    aria-haspopup="dialog"
                    onClick={() => setEnding({ organizationId, organization })}
                    sx={{ whiteSpace: 'nowrap' }}
                  >
                    {t('dunning.exempt_remove')}
                  </Button>
                </Stack>
              ))}
            </Stack>
          )
        }
      </QueryState>
      <ConfirmDialog
        open={ending !== undefined}
        tone="danger"
        title={t('dunning.exempt_remove_ask', { name: ending?.organization ?? '' })}
        consequences={[t('dunning.exempt_remove_effect')]}
        confirmLabel={t('dunning.exempt_remove')}
        onConfirm={() => (ending ? end.mutateAsync({ organizationId: ending.organizationId }) : undefined)}
        onClose={() => setEnding(undefined)}
      />
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </Section>
  );
}

const Adding = z.strictObject({
  organization: requiredOrganization,
  reason: text(300),
});

function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('dunning');
  const form = useZodForm(Adding, { organization: null, reason: '' });
  const add = useCall(dunningApi.exemptOrganization, {
    invalidates: [dunningKey()],
    onSuccess: () => toast.success(t('dunning.exempt_done')),
  });
  return (
    <FormDialog
      form={form}
      title={t('dunning.exempt_add')}
      confirm={t('dunning.exempt_add')}
      onSubmit={async ({ organization, reason }) =>
        organization ? add.mutateAsync({ organizationId: organization.id, reason }) : null
      }
      onClose={onClose}
    >
      <OrganizationField form={form} name="organization" label={t('dunning.organization')} required />
      <TextField form={form} name="reason" label={t('dunning.reason')} required />
    </FormDialog>
  );
}
