// Signs in with a passkey; shown if passkeys can work.
import KeyOutlined from '~icons/ic/outline-key';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { signIn } from '#platform/web/session/session.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { rememberMethod } from './last-method.ts';
import { LastUsed } from './LastUsed.tsx';
import { canUsePasskeys } from './passkey-support.ts';

export function PasskeyButton() {
  const { t } = useTranslation('signin');
  const [isBusy, setIsBusy] = useState(false);
  if (!canUsePasskeys()) return null;
  const start = async () => {
    setIsBusy(true);
    try {
      const { signInWithPasskey } = await import('./passkey-calls.ts');
      const answer = await signInWithPasskey();
      if (!answer) return toast.info(t('signin.passkey_cancelled'));
      signIn(answer);
      rememberMethod('passkey');
      toast.success(t('auth.login_success'));
    } catch (error) {
      toast.failure(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <LastUsed method="passkey">
      <Button
        variant="outlined"
        size="large"
        fullWidth
        startIcon={<KeyOutlined />}
        loading={isBusy}
        onClick={() => void start()}
      >
        {t('signin.passkey_login')}
      </Button>
    </LastUsed>
  );
}
