// Sign-in through a company's identity provider: asks for the work address, whose domain selects the
// provider.
import BusinessOutlined from '~icons/ic/outline-business';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useState, type FormEvent } from 'react';
import { useSearchParams } from 'react-router';
import { asError } from '#kernel/errors.ts';
import { LastUsed } from '#features/access/signin/web/parts.ts';
import { finished } from '#platform/web/form/problems.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { federationApi } from './api.ts';

export function CompanyButton() {
  const { t } = useTranslation('federation');
  const [params] = useSearchParams();
  const [email, setEmail] = useState<string>();
  const [state, setState] = useState<{ isBusy: boolean; problem?: string }>({ isBusy: false });
  if (email === undefined)
    return (
      <LastUsed method="company">
        <Button
          variant="outlined"
          size="large"
          fullWidth
          startIcon={<BusinessOutlined />}
          onClick={() => setEmail('')}
        >
          {t('federation.company')}
        </Button>
      </LastUsed>
    );
  const leave = async () => {
    setState({ isBusy: true });
    const returnTo = params.get('returnTo');
    try {
      const { url } = await federationApi.startCompanySignIn({
        email,
        ...(returnTo !== null && { returnTo }),
      });
      location.assign(url);
    } catch (error) {
      setState({ isBusy: false, problem: asError(error).message });
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!state.isBusy && email.trim() !== '') void leave();
  };
  return (
    <Stack component="form" noValidate aria-label={t('federation.company')} onSubmit={submit} sx={{ gap: 1 }}>
      <TextBox
        name="company-email"
        type="email"
        label={t('federation.company_email')}
        help={t('federation.company_hint')}
        value={email}
        onChange={setEmail}
        autoComplete="email"
        inputMode="email"
        autoFocus
        required
        problem={state.problem === undefined ? undefined : finished(state.problem)}
      />
      <Stack direction="row" sx={{ gap: 1, justifyContent: 'flex-end' }}>
        <Button onClick={() => setEmail(undefined)} disabled={state.isBusy}>
          {t('federation.company_back')}
        </Button>
        <Button type="submit" variant="contained" loading={state.isBusy}>
          {t('federation.company_continue')}
        </Button>
      </Stack>
    </Stack>
  );
}
