// The Admin's dunning: the switch, the schedule with its rehearsal, bills on the schedule, and exempt
// organizations.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { dunningKey, dunningQueries } from './api.ts';
import { LateFeeSettings } from '#features/receivables/late-fees/web/parts.ts';
import { DunnedBills } from './DunnedBills.tsx';
import { DunningSwitch } from './DunningSwitch.tsx';
import { Exemptions } from './Exemptions.tsx';
import { ScheduleEditor } from './ScheduleEditor.tsx';

export function DunningScreen() {
  const { t } = useTranslation('dunning');
  useLive('billing', [dunningKey('listDunned'), dunningKey('getDunning'), dunningKey('billDunning')]);
  return (
    <Page title={t('dunning.title')} lead={t('dunning.lead')}>
      <QueryState query={useQuery(dunningQueries.getDunning())} skeleton={<Lines count={8} />}>
        {(dunning) => (
          <>
            <DunningSwitch dunning={dunning} />
            {/* While dunning is on, its bills come first; while it is off, the schedule does. */}
            {dunning.isOn && <DunnedBills />}
            <ScheduleEditor key={JSON.stringify(dunning.plan.steps)} dunning={dunning} />
            {!dunning.isOn && <DunnedBills />}
          </>
        )}
      </QueryState>
      <LateFeeSettings />
      <Exemptions />
    </Page>
  );
}
