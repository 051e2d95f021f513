// Enters a promo code: first shows its terms, then redeems it.
import { inLanguage } from '#kernel/language.ts';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { useCall } from '#platform/web/api/queries.ts';
import { FormError } from '#platform/web/form/FormError.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import type { CheckedCode } from '../contract.ts';
import { discountsApi, discountsKey } from './api.ts';
import { AppliedCode } from './AppliedCode.tsx';
import { CodeInput } from './CodeInput.tsx';

export function EnterCodeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('discounts');
  const { language } = useFormat();
  const [checked, setChecked] = useState<CheckedCode>();
  const redeem = useCall(discountsApi.redeemCode, {
    invalidates: [discountsKey()],
    onSuccess: ({ name }) => {
      toast.success(t('discounts.redeemed', { name: inLanguage(name, language) }));
      onClose();
    },
  });
  return (
    <Modal
      open
      width="xs"
      title={t('discounts.enter_title')}
      onClose={redeem.isPending ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={redeem.isPending}>
            {t('ui.cancel')}
          </Button>
          {checked && (
            <Button
              variant="contained"
              loading={redeem.isPending}
              onClick={() => redeem.mutate({ code: checked.code })}
              autoFocus
            >
              {t('discounts.redeem')}
            </Button>
          )}
        </>
      }
    >
      <Stack sx={{ paddingBlock: 1, gap: 1 }}>
        <FormError sentence={redeem.error?.message} />
        {checked ? (
          <AppliedCode
            checked={checked}
            onRemove={() => {
              redeem.reset();
              setChecked(undefined);
            }}
          />
        ) : (
          <CodeInput onChecked={setChecked} autoFocus />
        )}
      </Stack>
    </Modal>
  );
}
