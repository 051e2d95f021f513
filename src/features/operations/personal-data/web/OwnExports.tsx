// For Users: exports of all data of their organization.
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { personalDataApi, personalDataKey, personalDataQueries } from './api.ts';
import { ExportTable, isMaking, restOf } from './ExportTable.tsx';

export function OwnExports() {
  const { t } = useTranslation('personaldata');
  const query = useQuery({
    ...personalDataQueries.listOwnExports(),
    refetchInterval: ({ state }) => restOf(state.data?.items),
  });
  const make = useCall(personalDataApi.makeOwnExport, { invalidates: [personalDataKey('listOwnExports')] });
  const stop = useCall(personalDataApi.stopOwnExport, { invalidates: [personalDataKey('listOwnExports')] });
  return (
    <ExportTable
      query={query}
      lead={t('personaldata.own_lead')}
      action={
        <Button
          variant="outlined"
          loading={make.isPending}
          disabled={query.data?.items.some(isMaking) ?? true}
          onClick={() => make.mutate({})}
        >
          {t('personaldata.make_own')}
        </Button>
      }
      onStop={(exportId) => stop.mutate({ exportId })}
      onTake={(exportId, options) => personalDataApi.downloadOwnExport({ exportId }, options)}
    />
  );
}
