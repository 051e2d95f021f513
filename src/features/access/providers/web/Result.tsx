// The result of the last sign-in or test through a provider, in a sentence that says what to fix.
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { IdentityProvider, LastResult } from '../contract.ts';

export function Result({ provider: { lastResult } }: { provider: IdentityProvider }) {
  const { t } = useTranslation('providers');
  const format = useFormat();
  const sentence = useSentence();
  if (!lastResult) return null;
  const kind = t(lastResult.isTest ? 'providers.result_test' : 'providers.result_sign_in');
  return (
    <Alert severity={lastResult.problem === null ? 'success' : 'error'} sx={{ overflowWrap: 'anywhere' }}>
      {sentence(lastResult)}
      {lastResult.isTest && lastResult.email !== '' && (
        <Typography variant="body2">
          {t('providers.result_person', {
            email: lastResult.email,
            name: lastResult.name,
            groups: format.list(lastResult.groups) || t('providers.no_groups'),
          })}
        </Typography>
      )}
      <Typography variant="caption" component="p">
        {t('providers.result_at', { kind, date: format.dateTime(lastResult.at) })}
      </Typography>
    </Alert>
  );
}

function useSentence(): (result: LastResult) => string {
  const { t } = useTranslation('providers');
  return ({ isTest, problem, detail, email, role }) => {
    if (problem === null)
      // used as: 'providers.roles_*'
      return isTest && role !== null
        ? t('providers.result_ok', { email, role: t(`providers.roles_${role}`) })
        : t('providers.last_ok');
    if (problem === 'federation.group_refused')
      return isTest ? t('providers.result_no_role', { email }) : t('providers.result_somebody');
    if (problem === 'federation.answer_late') return t('providers.result_late', { detail });
    return problem === 'federation.provider_refused'
      ? t('providers.result_provider', { detail })
      : t('providers.result_answer', { detail });
  };
}
