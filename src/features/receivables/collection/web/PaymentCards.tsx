// The saved cards, and whether bills are charged to the default one; opened from the balance. A card counts
// when the provider reports it, not when its owner returns.
import CreditCardOutlined from '~icons/ic/outline-credit-card';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { menuRole } from '#kernel/roles.ts';
import type { PaymentCards as Cards, SavedCard } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { RowMenu } from '#platform/web/ui/RowMenu.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { collectionApi, collectionKey, collectionQueries } from './api.ts';
import { AddCard } from './AddCard.tsx';
import { enterableWith } from './enterable-with.ts';
import { useCardName } from './card-words.ts';

/** Only members with the role User manage the organization's cards; others only see them. */
const useMayManage = (): boolean =>
  useAuthStore((auth) => auth.isAuthenticated && menuRole(auth.user?.role) === 'User');

/** A button beside the balance that opens the cards; already open after the provider's page. */
export function PaymentCards() {
  const { t } = useTranslation('collection');
  const query = useQuery(collectionQueries.listCards());
  useLive('bills', [collectionKey()]);
  const [back, setBack] = useParam('card');
  const [cancelled, setCancelled] = useParam('cardCancelled');
  const [isOpen, setOpen] = useState(false);
  const { isAdding, isEntering, setAdding, onLeft } = useAdding();
  // Without a provider that stores cards there is nothing to manage.
  if (!query.data || (!query.data.isOffered && query.data.cards.length === 0)) return null;
  const isBack = back !== undefined || cancelled !== undefined;
  const close = (): void => {
    setOpen(false);
    setAdding(false);
    if (back !== undefined) setBack(undefined, { replace: true });
    if (cancelled !== undefined) setCancelled(undefined, { replace: true });
  };
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<CreditCardOutlined />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('collection.title')}
      </Button>
      <Modal
        open={isOpen || isBack}
        width="sm"
        title={t(isAdding ? 'collection.add_title' : 'collection.title')}
        onClose={close}
      >
        {isAdding ? (
          <AddCard found={query.data} onLeft={onLeft} />
        ) : (
          <Stack sx={{ gap: 2, paddingBottom: 2 }}>
            {(isBack || isEntering) && <Entered isCancelled={cancelled !== undefined} />}
            <Content found={query.data} onAdd={() => setAdding(true)} />
          </Stack>
        )}
      </Modal>
    </>
  );
}

/**
 * Adding a card: consent is requested here, then the card is entered at its provider, or in a separate tab if
 * the app is embedded in a frame.
 */
function useAdding() {
  const [step, setStep] = useState<'none' | 'consent' | 'entry'>('none');
  return {
    isAdding: step === 'consent',
    isEntering: step === 'entry',
    setAdding: (isAdding: boolean) => setStep(isAdding ? 'consent' : 'none'),
    onLeft: () => setStep('entry'),
  };
}

function Entered({ isCancelled }: { readonly isCancelled: boolean }) {
  const { t } = useTranslation('collection');
  return (
    <Alert severity="info" role="status">
      {t(isCancelled ? 'collection.cancelled' : 'collection.returned')}
    </Alert>
  );
}

/** The cards as a separate page, if there is a provider that stores cards. */
export function CardsContent() {
  const { t } = useTranslation('collection');
  const query = useQuery(collectionQueries.listCards());
  useLive('bills', [collectionKey()]);
  const { isAdding, isEntering, setAdding, onLeft } = useAdding();
  return (
    <QueryState query={query} skeleton={<Lines count={3} />}>
      {(found) =>
        isAdding ? (
          <AddCard found={found} onLeft={onLeft} />
        ) : found.isOffered || found.cards.length > 0 ? (
          <Stack sx={{ gap: 2 }}>
            {isEntering && <Entered isCancelled={false} />}
            <Content found={found} onAdd={() => setAdding(true)} />
          </Stack>
        ) : (
          <Typography variant="body2">{t('collection.none')}</Typography>
        )
      }
    </QueryState>
  );
}

function Content({ found, onAdd }: { found: Cards; onAdd: () => void }) {
  const { t } = useTranslation('collection');
  const mayManage = useMayManage();
  return (
    <>
      {found.cards.length === 0 ? (
        <Box>
          <Typography variant="body2">{t('collection.none')}</Typography>
          {mayManage && (
            <Typography variant="caption" component="p" color="textSecondary">
              {t('collection.none_hint')}
            </Typography>
          )}
        </Box>
      ) : (
        <CardRows found={found} mayManage={mayManage} />
      )}
      {mayManage && enterableWith(found).length > 0 && (
        <Box>
          <AddButton variant="outlined" onClick={onAdd}>
            {t('collection.add')}
          </AddButton>
        </Box>
      )}
      <AutomaticCharge found={found} mayManage={mayManage} />
    </>
  );
}

function CardRows({ found, mayManage }: { found: Cards; mayManage: boolean }) {
  const { t } = useTranslation('collection');
  const name = useCardName();
  const [removing, setRemoving] = useState<SavedCard>();
  const makeDefault = useCall(collectionApi.setDefaultCard, {
    invalidates: [collectionKey()],
    onSuccess: () => toast.success(t('collection.now_default')),
    onError: (error) => toast.error(error.message),
  });
  const remove = useCall(collectionApi.removeCard, {
    invalidates: [collectionKey()],
    onSuccess: () => toast.success(t('collection.removed')),
  });
  const isOnly = found.cards.length === 1;
  return (
    <>
      <Box
        component="ul"
        aria-label={t('collection.title')}
        sx={{ listStyle: 'none', margin: 0, padding: 0 }}
      >
        {found.cards.map((card) => (
          <Box
            component="li"
            key={card.id}
            sx={{
              display: 'flex',
              gap: 1.5,
              alignItems: 'center',
              paddingBlock: 1,
              '& + &': { borderTop: '1px solid', borderColor: 'divider' },
            }}
          >
            <CreditCardOutlined aria-hidden sx={{ fontSize: 22, color: 'text.secondary' }} />
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Stack
                direction="row"
                useFlexGap
                sx={{ gap: '4px 8px', alignItems: 'center', flexWrap: 'wrap' }}
              >
                <Typography variant="body2">{name(card)}</Typography>
                {card.isDefault && <StatusBadge tone="success" label={t('collection.default')} />}
                {card.expiry === 'soon' && (
                  <StatusBadge tone="warning" label={t('collection.expires_soon')} />
                )}
                {card.expiry === 'over' && <StatusBadge tone="error" label={t('collection.expired')} />}
              </Stack>
              <Typography variant="caption" component="p" color="textSecondary">
                {t('collection.expires', {
                  date: `${String(card.expMonth).padStart(2, '0')}/${card.expYear}`,
                })}
              </Typography>
            </Box>
            {mayManage && (
              <RowMenu
                name={name(card)}
                actions={[
                  ...(card.isDefault
                    ? []
                    : [
                        {
                          label: t('collection.make_default'),
                          onClick: () => makeDefault.mutate({ cardId: card.id }),
                        },
                      ]),
                  {
                    label: t('collection.remove'),
                    danger: true,
                    refused: card.isDefault && !isOnly ? t('collection.default_card') : undefined,
                    onClick: () => setRemoving(card),
                  },
                ]}
              />
            )}
          </Box>
        ))}
      </Box>
      <ConfirmDialog
        open={removing !== undefined}
        tone="danger"
        title={t('collection.remove_title', { card: removing ? name(removing) : '' })}
        consequences={[t(isOnly && found.isOn ? 'collection.remove_last' : 'collection.remove_text')]}
        confirmLabel={t('collection.remove')}
        onConfirm={() => (removing ? remove.mutateAsync({ cardId: removing.id }) : undefined)}
        onClose={() => setRemoving(undefined)}
      />
    </>
  );
}

/** The switch with its explanation: what is charged, and when. */
function AutomaticCharge({ found, mayManage }: { found: Cards; mayManage: boolean }) {
  const { t } = useTranslation('collection');
  const change = useCall(collectionApi.setCollection, {
    invalidates: [collectionKey(), ['billing'], ['console']],
    onSuccess: ({ isOn }) => toast.success(t(isOn ? 'collection.switched_on' : 'collection.switched_off')),
    onError: (error) => toast.error(error.message),
  });
  const isOn = change.isPending ? change.variables.isOn : found.isOn;
  const { firstDay, daysBefore } = found.plan;
  return (
    <Box sx={{ paddingTop: 2, borderTop: '1px solid', borderColor: 'divider', display: 'grid', gap: 1 }}>
      {mayManage ? (
        <FormControlLabel
          control={
            <Switch
              checked={isOn}
              disabled={change.isPending || (found.cards.length === 0 && !found.isOn)}
              onChange={(_, next) => change.mutate({ isOn: next })}
            />
          }
          label={t('collection.switch')}
        />
      ) : (
        <Typography variant="body2">{t(found.isOn ? 'collection.is_on' : 'collection.is_off')}</Typography>
      )}
      <Typography variant="caption" component="p" color="textSecondary">
        {/* used as: 'collection.when_*' */}
        {found.cards.length === 0
          ? t('collection.needs_card')
          : firstDay === 'before'
            ? t('collection.when_before', { count: daysBefore })
            : t(`collection.when_${firstDay}`)}
      </Typography>
      {found.cards.length > 0 && (
        <Typography variant="caption" component="p" color="textSecondary">
          {t('collection.balance_first')}
        </Typography>
      )}
    </Box>
  );
}
