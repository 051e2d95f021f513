// Creates or changes installments: split evenly at first, with each date and amount editable, and the sum
// beside them.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { withSymbol } from '#kernel/format-money.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText, sumMoney, type Money } from '#kernel/money.ts';
import { isDay, type LocalDay } from '#kernel/shape.ts';
import { addDays, dayOf } from '#kernel/time.ts';
import type { Bill } from '#features/invoicing/billing/contract.ts';
import { billingQueries } from '#features/invoicing/billing/web/parts.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { PickerBox } from '#platform/web/form/PickerField.tsx';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ActionDialog } from '#platform/web/ui/ActionDialog.tsx';
import { maxInstalments, type PaymentPlan } from '../contract.ts';
import { usualGraceDays } from '../rules.ts';
import { plansApi, plansKey } from './api.ts';
import { readDraft, splitEvenly, type DraftTerm } from './plan-draft.ts';

const othersAtMost = 20;

type PlanDialogProps = {
  readonly bill: Pick<Bill, 'id' | 'number' | 'due' | 'organizationId' | 'organization' | 'currency'>;
  /** The active plan to change; null to create one. */
  readonly plan: PaymentPlan | null;
  readonly onClose: () => void;
};

/** The organization's other open bills in the same currency that have no plan. */
function useOtherBills({ bill, plan }: Pick<PlanDialogProps, 'bill' | 'plan'>): readonly Bill[] {
  const { data } = useQuery({
    ...billingQueries.adminListBills({ q: bill.organization, state: 'open', limit: othersAtMost }),
    enabled: plan === null,
  });
  return (data?.items ?? []).filter(
    (each) =>
      each.id !== bill.id &&
      each.organizationId === bill.organizationId &&
      each.currency === bill.currency &&
      each.due.minor > 0n &&
      each.instalment === undefined,
  );
}

export function PlanDialog({ bill, plan, onClose }: PlanDialogProps) {
  const { t } = useTranslation('plans');
  const format = useFormat();
  const today = dayOf(useNow(), format.timeZone);
  const others = useOtherBills({ bill, plan });
  const [included, setIncluded] = useState<readonly Id<'bil'>[]>([]);
  const dues =
    plan === null
      ? [bill.due, ...others.filter(({ id }) => included.includes(id)).map((each) => each.due)]
      : plan.bills.map((each) => each.due);
  const due = sumMoney(dues, bill.currency);
  const [draft, setDraft] = useState<readonly DraftTerm[]>(() => initial(plan, due, today));
  const [grace, setGrace] = useState(String(plan?.graceDays ?? usualGraceDays));
  const [note, setNote] = useState(plan?.note ?? '');
  const { terms, sum } = readDraft(draft, due);
  const done = {
    invalidates: [plansKey(), ['billing'], ['dunning'], ['collection']],
    onSuccess: () => {
      toast.success(t('plans.saved'));
      onClose();
    },
  };
  const agree = useCall(plansApi.agreePlan, done);
  const change = useCall(plansApi.changePlan, done);
  const isBusy = agree.isPending || change.isPending;
  const problem = agree.error ?? change.error;
  const graceDays = /^\d{1,2}$/.test(grace.trim()) && Number(grace) <= 60 ? Number(grace) : undefined;
  const save = () => {
    if (!terms || graceDays === undefined) return;
    const sent = { instalments: [...terms], graceDays, note: note.trim() };
    if (plan) change.mutate({ planId: plan.id, ...sent });
    else agree.mutate({ billIds: [bill.id, ...included], ...sent });
  };
  const isRight = sum.minor === due.minor;
  return (
    <ActionDialog
      width="sm"
      title={t('plans.form_title', { number: bill.number })}
      confirm={t('plans.form_save')}
      isBusy={isBusy}
      disabled={!terms || !isRight || graceDays === undefined}
      onConfirm={save}
      problem={problem?.message}
      beginsWithField
      onClose={onClose}
    >
      <Typography variant="body2">{t('plans.form_lead', { due: format.money(due) })}</Typography>
      {others.length > 0 && (
        <OtherBills
          bills={others}
          included={included}
          onChange={(next) => {
            setIncluded(next);
            setDraft((before) => before.map((each) => ({ ...each, amount: '' })));
          }}
        />
      )}
      <Split today={today} due={due} onSplit={setDraft} />
      <Rows draft={draft} due={due} onChange={setDraft} />
      <Typography
        variant="body2"
        role="status"
        className="tabular"
        sx={{ color: isRight ? 'success.main' : 'error.main' }}
      >
        {t(isRight ? 'plans.form_sum_right' : 'plans.form_sum_wrong', {
          sum: format.money(sum),
          due: format.money(due),
        })}
      </Typography>
      <Box sx={{ maxWidth: 220, marginTop: 1 }}>
        <TextBox
          name="grace"
          label={t('plans.form_grace')}
          help={t('plans.form_grace_help')}
          inputMode="numeric"
          autoComplete="off"
          value={grace}
          onChange={setGrace}
        />
      </Box>
      <TextBox
        name="note"
        label={t('plans.form_note')}
        help={t('plans.form_note_help')}
        value={note}
        onChange={setNote}
        rows={2}
      />
    </ActionDialog>
  );
}

/** The rest of an active plan, or three installments a month apart. */
function initial(plan: PaymentPlan | null, due: Money, today: LocalDay): readonly DraftTerm[] {
  const left = plan?.instalments.filter(({ rest }) => rest.minor > 0n) ?? [];
  if (left.length === 0) return splitEvenly(due, addDays(today, 7), 3);
  return left.map(({ on, rest }) => ({ on, amount: moneyText(rest) }));
}

function OtherBills({
  bills,
  included,
  onChange,
}: {
  bills: readonly Bill[];
  included: readonly Id<'bil'>[];
  onChange: (next: readonly Id<'bil'>[]) => void;
}) {
  const { t } = useTranslation('plans');
  const format = useFormat();
  return (
    <Box role="group" aria-label={t('plans.form_other')}>
      <Typography variant="subtitle2" component="p">
        {t('plans.form_other')}
      </Typography>
      {bills.map(({ id, number, due }) => (
        <Box key={id}>
          <FormControlLabel
            control={
              <Checkbox
                size="small"
                checked={included.includes(id)}
                onChange={(_, isIn) =>
                  onChange(isIn ? [...included, id] : included.filter((each) => each !== id))
                }
              />
            }
            label={`${number} · ${format.money(due)}`}
          />
        </Box>
      ))}
    </Box>
  );
}

/** Proposes installments of nearly equal amounts, a month apart. */
function Split({
  today,
  due,
  onSplit,
}: {
  today: LocalDay;
  due: Money;
  onSplit: (draft: readonly DraftTerm[]) => void;
}) {
  const { t } = useTranslation('plans');
  const [first, setFirst] = useState<string>(addDays(today, 7));
  const [count, setCount] = useState('3');
  const parts = Number(count);
  const canSplit = isDay(first) && Number.isInteger(parts) && parts >= 1 && parts <= maxInstalments;
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 1.5,
        alignItems: 'start',
        gridTemplateColumns: { xs: '1fr 1fr', sm: '1fr 1.4fr auto' },
      }}
    >
      <TextBox
        name="count"
        label={t('plans.form_count')}
        help={t('plans.form_count_help')}
        inputMode="numeric"
        autoComplete="off"
        value={count}
        onChange={setCount}
      />
      <PickerBox name="first" type="date" label={t('plans.form_first')} value={first} onChange={setFirst} />
      <Button
        variant="outlined"
        disabled={!canSplit}
        sx={{ marginTop: { sm: '6px' }, gridColumn: { xs: '1 / -1', sm: 'auto' } }}
        onClick={() => isDay(first) && onSplit(splitEvenly(due, first, parts))}
      >
        {t('plans.form_split')}
      </Button>
    </Box>
  );
}

function Rows({
  draft,
  due,
  onChange,
}: {
  draft: readonly DraftTerm[];
  due: Money;
  onChange: (next: readonly DraftTerm[]) => void;
}) {
  const { t } = useTranslation('plans');
  const format = useFormat();
  const set = (at: number, part: Partial<DraftTerm>) =>
    onChange(draft.map((each, index) => (index === at ? { ...each, ...part } : each)));
  return (
    <Stack sx={{ gap: 1.5 }}>
      {draft.map((each, index) => (
        // The rows have no ids; they are only replaced as a whole.
        // oxlint-disable-next-line react/no-array-index-key
        <Box key={index} sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: '1fr 1fr' }}>
          <PickerBox
            name={`on${index}`}
            type="date"
            label={t('plans.form_date', { number: format.number(index + 1) })}
            value={each.on}
            onChange={(on) => set(index, { on })}
            required
          />
          <TextBox
            name={`amount${index}`}
            label={t('plans.form_amount', { number: format.number(index + 1) })}
            inputMode="decimal"
            start={withSymbol('', due.currency, format.language)}
            autoComplete="off"
            value={each.amount}
            onChange={(amount) => set(index, { amount })}
            required
          />
        </Box>
      ))}
    </Stack>
  );
}
