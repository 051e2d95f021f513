// The add-ons of a subscription: the existing ones with their end, and those that can be added.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import MuiLink from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { Service } from '#features/selling/catalogue/contract.ts';
import type { Subscription } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { AddOnDialog } from './AddOnDialog.tsx';
import { subscriptionsQueries } from './api.ts';
import { PriceList } from './PriceList.tsx';
import { managePath } from './ServiceAction.tsx';
import { useMayChange } from './subscription-actions.tsx';
import { Fee, isCalledOff, lastDay } from './subscription-words.tsx';
import { SubscriptionState } from './SubscriptionState.tsx';

/** `ofAnyone`: an Admin views the subscription of an organization, and adds on its behalf. */
export function AddOns({
  subscription,
  ofAnyone = false,
}: {
  subscription: Subscription;
  ofAnyone?: boolean;
}) {
  const { t } = useTranslation('subscriptions');
  const mayChange = useMayChange() || ofAnyone;
  const [chosen, setChosen] = useState<Service>();
  const { adminListAddOns, listAddOns } = subscriptionsQueries;
  const query = useQuery((ofAnyone ? adminListAddOns : listAddOns)({ subscriptionId: subscription.id }));
  // Most services have no add-ons; then nothing is shown.
  if (query.data && query.data.items.length + query.data.offers.length === 0) return null;
  return (
    <Box component="section">
      <Typography variant="h3">{t('subscriptions.add_ons')}</Typography>
      <QueryState query={query} skeleton={<Lines count={2} />}>
        {({ items, offers }) => (
          <>
            {items.length > 0 && (
              <List label={t('subscriptions.add_ons')}>
                {items.map((item) => (
                  <Added key={item.id} item={item} isLinked={!ofAnyone} />
                ))}
              </List>
            )}
            {mayChange && offers.length > 0 && (
              <>
                <Typography variant="body2" color="textSecondary" sx={{ marginTop: 1.5 }}>
                  {t('subscriptions.add_ons_offered')}
                </Typography>
                <List label={t('subscriptions.add_ons_offered')}>
                  {offers.map((service) => (
                    <Offered key={service.id} service={service} onAdd={() => setChosen(service)} />
                  ))}
                </List>
              </>
            )}
          </>
        )}
      </QueryState>
      {chosen && (
        <AddOnDialog
          subscription={subscription}
          service={chosen}
          ofAnyone={ofAnyone}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Box>
  );
}

function List({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box component="ul" aria-label={label} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {children}
    </Box>
  );
}

const row = {
  paddingBlock: 1.5,
  '&:not(:last-of-type)': { borderBottom: '1px solid', borderColor: 'divider' },
} as const;

function Added({ item, isLinked }: { item: Subscription; isLinked: boolean }) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const from = format.date(item.startedAt);
  return (
    <Box component="li" sx={row}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', justifyContent: 'space-between' }}>
        {isLinked ? (
          <MuiLink component={Link} to={managePath(item.id)} sx={{ overflowWrap: 'anywhere' }}>
            {item.service.name}
          </MuiLink>
        ) : (
          <Typography sx={{ overflowWrap: 'anywhere' }}>{item.service.name}</Typography>
        )}
        <SubscriptionState state={item.state} />
      </Stack>
      <Stack direction="row" sx={{ gap: 2, justifyContent: 'space-between', marginTop: 0.5 }}>
        <Typography variant="caption" color="textSecondary">
          {isCalledOff(item)
            ? t('subscriptions.was_to_begin', { date: from })
            : item.endsAt
              ? t('subscriptions.from_until', { from, until: format.date(lastDay(item.endsAt)) })
              : t(item.state === 'scheduled' ? 'subscriptions.begins_on' : 'subscriptions.since', {
                  date: from,
                })}
        </Typography>
        <Fee subscription={item} />
      </Stack>
    </Box>
  );
}

const shownPrices = 2;

function Offered({ service, onAdd }: { service: Service; onAdd: () => void }) {
  const { t } = useTranslation('subscriptions');
  return (
    <Box component="li" sx={row}>
      <Stack direction="row" sx={{ gap: 2, alignItems: 'flex-start', justifyContent: 'space-between' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography sx={{ overflowWrap: 'anywhere' }}>{service.name}</Typography>
          <PriceList service={service} most={shownPrices} />
        </Box>
        <AddButton
          variant="outlined"
          onClick={onAdd}
          aria-label={t('subscriptions.add_named', { service: service.name })}
          sx={{ flexShrink: 0 }}
        >
          {t('subscriptions.add')}
        </AddButton>
      </Stack>
    </Box>
  );
}
