// Sets who pays for one resource.
import Typography from '@mui/material/Typography';
import type { Id } from '#kernel/ids.ts';
import { dayOf } from '#kernel/time.ts';
import { indentedJson } from '#kernel/parse-json.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import type { Resource } from '../contract.ts';
import { connectorsApi, connectorsKey } from './api.ts';
import { PayerDialog } from './PayerDialog.tsx';

const others = ['ignored', 'rules'] as const;

export function AssignDialog({
  connectorId,
  resource,
  onClose,
}: {
  connectorId: Id<'con'>;
  resource: Resource;
  onClose: () => void;
}) {
  const { t } = useTranslation('connectors');
  const zone = useBrand((brand) => brand.timeZone);
  const assign = useCall(connectorsApi.assignResource, { invalidates: [connectorsKey()] });
  return (
    <PayerDialog
      title={t('connectors.assign_title', { resource: resource.id })}
      known={{
        how: 'subscription',
        payer: resource.subscription,
        startsOn: dayOf(resource.firstSeenAt, zone),
      }}
      // used as: 'connectors.assign_*'
      others={others.map((value) => ({ value, label: t(`connectors.assign_${value}`) }))}
      after={
        <div>
          <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 1 }}>
            {t('connectors.what_source_says')}
          </Typography>
          <CodeBlock code={indentedJson(resource.fields)} label={t('ui.copy')} />
        </div>
      }
      submitLabel={t('ui.save')}
      onSubmit={async (to) => {
        await assign.mutateAsync({ connectorId, resource: resource.id, to });
        toast.success(t('connectors.assigned'));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
