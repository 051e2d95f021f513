// The budgets of an organization: the month's cost so far and the forecast against each budget, and buttons
// to edit them.
import SavingsOutlined from '~icons/ic/outline-savings';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { Out } from '#kernel/contract.ts';
import { menuRole } from '#kernel/roles.ts';
import type { Budget, budgets } from '../contract.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { budgetsApi, budgetsKey, budgetsQueries } from './api.ts';
import { BudgetItem, BudgetKey } from './BudgetItem.tsx';

/** The form is only loaded when it is opened. */
const BudgetDialog = lazyComponent(() =>
  import('./BudgetDialog.tsx').then((module) => module.BudgetDialog),
).Component;

type List = Out<typeof budgets.listBudgets>;
type Open = { readonly action: 'edit' | 'delete'; readonly budget: Budget } | { readonly action: 'create' };

export function BudgetStates() {
  const { t } = useTranslation('budgets');
  const [open, setOpen] = useState<Open>();
  const mayChange = useAuthStore((auth) => auth.isAuthenticated && menuRole(auth.user?.role) === 'User');
  const query = useQuery(budgetsQueries.listBudgets());
  useLive('usage', [budgetsKey('listBudgets')]);
  const add = mayChange && (
    <Button
      aria-haspopup="dialog"
      size="small"
      variant="outlined"
      data-screen-only
      onClick={() => setOpen({ action: 'create' })}
    >
      {t('budgets.add')}
    </Button>
  );
  const isEmpty = query.data?.items.length === 0;
  return (
    <Section title={t('budgets.title')} {...(!isEmpty && { lead: t('budgets.lead'), actions: add })}>
      <QueryState query={query} skeleton={<Lines count={4} />}>
        {(list) => (
          <>
            {list.items.length === 0 ? (
              <EmptyState
                compact
                icon={<SavingsOutlined />}
                title={t('budgets.empty')}
                hint={t(mayChange ? 'budgets.empty_hint' : 'budgets.empty_read_only')}
                action={add}
              />
            ) : (
              <Items list={list} {...(mayChange && { onOpen: setOpen })} />
            )}
            {open && <Dialogs open={open} list={list} onClose={() => setOpen(undefined)} />}
          </>
        )}
      </QueryState>
    </Section>
  );
}

function Items({ list, onOpen }: { list: List; onOpen?: (open: Open) => void }) {
  const { t } = useTranslation('budgets');
  return (
    <Stack sx={{ gap: 2 }}>
      <Box
        component="ul"
        aria-label={t('budgets.title')}
        sx={{
          listStyle: 'none',
          margin: 0,
          padding: 0,
          display: 'grid',
          gap: '24px 32px',
          gridTemplateColumns: {
            xs: 'minmax(0, 1fr)',
            lg: list.items.length > 1 ? 'repeat(2, minmax(0, 1fr))' : 'minmax(0, 1fr)',
          },
        }}
      >
        {list.items.map((budget) => (
          <BudgetItem key={budget.id} budget={budget}>
            {onOpen && (
              <Stack direction="row" data-screen-only sx={{ marginInline: '-8px' }}>
                <Button
                  aria-haspopup="dialog"
                  size="small"
                  aria-label={t('budgets.edit_of', { name: budget.name })}
                  onClick={() => onOpen({ action: 'edit', budget })}
                >
                  {t('budgets.edit')}
                </Button>
                <Button
                  aria-haspopup="dialog"
                  size="small"
                  color="error"
                  aria-label={t('budgets.delete_of', { name: budget.name })}
                  onClick={() => onOpen({ action: 'delete', budget })}
                >
                  {t('budgets.delete')}
                </Button>
              </Stack>
            )}
          </BudgetItem>
        ))}
      </Box>
      <Typography variant="caption" component="div" color="textSecondary">
        <BudgetKey />
      </Typography>
    </Stack>
  );
}

function Dialogs({ open, list, onClose }: { open: Open; list: List; onClose: () => void }) {
  const { t } = useTranslation('budgets');
  const remove = useCall(budgetsApi.deleteBudget, { invalidates: [budgetsKey()] });
  if (open.action !== 'delete')
    return (
      <Suspense fallback={null}>
        <BudgetDialog
          list={list}
          {...(open.action === 'edit' && { budget: open.budget })}
          onClose={onClose}
        />
      </Suspense>
    );
  const { id, name } = open.budget;
  const confirm = async () => {
    await remove.mutateAsync({ budgetId: id });
    toast.success(t('budgets.deleted', { name }));
  };
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('budgets.delete_ask', { name })}
      consequences={[t('budgets.delete_consequence')]}
      confirmLabel={t('budgets.delete_confirm')}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
