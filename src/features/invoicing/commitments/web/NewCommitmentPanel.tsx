// The form of a new commitment: the organization, term, amounts, rates and scope, with a summary as a
// sentence while typing.
import { inLanguage } from '#kernel/language.ts';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import type { Id } from '#kernel/ids.ts';
import { OrganizationField } from '#features/access/identity/web/parts.ts';
import { chargesOf, ChargesField, ServicesField } from '#features/invoicing/credit-grants/web/parts.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FieldGroup, pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { CheckField } from '#platform/web/form/SelectField.tsx';
import { PercentField, TextField } from '#platform/web/form/TextField.tsx';
import { TypedSentence } from '#platform/web/form/TypedSentence.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { AmountFields, type CommitmentForm } from './AmountFields.tsx';
import { commitmentsApi, commitmentsKey } from './api.ts';
import {
  commitmentFields,
  commitmentInput,
  emptyFields,
  typedTerms,
  type CommitmentFields,
} from './commitment-fields.ts';
import { useCommitmentWords } from './commitment-words.ts';

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
    <FormPanel
      form={form}
      title={t('commitments.make')}
      width={680}
      submitLabel={t('commitments.make_submit')}
      onSubmit={submit}
      onClose={onClose}
    >
      <FieldGroup title={t('commitments.part_who')}>
        <Box sx={pairs}>
          <Box sx={whole}>
            <OrganizationField
              form={form}
              name="organization"
              label={t('commitments.column_organization')}
              required
            />
          </Box>
          <TextField form={form} name="zhTW" label={t('commitments.name_zh')} autoComplete="off" required />
          <TextField form={form} name="enUS" label={t('commitments.name_en')} autoComplete="off" required />
        </Box>
      </FieldGroup>
      <FieldGroup title={t('commitments.part_amount')}>
        <AmountFields form={form} />
      </FieldGroup>
      <FieldGroup title={t('commitments.part_price')}>
        <PriceFields form={form} />
      </FieldGroup>
      <TextField
        form={form}
        name="note"
        label={t('commitments.column_note')}
        help={t('commitments.note_help')}
        rows={2}
      />
      <Sentence fields={form.watch()} />
    </FormPanel>
  );
}

function PriceFields({ form }: { form: CommitmentForm }) {
  const { t } = useTranslation('commitments');
  return (
    <Stack sx={{ gap: 1.5 }}>
      <Box sx={pairs}>
        <PercentField
          form={form}
          name="committedPercent"
          label={t('commitments.committed_percent')}
          help={t('commitments.committed_percent_help')}
          required
        />
        <PercentField
          form={form}
          name="overagePercent"
          label={t('commitments.overage_percent')}
          help={t('commitments.overage_percent_help')}
          required
        />
      </Box>
      <ServicesField
        form={form}
        name="services"
        label={t('commitments.services')}
        help={t('commitments.services_help')}
      />
      <ChargesField form={form} name="charges" services="services" />
      <CheckField form={form} name="usageOnly" label={t('commitments.usage_only_field')} />
    </Stack>
  );
}

/** The meaning of the typed terms. */
function Sentence({ fields }: { fields: CommitmentFields }) {
  const { t } = useTranslation('commitments');
  const format = useFormat();
  const words = useCommitmentWords();
  const now = monthNow(useBrand((brand) => brand.timeZone));
  const terms = typedTerms(fields);
  return (
    <TypedSentence title={t('commitments.sentence')}>
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
    </TypedSentence>
  );
}
