// The field for a promo code with its button: asks the server for the code's terms, or shows why it is
// rejected.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState, type KeyboardEvent } from 'react';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { finished } from '#platform/web/form/problems.ts';
import { useRequired } from '#platform/web/form/use-required.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { CheckedCode } from '../contract.ts';
import { discountsApi } from './api.ts';

export function CodeInput({
  serviceId,
  onChecked,
  autoFocus = false,
}: {
  /** The service that the code would be used with, if any. */
  serviceId?: Service['id'];
  onChecked: (checked: CheckedCode) => void;
  autoFocus?: boolean;
}) {
  const { t } = useTranslation('discounts');
  const [code, setCode] = useState('');
  const check = useCall(discountsApi.checkCode, { onSuccess: onChecked });
  const typed = code.trim();
  const required = useRequired(typed !== '');
  const apply = () => {
    if (!check.isPending && required.check()) check.mutate({ code: typed, ...(serviceId && { serviceId }) });
  };
  const { error } = check;
  const sentence = error instanceof ApiError ? (error.errors[0]?.message ?? error.message) : error?.message;
  return (
    // Enter applies the code instead of submitting the surrounding form.
    <Box
      role="presentation"
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        apply();
      }}
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr) auto',
        gap: 1,
        alignItems: 'start',
        maxWidth: 420,
      }}
    >
      <TextBox
        name="promoCode"
        label={t('discounts.promo_code')}
        autoComplete="off"
        autoFocus={autoFocus}
        value={code}
        problem={sentence === undefined ? required.problem : finished(sentence)}
        inputRef={required.input}
        onChange={(next) => {
          check.reset();
          setCode(next);
        }}
      />
      <Button variant="outlined" onClick={apply} loading={check.isPending} sx={{ height: 40 }}>
        {t('discounts.apply')}
      </Button>
    </Box>
  );
}
