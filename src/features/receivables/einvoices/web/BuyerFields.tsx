// The buyer of an e-invoice: a company with its tax id, or a consumer and where the consumer stores it.
import * as z from 'zod/mini';
import { keeps, type BuyerChoice } from '../contract.ts';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { buyerMistakes, tidyCode } from '../rules.ts';

/** The fields as typed. */
export const buyerShape = {
  as: z.enum(['company', 'consumer']),
  taxId: z.string(),
  name: z.string(),
  keep: z.enum(keeps),
  code: z.string(),
};
const Typed = z.strictObject(buyerShape);
export type TypedBuyer = z.output<typeof Typed>;

/** The typed choice; fields of the other kind of buyer are ignored. */
export function choiceOf({ as, taxId, name, keep, code }: TypedBuyer): BuyerChoice {
  return as === 'company'
    ? { taxId: taxId.trim(), name: name.trim(), keep: 'paper', code: '' }
    : { taxId: '', name: '', keep, code: tidyCode(code) };
}
/** Reports invalid values at their fields. */
export function checkBuyer(context: z.core.ParsePayload<TypedBuyer>): void {
  const typed = context.value;
  const choice = choiceOf(typed);
  const wrong =
    typed.as === 'company' && choice.taxId === ''
      ? [{ field: 'taxId', code: 'einvoices.tax_id_wrong' }]
      : buyerMistakes(choice);
  for (const { field, code } of wrong)
    context.issues.push({ code: 'custom', input: typed, path: [field], message: code });
}
export const BuyerDraft = Typed.check(z.check(checkBuyer));

export const typedOf = (choice: BuyerChoice): TypedBuyer => ({
  as: choice.taxId === '' ? 'consumer' : 'company',
  taxId: choice.taxId,
  name: choice.name,
  keep: choice.taxId === '' ? choice.keep : 'member',
  code: choice.code,
});

type Keeps = { /** Where it can be stored. */ readonly offered: readonly BuyerChoice['keep'][] };

export function BuyerFields<In extends TypedBuyer, Sent>({
  form,
  offered,
}: { form: FormOf<In, Sent> } & Keeps) {
  const { t } = useTranslation('einvoices');
  const names = form as unknown as FormOf<TypedBuyer, Sent>;
  const kind = names.watch('as');
  return (
    <>
      <SelectField
        form={names}
        name="as"
        label={t('einvoices.for_whom')}
        options={[
          { value: 'consumer', label: t('einvoices.for_consumer') },
          { value: 'company', label: t('einvoices.for_company') },
        ]}
      />
      {kind === 'company' ? (
        <>
          <TextField form={names} name="taxId" label={t('einvoices.tax_id')} inputMode="numeric" required />
          <TextField form={names} name="name" label={t('einvoices.company_name')} required />
        </>
      ) : (
        <KeepFields form={names} offered={offered} />
      )}
    </>
  );
}

/** Where a consumer's e-invoice is stored. */
export function KeepFields<In extends Pick<TypedBuyer, 'keep' | 'code'>, Sent>({
  form,
  offered,
}: { form: FormOf<In, Sent> } & Keeps) {
  const { t } = useTranslation('einvoices');
  const names = form as unknown as FormOf<Pick<TypedBuyer, 'keep' | 'code'>, Sent>;
  const keep = names.watch('keep');
  // used as: 'einvoices.keep_*', 'einvoices.code_*'
  return (
    <>
      <SelectField
        form={names}
        name="keep"
        label={t('einvoices.keep')}
        options={offered.map((one) => ({ value: one, label: t(`einvoices.keep_${one}`) }))}
        {...(keep === 'member' && { help: t('einvoices.keep_member_hint') })}
      />
      {(keep === 'mobile' || keep === 'citizen' || keep === 'donate') && (
        <TextField
          form={names}
          name="code"
          label={t(`einvoices.code_${keep}`)}
          help={t(`einvoices.code_${keep}_hint`)}
          autoComplete="off"
          required
        />
      )}
    </>
  );
}
