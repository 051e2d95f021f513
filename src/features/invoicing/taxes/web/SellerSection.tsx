// The seller's details for taxes and electronic documents, and whether VAT ids are checked.
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { optionalText } from '#kernel/shape.ts';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { TaxSettings } from '../contract.ts';
import { isBic, isIban, normalAccount } from '../rules-accounts.ts';
import { taxesApi, taxesKey, taxesQueries } from './api.ts';
import { useCountryOptions } from './countries.ts';

export function SellerSection() {
  const { t } = useTranslation('taxes');
  // Not refetched on focus, because a response could overwrite what the Admin is typing.
  const query = useQuery({ ...taxesQueries.getTaxSettings(), refetchOnWindowFocus: false });
  return (
    <Section title={t('taxes.seller')} lead={t('taxes.seller_lead')}>
      <QueryState query={query} skeleton={<Lines count={4} />}>
        {(settings) => <SellerForm key={JSON.stringify(settings)} settings={settings} />}
      </QueryState>
    </Section>
  );
}

// VAT id and electronic address are validated by the server; otherwise every page would load their rules.
const account = (isRight: (normal: string) => boolean, message: string) =>
  z
    .string()
    .check(z.refine((typed) => normalAccount(typed) === '' || isRight(normalAccount(typed)), message));
const shape = z.strictObject({
  country: z.string(),
  vatId: optionalText(40),
  iban: account(isIban, 'taxes.iban_wrong'),
  bic: account(isBic, 'taxes.bic_wrong'),
  electronicAddress: optionalText(90),
  isViesOn: z.boolean(),
});

function SellerForm({ settings }: { settings: TaxSettings }) {
  const { t } = useTranslation('taxes');
  const form = useZodForm(shape, { ...settings.seller, isViesOn: settings.isViesOn });
  const save = useCall(taxesApi.saveTaxSettings, {
    invalidates: [taxesKey()],
    onSuccess: () => toast.success(t('taxes.saved')),
  });
  return (
    <Box sx={{ maxWidth: 760 }}>
      <Form
        form={form}
        label={t('taxes.seller')}
        onSubmit={async (typed) => {
          await save.mutateAsync(typed);
        }}
      >
        <Box sx={pairs}>
          <SelectField
            form={form}
            name="country"
            label={t('taxes.seller_country')}
            help={t('taxes.seller_country_help')}
            options={useCountryOptions(t('taxes.seller_country_none'))}
          />
          <TextField
            form={form}
            name="vatId"
            label={t('taxes.seller_vat_id')}
            help={t('taxes.seller_vat_id_help')}
            autoComplete="off"
          />
          <TextField
            form={form}
            name="iban"
            label={t('taxes.iban')}
            help={t('taxes.iban_help')}
            autoComplete="off"
          />
          <TextField form={form} name="bic" label={t('taxes.bic')} autoComplete="off" />
          <TextField
            form={form}
            name="electronicAddress"
            label={t('taxes.electronic_address')}
            help={t('taxes.electronic_address_help')}
            autoComplete="off"
          />
        </Box>
        <CheckField
          form={form}
          name="isViesOn"
          as="switch"
          label={t('taxes.vies')}
          help={t('taxes.vies_help')}
        />
        <Box>
          <SubmitButton form={form}>{t('taxes.save')}</SubmitButton>
        </Box>
      </Form>
    </Box>
  );
}
