// A new commitment: with whom, its term and amounts, rates and scope, with all of it as a sentence while it is typed.
import { inLanguage } from '#kernel/language.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
import type { Id } from '#kernel/ids.ts';
import { OrganizationField } from '#features/access/identity/web/parts.ts';
import { chargesOf, ChargesField, ServicesField } from '#features/invoicing/credit-grants/web/parts.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { CheckField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { AmountFields, Pair, type CommitmentForm } from './AmountFields.tsx';
import { commitmentsApi, commitmentsKey } from './api.ts';
import {
  commitmentFields,
  commitmentInput,
  emptyFields,
  typedTerms,
  type CommitmentFields,
} from './commitment-fields.ts';
import { useCommitmentWords } from './commitment-words.ts';

const formId = 'commitment';

export function NewCommitmentPanel({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (commitmentId: Id<'cmt'>) => void;
}) {
  const { t } = useTranslation('commitments');
  const { language } = useFormat();
  const form = useZodForm(commitmentFields, emptyFields(useBrand((brand) => brand.currency)));
  const make = useCall(commitmentsApi.makeCommitment, { invalidates: [commitmentsKey()] });
  const submit = async (fields: CommitmentFields) => {
    const made = await make.mutateAsync(commitmentInput(fields));
    toast.success(
      t('commitments.made', { name: inLanguage(made.name, language), organization: made.organization }),
    );
    form.reset(form.getValues());
    onMade(made.id);
  };
  return (
    <SidePanel
      open
      title={t('commitments.make')}
      width={680}
      onClose={onClose}
      unsaved={form.formState.isDirty && !form.formState.isSubmitSuccessful}
      footer={
        <>
          <Button onClick={onClose} disabled={form.formState.isSubmitting}>
            {t('ui.cancel')}
          </Button>
          <SubmitButton form={form} formId={formId} size="medium">
            {t('commitments.make_submit')}
          </SubmitButton>
        </>
      }
    >
      <Form form={form} onSubmit={submit} id={formId} label={t('commitments.make')}>
        <Part title={t('commitments.part_who')}>
          <OrganizationField
            form={form}
            name="organization"
            label={t('commitments.column_organization')}
            required
          />
          <Pair>
            <TextField form={form} name="zhTW" label={t('commitments.name_zh')} autoComplete="off" required />
            <TextField form={form} name="enUS" label={t('commitments.name_en')} autoComplete="off" required />
          </Pair>
        </Part>
        <Part title={t('commitments.part_amount')}>
          <AmountFields form={form} />
        </Part>
        <Part title={t('commitments.part_price')}>
          <PriceFields form={form} />
        </Part>
        <TextField
          form={form}
          name="note"
          label={t('commitments.column_note')}
          help={t('commitments.note_help')}
          rows={2}
        />
        <Sentence fields={form.watch()} />
      </Form>
    </SidePanel>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <Box component="section" aria-labelledby={heading} sx={{ display: 'grid', gap: '12px', marginBottom: 2 }}>
      <Typography id={heading} variant="h3">
        {title}
      </Typography>
      {children}
    </Box>
  );
}

function PriceFields({ form }: { form: CommitmentForm }) {
  const { t } = useTranslation('commitments');
  return (
    <>
      <Pair>
        <TextField
          form={form}
          name="committedPercent"
          label={t('commitments.committed_percent')}
          help={t('commitments.committed_percent_help')}
          inputMode="decimal"
          end="%"
          autoComplete="off"
          required
        />
        <TextField
          form={form}
          name="overagePercent"
          label={t('commitments.overage_percent')}
          help={t('commitments.overage_percent_help')}
          inputMode="decimal"
          end="%"
          autoComplete="off"
          required
        />
      </Pair>
      <ServicesField
        form={form}
        name="services"
        label={t('commitments.services')}
        help={t('commitments.services_help')}
      />
      <ChargesField form={form} name="charges" services="services" />
      <CheckField form={form} name="usageOnly" label={t('commitments.usage_only_field')} />
    </>
  );
}

/** What the typed terms mean; where there is room it stays in sight while one types above. */
function Sentence({ fields }: { fields: CommitmentFields }) {
  const { t } = useTranslation('commitments');
  const format = useFormat();
  const words = useCommitmentWords();
  const now = monthNow(useBrand((brand) => brand.timeZone));
  const terms = typedTerms(fields);
  return (
    <Alert
      severity="info"
      role="status"
      sx={{
        '@media (min-height: 640px)': { position: 'sticky', bottom: { xs: '-16px', sm: '-24px' }, zIndex: 1 },
      }}
    >
      <strong>{t('commitments.sentence')}</strong>{' '}
      {terms
        ? format.sentences(
            t('commitments.sentence_whole', {
              month: format.month(terms.startsOn ?? now),
              count: terms.months,
              amount: words.atLeast(terms.period, terms.amounts),
              rates: words.rates(terms),
            }),
            t('commitments.sentence_scope', {
              scope: words.scope({
                services: fields.services.length === 0 ? null : fields.services,
                charges:
                  chargesOf(fields.services, fields.charges)?.map((charge) => ({
                    ...charge,
                    name: { zhTW: charge.chargeKey, enUS: charge.chargeKey },
                  })) ?? null,
                usageOnly: fields.usageOnly,
              }),
            }),
          )
        : t('commitments.sentence_open')}
    </Alert>
  );
}
