// What a reseller adds to its own prices, by the month in which it begins, with an example of the arithmetic.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { decimalText } from '#kernel/decimal.ts';
import { formatDecimal } from '#kernel/format-money.ts';
import { month, type BillingMonth } from '#kernel/shape.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { monthsLater } from '#platform/web/time/months.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { markUpPercent } from '#features/selling/resale/contract.ts';
import { factorOf, noMarkUps, scaled } from '#features/selling/resale/rules.ts';
import type { MarkUpTerm } from '../contract.ts';
import { resellersApi, resellersKey, resellersQueries } from './api.ts';

/** How many months ahead mark-ups can be set here. */
const monthsAhead = 12;
/** The price of the example. */
const examplePrice = '100';

export function MarkUpSection({ mayWrite }: { mayWrite: boolean }) {
  const { t } = useTranslation('resellers');
  const format = useFormat();
  const [isEditing, setIsEditing] = useState(false);
  return (
    <QueryState query={useQuery(resellersQueries.listMarkUps())}>
      {({ items, first }) => (
        <Section
          title={t('resellers.mark_ups')}
          lead={t('resellers.mark_ups_lead')}
          flush
          actions={
            mayWrite && (
              <Button variant="outlined" aria-haspopup="dialog" onClick={() => setIsEditing(true)}>
                {t('resellers.set_mark_ups')}
              </Button>
            )
          }
        >
          <PlainTable
            label={t('resellers.mark_ups')}
            heads={[t('resellers.from'), t('resellers.percent'), t('resellers.own_services')]}
            rows={(items.length === 0 ? [{ from: first, markUps: noMarkUps }] : items).map(
              ({ from, markUps }) => ({
                key: from,
                cells: [
                  format.month(from),
                  `${formatDecimal(markUps.percent)}%`,
                  String(markUps.services.length),
                ],
              }),
            )}
          />
          {isEditing && <MarkUpDialog latest={items[0]} first={first} onClose={() => setIsEditing(false)} />}
        </Section>
      )}
    </QueryState>
  );
}

const shape = z.strictObject({ from: month, percent: markUpPercent });

function MarkUpDialog({
  latest,
  first,
  onClose,
}: {
  latest: MarkUpTerm | undefined;
  first: BillingMonth;
  onClose: () => void;
}) {
  const { t } = useTranslation('resellers');
  const format = useFormat();
  const markUps = latest?.markUps ?? noMarkUps;
  const form = useZodForm(shape, { from: first, percent: markUps.percent });
  const save = useCall(resellersApi.saveMarkUps, {
    invalidates: [resellersKey()],
    onSuccess: () => toast.success(t('resellers.saved')),
  });
  const { percent } = form.watch();
  const isBusy = form.formState.isSubmitting;
  const isPercent = z.safeParse(markUpPercent, percent).success;
  return (
    <Modal open width="xs" title={t('resellers.set_mark_ups')} onClose={isBusy ? undefined : onClose}>
      <Stack sx={{ paddingBlock: 1 }}>
        <Form
          form={form}
          label={t('resellers.set_mark_ups')}
          onSubmit={async (asked) => {
            await save.mutateAsync({
              from: asked.from,
              markUps: { percent: asked.percent, services: markUps.services },
            });
            onClose();
          }}
        >
          <SelectField
            form={form}
            name="from"
            label={t('resellers.from')}
            help={t('resellers.from_help')}
            options={Array.from({ length: monthsAhead }, (_, index) => {
              const value = monthsLater(first, index);
              return { value, label: format.month(value) };
            })}
          />
          <TextField
            form={form}
            name="percent"
            label={t('resellers.percent')}
            inputMode="decimal"
            end="%"
            required
          />
          {isPercent && (
            <Typography variant="body2" color="textSecondary" role="status">
              {t('resellers.example', {
                price: examplePrice,
                factor: decimalText(factorOf(percent)),
                retail: scaled(examplePrice, factorOf(percent)),
              })}
            </Typography>
          )}
          <DialogButtons>
            <Button onClick={onClose} disabled={isBusy}>
              {t('ui.cancel')}
            </Button>
            <SubmitButton form={form} size="medium">
              {t('resellers.save')}
            </SubmitButton>
          </DialogButtons>
        </Form>
      </Stack>
    </Modal>
  );
}
