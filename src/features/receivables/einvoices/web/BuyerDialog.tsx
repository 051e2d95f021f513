// A form for the buyer of e-invoices.
import type { BuyerChoice } from '../contract.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { BuyerDraft, BuyerFields, choiceOf, typedOf, type TypedBuyer } from './BuyerFields.tsx';

export type BuyerDialogProps = {
  readonly title: string;
  readonly buyer: BuyerChoice;
  readonly offered: readonly BuyerChoice['keep'][];
  readonly done: string;
  readonly save: (buyer: BuyerChoice) => Promise<unknown>;
  readonly onClose: () => void;
};

export function BuyerDialog({ title, buyer, offered, done, save, onClose }: BuyerDialogProps) {
  const { t } = useTranslation('einvoices');
  const form = useZodForm(BuyerDraft, typedOf(buyer));
  const submit = async (typed: TypedBuyer) => {
    await save(choiceOf(typed));
    toast.success(done);
  };
  return (
    <FormDialog form={form} title={title} confirm={t('einvoices.save')} onSubmit={submit} onClose={onClose}>
      <BuyerFields form={form} offered={offered} />
    </FormDialog>
  );
}
