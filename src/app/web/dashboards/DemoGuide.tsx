// While demo data exists: guides to a first bill, as its customer sees it, with buttons to start over or
// remove everything.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { month } from '#kernel/shape.ts';
import { asError } from '#kernel/errors.ts';
import { beginView, identityApi, identityQueries } from '#features/access/identity/web/parts.ts';
import { billingQueries } from '#features/invoicing/billing/web/parts.ts';
import { administrationApi, DemoProgress } from '#features/operations/administration/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { DemoData } from '../../console/contract.ts';
import { dashboardApi } from './api.ts';
import { StepList, type FirstStep } from './StepList.tsx';

/** The month of the usage in demo-data/focus-sample.csv. */
const demoMonth = month.parse('2024-09');
const sampleAccount = 'customer@demo.example';

export function DemoGuide({ found }: { found: DemoData }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const cache = useQueryClient();
  const [asking, setAsking] = useState<'reset' | 'remove'>();
  const [importId, setImportId] = useState<Id<'imp'>>();
  const sample = useSampleCustomer();
  // Only needed where the step is shown: when there is nothing but demo data.
  const closed = useQuery({
    ...billingQueries.adminListBills({ month: demoMonth, limit: 1 }),
    enabled: found.organizations > 0 && found.others === 0,
  });
  // Any loaded query may contain demo data, so all are refetched.
  const loadAgain = useCallback(() => void cache.invalidateQueries(), [cache]);
  const remove = useCall(dashboardApi.removeDemoData, { onSuccess: loadAgain });
  const start = useCall(administrationApi.importDemo, { onSuccess: ({ id }) => setImportId(id) });
  const counts = {
    organizations: format.number(found.organizations),
    services: format.number(found.services),
    subscriptions: format.number(found.subscriptions),
    bills: format.number(found.bills),
    people: format.number(found.people),
  };
  // While it starts over, there is briefly no demo data.
  if (found.organizations === 0 && importId === undefined && asking === undefined) return null;
  const isMixed = found.others > 0;
  const hasBills = found.bills > 0;
  const steps: readonly FirstStep[] = [
    {
      isDone: true,
      title: t('demo.step_data'),
      text: t('demo.lead', counts),
      verb: '',
      to: '/admin/organizations',
    },
    {
      isDone: (closed.data?.total ?? 0) > 0,
      title: t('demo.step_close', { month: format.month(demoMonth) }),
      text: t('demo.step_close_text'),
      verb: t('demo.step_close_verb'),
      to: `/admin/billing?month=${demoMonth}`,
    },
    {
      isDone: false,
      title: t('demo.step_customer'),
      text: hasBills ? t('demo.step_customer_text') : t('demo.step_customer_wait'),
      verb: t('demo.step_customer_verb'),
      isBusy: sample.isPending,
      onClick: () => void sample.view(),
    },
  ];
  const confirm = async (): Promise<void> => {
    await remove.mutateAsync({});
    setImportId(undefined);
    if (asking === 'reset') await start.mutateAsync({});
    else toast.success(t('demo.removed'));
  };
  return (
    <Section
      title={t('demo.title')}
      lead={isMixed ? t('demo.mixed', { count: format.number(found.others) }) : t('demo.guide')}
      flush
      actions={
        isMixed ? (
          <Button variant="outlined" component={Link} to="/admin/organizations">
            {t('demo.to_organizations')}
          </Button>
        ) : (
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
            <Button aria-haspopup="dialog" variant="outlined" onClick={() => setAsking('reset')}>
              {t('demo.reset')}
            </Button>
            <Button
              aria-haspopup="dialog"
              variant="outlined"
              color="error"
              onClick={() => setAsking('remove')}
            >
              {t('demo.remove')}
            </Button>
          </Stack>
        )
      }
    >
      {sample.problem !== undefined && (
        <Box sx={{ padding: '0 24px 16px' }}>
          <Alert severity="error">{sample.problem}</Alert>
        </Box>
      )}
      {importId !== undefined && (
        <Box sx={{ padding: '0 24px 16px' }}>
          <DemoProgress importId={importId} onOver={loadAgain} />
        </Box>
      )}
      {!isMixed && <StepList steps={steps} />}
      <ConfirmDialog
        open={asking !== undefined}
        title={t(asking === 'reset' ? 'demo.ask_reset' : 'demo.ask')}
        consequences={[
          t('demo.effect_all', counts),
          ...(hasBills ? [t('demo.effect_books', counts)] : []),
          ...(found.people > 0 ? [t('demo.effect_people', counts)] : []),
          t('demo.effect_stays'),
          ...(asking === 'reset' ? [t('demo.effect_reset')] : []),
        ]}
        confirmLabel={t(asking === 'reset' ? 'demo.reset' : 'demo.remove')}
        tone="danger"
        proof={hasBills || found.people > 0 ? 'tick' : 'ask'}
        onConfirm={confirm}
        onClose={() => setAsking(undefined)}
      />
    </Section>
  );
}

/**
 * Views the console as a customer of the demo: the one with the largest bill, whose user is created if
 * necessary.
 */
function useSampleCustomer() {
  const { t } = useTranslation('console');
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string>();
  const create = useCall(identityApi.createUser);
  const start = useCall(identityApi.startView);
  const [isPending, setIsPending] = useState(false);
  const view = async (): Promise<void> => {
    setIsPending(true);
    setProblem(undefined);
    try {
      const bills = await cache.fetchQuery(billingQueries.adminListBills({ sort: '-total', limit: 1 }));
      const [largest] = bills.items;
      if (!largest) return setProblem(t('demo.step_customer_wait'));
      const known = await cache.fetchQuery(identityQueries.listUsers({ q: sampleAccount, limit: 1 }));
      const user =
        known.items[0] ??
        (
          await create.mutateAsync({
            account: sampleAccount,
            name: t('demo.customer_name'),
            role: 'User',
            organizationId: largest.organizationId,
          })
        ).user;
      beginView(
        await start.mutateAsync({ userId: required(user, 'a user').id, reason: t('demo.view_reason') }),
      );
      await navigate(`/billing/management?month=${largest.month}`);
    } catch (error) {
      setProblem(asError(error).message);
    } finally {
      setIsPending(false);
    }
  };
  return { view, isPending, problem };
}
