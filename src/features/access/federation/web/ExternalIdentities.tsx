// The external accounts with which a user signs in: list, link, unlink (profile).
import LinkOutlined from '~icons/ic/outline-link';
import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import type { ExternalIdentity } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { federationApi, federationKey, federationQueries, optionsQuery } from './api.ts';
import { GoogleSlot } from './GoogleSlot.tsx';
import { LinkDialog } from './LinkDialog.tsx';
import { problemOf } from './problem.ts';

export function ExternalIdentities() {
  const { t } = useTranslation('federation');
  const identities = useQuery(federationQueries.externalIdentities());
  return (
    <Stack sx={{ gap: 2 }}>
      <Typography variant="body2" color="textSecondary">
        {t('federation.identities_lead')}
      </Typography>
      <QueryState query={identities}>
        {({ items }) =>
          items.length === 0 ? (
            <Typography variant="body2">{t('federation.identities_none')}</Typography>
          ) : (
            <List disablePadding>
              {items.map((identity) => (
                <Linked key={identity.id} identity={identity} />
              ))}
            </List>
          )
        }
      </QueryState>
      <WaysToLink />
    </Stack>
  );
}

function Linked({ identity }: { identity: ExternalIdentity }) {
  const { t } = useTranslation('federation');
  const format = useFormat();
  const unlink = useCall(federationApi.unlinkIdentity, {
    invalidates: [federationKey('externalIdentities')],
    onSuccess: () => toast.success(t('federation.unlinked_done')),
    onError: toast.failure,
  });
  // used as: 'federation.source_*'
  const name = `${t(`federation.source_${identity.source}`)} ${identity.email}`;
  return (
    <ListItem
      disableGutters
      secondaryAction={
        <Button
          size="small"
          variant="outlined"
          loading={unlink.isPending}
          aria-label={t('federation.unlink_named', { name })}
          onClick={() => unlink.mutate({ identityId: identity.id })}
        >
          {t('federation.unlink')}
        </Button>
      }
      sx={{ '& .MuiListItemSecondaryAction-root': { insetInlineEnd: 0 }, paddingInlineEnd: '112px' }}
    >
      <ListItemIcon sx={{ minWidth: 36 }}>
        <LinkOutlined aria-hidden />
      </ListItemIcon>
      <ListItemText
        primary={name}
        secondary={t('federation.linked_on', { date: format.date(identity.linkedAt) })}
        slotProps={{
          primary: { variant: 'body2', sx: { overflowWrap: 'anywhere' } },
          secondary: { variant: 'caption' },
        }}
      />
    </ListItem>
  );
}

/** The configured providers; Google's token waits here for the owner's proof. */
function WaysToLink() {
  const { t } = useTranslation('federation');
  const { pathname, search } = useLocation();
  const { data: options } = useQuery(optionsQuery());
  const [idToken, setIdToken] = useState<string>();
  const link = useCall(federationApi.linkIdentity, { invalidates: [federationKey('externalIdentities')] });
  if (idToken !== undefined) {
    const prove = async (proof: { password: string; otp?: string }) => {
      await link.mutateAsync({ source: 'google', token: idToken, ...proof });
      setIdToken(undefined);
      toast.success(t('federation.linked_done'));
    };
    return (
      <LinkDialog
        lead={t('federation.link_prove')}
        confirmLabel={t('federation.link_google')}
        onProve={prove}
        onCancel={() => setIdToken(undefined)}
      />
    );
  }
  const leave = async () => {
    try {
      const { startProviderSignIn } = await import('./provider.ts');
      await startProviderSignIn({ returnTo: pathname + search, purpose: 'link' });
    } catch (error) {
      const problem = problemOf(error);
      toast.error('key' in problem ? t(problem.key) : problem.sentence);
    }
  };
  return (
    <Stack sx={{ gap: 1, maxWidth: 400 }}>
      {options?.google && (
        <GoogleSlot
          onCredential={(token) =>
            token === undefined ? toast.error(t('federation.google_failed')) : setIdToken(token)
          }
        />
      )}
      {options?.oidc && (
        <Button variant="outlined" onClick={() => void leave()}>
          {t('federation.link_oidc')}
        </Button>
      )}
    </Stack>
  );
}
