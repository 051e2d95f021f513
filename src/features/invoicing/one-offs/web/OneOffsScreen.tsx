// The Admin's one-off charges: those that await approval first, then all of them, the minimum spends, and the
// approval setting.
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { oneOffsKey } from './api.ts';
import { ApprovalSection } from './ApprovalSection.tsx';
import { AwaitingOneOffs } from './AwaitingOneOffs.tsx';
import { ApproveDialog, RejectDialog, WithdrawDialog, type Deciding } from './DecisionDialogs.tsx';
import { MinimumPanel } from './MinimumPanel.tsx';
import { MinimumSpends } from './MinimumSpends.tsx';
import { NewOneOffDialog } from './NewOneOffDialog.tsx';
import { OneOffList } from './OneOffList.tsx';
import { OneOffPanel } from './OneOffPanel.tsx';

export function OneOffsScreen() {
  const { t } = useTranslation('oneoffs');
  useLive('billing', [oneOffsKey()]);
  const [open, setOpen] = useParam('charge');
  const [minimum, setMinimum] = useParam('minimum');
  const [isMaking, setIsMaking] = useState(false);
  const [deciding, setDeciding] = useState<Deciding>();
  const close = () => setDeciding(undefined);
  const add = <AddButton onClick={() => setIsMaking(true)}>{t('oneoffs.new')}</AddButton>;
  const show = (id: Id<'ooc'>) => setOpen(id);
  return (
    <Page title={t('oneoffs.title')} lead={t('oneoffs.lead')} actions={add}>
      <AwaitingOneOffs onOpen={show} onDecide={setDeciding} />
      <OneOffList add={add} onOpen={show} onDecide={setDeciding} />
      <MinimumSpends onOpen={setMinimum} />
      <ApprovalSection />
      <OneOffPanel oneOffId={open} onClose={() => setOpen(undefined)} onDecide={setDeciding} />
      <MinimumPanel minimumSpendId={minimum} onClose={() => setMinimum(undefined)} />
      {isMaking && <NewOneOffDialog onClose={() => setIsMaking(false)} />}
      {deciding?.step === 'approve' && <ApproveDialog oneOff={deciding.oneOff} onClose={close} />}
      {deciding?.step === 'reject' && <RejectDialog oneOff={deciding.oneOff} onClose={close} />}
      {deciding?.step === 'withdraw' && <WithdrawDialog oneOff={deciding.oneOff} onClose={close} />}
    </Page>
  );
}
