// Sets up an authenticator: the seed as QR code and text, then a code as proof that it works.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { identityKey } from '#features/access/identity/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import { signinApi, signinKey } from './api.ts';
import { CodeForm } from './CodeForm.tsx';
import { QrCode } from './QrCode.tsx';

const inGroups = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

export function Enrolment({
  onDone,
  onCancel,
}: {
  onDone: (codes: readonly string[]) => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation('signin');
  // Each opening gets a new seed, and no copy of it stays in the cache.
  const seed = useQuery({
    queryKey: ['signin', 'seed'],
    queryFn: () => signinApi.startTwoFactor(),
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    retry: false,
  });
  const confirm = useCall(signinApi.confirmTwoFactor, {
    invalidates: [signinKey('twoFactor'), identityKey('profile')],
  });
  return (
    <QueryState query={seed}>
      {({ secret, uri }) => (
        <Box sx={{ display: 'grid', gap: 2, maxWidth: 440 }}>
          <Typography variant="body2">{t('signin.enrol_scan')}</Typography>
          <QrCode text={uri} label={t('signin.enrol_qr')} />
          <Box>
            <Typography variant="body2" sx={{ marginBottom: 0.5 }}>
              {t('signin.enrol_type')}
            </Typography>
            <Secret text={inGroups(secret)} label={t('signin.copy_seed')} />
            <Button size="small" href={uri} sx={{ marginTop: 0.5 }}>
              {t('signin.enrol_open')}
            </Button>
          </Box>
          <Typography variant="body2">{t('signin.enrol_confirm')}</Typography>
          <CodeForm
            submitLabel={t('signin.confirm_authenticator')}
            onCode={async (otp) => onDone((await confirm.mutateAsync({ otp })).recoveryCodes)}
            onCancel={onCancel}
          />
        </Box>
      )}
    </QueryState>
  );
}
