import Alert from '@mui/material/Alert';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { TickBox } from '#platform/web/form/TickBox.tsx';
import type { Required } from '#platform/web/form/use-required.ts';

/** States that a service is in beta, and asks for the required consent. */
export function BetaNotice({
  isAccepted,
  required,
  onChange,
}: {
  readonly isAccepted: boolean;
  readonly required: Required;
  readonly onChange: (isAccepted: boolean) => void;
}) {
  const { t } = useTranslation('subscriptions');
  return (
    <Alert severity="info">
      {t('subscriptions.beta_notice')}
      <TickBox
        name="acceptsBeta"
        label={t('subscriptions.beta_accept')}
        isOn={isAccepted}
        problem={required.problem}
        inputRef={required.input}
        onChange={onChange}
      />
    </Alert>
  );
}
