// A notice on a member's usage page: events were rejected and do not count until they are fixed; the list
// opens beside it.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { callsOf, rejectionsKey } from './api.ts';
import { RejectedEvents } from './RejectedEvents.tsx';

export function OwnRejected() {
  const { t } = useTranslation('rejections');
  const format = useFormat();
  const [shown, setShown] = useParam('rejections');
  const { data } = useQuery(callsOf.own.reasons({}));
  useLive('usage', [rejectionsKey()]);
  const count = data?.reasons.reduce((sum, reason) => sum + reason.count, 0) ?? 0;
  return (
    <>
      {count > 0 && (
        <Alert
          severity="warning"
          action={
            <Button color="inherit" size="small" onClick={() => setShown('open')}>
              {t('rejections.own_see')}
            </Button>
          }
        >
          {t('rejections.own_notice', { count: format.number(count) })}
        </Alert>
      )}
      <SidePanel
        open={shown !== undefined}
        title={t('rejections.title')}
        onClose={() => setShown(undefined)}
        width={1040}
      >
        {shown !== undefined && <RejectedEvents reader="own" />}
      </SidePanel>
    </>
  );
}
