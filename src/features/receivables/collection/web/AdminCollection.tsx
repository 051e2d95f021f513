// The Admin's view of saved cards: who has cards, whether bills are charged to them, and on which days.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { firstDays, type CollectedOrganization, type CollectionPlan } from '../contract.ts';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useLive } from '#platform/web/live/live.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ActionRows } from '#platform/web/ui/ActionRows.tsx';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { collectionApi, collectionKey, collectionQueries } from './api.ts';
import { useCardName } from './card-words.ts';

const shownAtOnce = 50;

/** The organizations with saved cards. */
export function CollectedOrganizations() {
  useLive('billing', [collectionKey()]);
  const { t } = useTranslation('collection');
  const format = useFormat();
  const name = useCardName();
  const query = useQuery(collectionQueries.listCollected({ limit: shownAtOnce }));
  const [stopping, setStopping] = useState<CollectedOrganization>();
  const stop = useCall(collectionApi.stopCollection, {
    invalidates: [collectionKey()],
    onSuccess: () => toast.success(t('collection.switched_off')),
  });
  return (
    <Section title={t('collection.admin_title')} lead={t('collection.admin_lead')}>
      <QueryState query={query} skeleton={<Lines count={2} />}>
        {({ items, total }) => (
          <ActionRows
            label={t('collection.admin_title')}
            none={t('collection.admin_none')}
            more={
              total > items.length
                ? t('collection.admin_more', {
                    shown: format.number(items.length),
                    total: format.number(total),
                  })
                : undefined
            }
            rows={items.map((each) => ({
              key: each.organizationId,
              title: each.organization,
              detail: [
                each.cards.map(name).join(' · ') || t('collection.admin_no_card'),
                ...(each.stopped > 0 ? [t('collection.admin_stopped', { count: each.stopped })] : []),
              ].join(' · '),
              side: <Side each={each} onStop={() => setStopping(each)} />,
            }))}
          />
        )}
      </QueryState>
      <ConfirmDialog
        open={stopping !== undefined}
        tone="danger"
        title={t('collection.admin_stop_title', { organization: stopping?.organization ?? '' })}
        consequences={[t('collection.admin_stop_text')]}
        confirmLabel={t('collection.admin_stop')}
        onConfirm={() =>
          stopping ? stop.mutateAsync({ organizationId: stopping.organizationId }) : undefined
        }
        onClose={() => setStopping(undefined)}
      />
    </Section>
  );
}

function Side({ each, onStop }: { each: CollectedOrganization; onStop: () => void }) {
  const { t } = useTranslation('collection');
  return (
    <>
      <Typography variant="body2" color="textSecondary">
        {t(each.isOn ? 'collection.admin_on' : 'collection.admin_off')}
      </Typography>
      {each.isOn && (
        <Button
          size="small"
          aria-haspopup="dialog"
          aria-label={t('collection.admin_stop_name', { organization: each.organization })}
          onClick={onStop}
        >
          {t('collection.admin_stop')}
        </Button>
      )}
    </>
  );
}

/** The days on which cards are charged. */
export function CollectionPlanSection() {
  const { t } = useTranslation('collection');
  return (
    <Section title={t('collection.plan_title')} lead={t('collection.plan_lead')}>
      <QueryState query={useQuery(collectionQueries.collectionPlan())} skeleton={<Lines count={4} />}>
        {(plan) => <PlanForm key={JSON.stringify(plan)} plan={plan} />}
      </QueryState>
    </Section>
  );
}

const days = /^\s*(\d{1,2}(\s*[,，、]\s*\d{1,2})*)?\s*$/;
const Draft = z.strictObject({
  firstDay: z.enum(firstDays),
  daysBefore: z.string().check(z.regex(/^\s*([1-9]|[12]\d|30)\s*$/)),
  retryDays: z.string().check(z.regex(days)),
});

function PlanForm({ plan }: { plan: CollectionPlan }) {
  const { t } = useTranslation('collection');
  const form = useZodForm(Draft, {
    firstDay: plan.firstDay,
    daysBefore: String(plan.daysBefore),
    retryDays: plan.retryDays.join(', '),
  });
  const save = useCall(collectionApi.saveCollectionPlan, {
    invalidates: [collectionKey()],
    onSuccess: () => toast.success(t('collection.plan_saved')),
  });
  return (
    <Box sx={{ maxWidth: 720 }}>
      <Form
        form={form}
        onSubmit={({ firstDay, daysBefore, retryDays }) =>
          save.mutateAsync({
            firstDay,
            daysBefore: Number(daysBefore),
            retryDays: [...retryDays.matchAll(/\d+/g)].map(([each]) => Number(each)),
          })
        }
        label={t('collection.plan_title')}
      >
        <Box sx={pairs}>
          <SelectField
            form={form}
            name="firstDay"
            label={t('collection.plan_first')}
            // used as: 'collection.plan_first_*'
            options={firstDays.map((value) => ({ value, label: t(`collection.plan_first_${value}`) }))}
          />
          {form.watch('firstDay') === 'before' && (
            <TextField form={form} name="daysBefore" label={t('collection.plan_days_before')} />
          )}
          <TextField
            form={form}
            name="retryDays"
            label={t('collection.plan_retries')}
            help={t('collection.plan_retries_hint')}
          />
        </Box>
        <Box>
          <SubmitButton form={form}>{t('collection.plan_save')}</SubmitButton>
        </Box>
      </Form>
    </Box>
  );
}
