// The user's own passkeys: added, renamed, removed.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Passkey } from '../contract.ts';
import { identityKey } from '#features/access/identity/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { signinApi, signinKey, signinQueries } from './api.ts';
import { NameDialog } from './NameDialog.tsx';
import { canUsePasskeys } from './passkey-support.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';

type Open = { readonly kind: 'add' } | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey };

/** Loaded when the first passkey is created. */
const makePasskey = async (name: string) => (await import('./passkey-calls.ts')).makePasskey(name);

export function PasskeyList() {
  const { t } = useTranslation('signin');
  const mainAddress = useBrand((brand) => brand.mainAddress);
  const passkeys = useQuery(signinQueries.listPasskeys());
  const [open, setOpen] = useState<Open>();
  const [codes, setCodes] = useState<readonly string[]>();
  const changed = {
    invalidates: [signinKey('listPasskeys'), signinKey('twoFactor'), identityKey('profile')],
  };
  const make = useCall(makePasskey, changed);
  const rename = useCall(signinApi.renamePasskey, changed);
  const remove = useCall(signinApi.removePasskey, changed);
  const add = async (name: string) => {
    const made = await make.mutateAsync(name);
    if (!made) return void toast.info(t('signin.passkey_cancelled'));
    toast.success(t('signin.passkey_added', { name }));
    if (made.recoveryCodes) setCodes(made.recoveryCodes);
  };
  if (codes) return <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />;
  return (
    <Box sx={{ display: 'grid', gap: 1.5, justifyItems: 'start' }}>
      <Typography variant="body2" color="textSecondary">
        {t('signin.passkeys_lead')}
      </Typography>
      <QueryState query={passkeys}>{({ items }) => <Rows items={items} onOpen={setOpen} />}</QueryState>
      {mainAddress !== null ? (
        <Alert severity="info">{t('signin.passkeys_at_main', { address: mainAddress })}</Alert>
      ) : canUsePasskeys() ? (
        <Button aria-haspopup="dialog" variant="outlined" onClick={() => setOpen({ kind: 'add' })}>
          {t('signin.passkey_add')}
        </Button>
      ) : (
        <Alert severity="info">{t('signin.passkeys_impossible')}</Alert>
      )}
      {open?.kind === 'add' && (
        <NameDialog
          title={t('signin.passkey_add')}
          confirmLabel={t('signin.passkey_make')}
          initial=""
          onName={add}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === 'rename' && (
        <NameDialog
          title={t('signin.passkey_rename')}
          confirmLabel={t('signin.passkey_rename')}
          initial={open.passkey.name}
          onName={(name) => rename.mutateAsync({ passkeyId: open.passkey.id, name })}
          onClose={() => setOpen(undefined)}
        />
      )}
      <ConfirmDialog
        open={open?.kind === 'remove'}
        title={t('signin.passkey_remove_ask', { name: open?.kind === 'remove' ? open.passkey.name : '' })}
        consequences={[t('signin.passkey_remove_then')]}
        confirmLabel={t('signin.passkey_remove')}
        tone="danger"
        onConfirm={async () => {
          if (open?.kind === 'remove') await remove.mutateAsync({ passkeyId: open.passkey.id });
          toast.success(t('signin.passkey_removed'));
        }}
        onClose={() => setOpen(undefined)}
      />
    </Box>
  );
}

function Rows({ items, onOpen }: { items: readonly Passkey[]; onOpen: (open: Open) => void }) {
  const { t } = useTranslation('signin');
  const format = useFormat();
  if (items.length === 0) return <Typography variant="body2">{t('signin.passkeys_none')}</Typography>;
  return (
    <List disablePadding sx={{ width: '100%' }}>
      {items.map((passkey) => (
        <ListItem key={passkey.id} disableGutters divider sx={{ flexWrap: 'wrap', gap: 1 }}>
          <ListItemText
            primary={passkey.name}
            secondary={`${t('signin.passkey_made', { when: format.dateTime(passkey.createdAt) })} · ${passkey.lastUsedAt ? t('signin.passkey_used', { when: format.dateTime(passkey.lastUsedAt) }) : t('signin.passkey_unused')}`}
            slotProps={{ primary: { variant: 'body2' }, secondary: { variant: 'caption' } }}
          />
          <Button
            aria-haspopup="dialog"
            size="small"
            aria-label={t('signin.passkey_rename_named', { name: passkey.name })}
            onClick={() => onOpen({ kind: 'rename', passkey })}
          >
            {t('signin.passkey_rename')}
          </Button>
          <Button
            aria-haspopup="dialog"
            size="small"
            color="error"
            aria-label={t('signin.passkey_remove_named', { name: passkey.name })}
            onClick={() => onOpen({ kind: 'remove', passkey })}
          >
            {t('signin.passkey_remove')}
          </Button>
        </ListItem>
      ))}
    </List>
  );
}
