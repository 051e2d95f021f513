// A form for whom e-invoices are made out to.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import type { BuyerChoice } from '../contract.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
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
    onClose();
  };
  return (
    <Modal open width="xs" title={title} onClose={form.formState.isSubmitting ? undefined : onClose}>
      <Stack sx={{ paddingBlock: 1 }}>
        <Form form={form} onSubmit={submit} label={title}>
          <BuyerFields form={form} offered={offered} />
          <DialogButtons>
            <Button onClick={onClose} disabled={form.formState.isSubmitting}>
              {t('ui.cancel')}
            </Button>
            <SubmitButton form={form} size="medium">
              {t('einvoices.save')}
            </SubmitButton>
          </DialogButtons>
        </Form>
      </Stack>
    </Modal>
  );
}
