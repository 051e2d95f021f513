// The subscriptions of one organization for an Admin: state, fee, next dates, and the history of each.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { Subscription } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { OpenRow } from '#platform/web/ui/OpenRow.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { AddOns } from './AddOns.tsx';
import { subscriptionsQueries } from './api.ts';
import { Fee, isCalledOff, isOver, NextTerm } from './subscription-words.tsx';
import { SubscriptionHistory } from './SubscriptionHistory.tsx';
import { SubscriptionState } from './SubscriptionState.tsx';

const shownAtFirst = 5;
const maxShown = 100;

export function OrganizationSubscriptions({ organizationId }: { organizationId: Id<'org'> }) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const [limit, setLimit] = useState(shownAtFirst);
  const query = usePagedQuery(
    subscriptionsQueries.adminListSubscriptions({ organizationId, limit, sort: 'name' }),
  );
  return (
    <PanelPart title={t('subscriptions.of_organization')}>
      <QueryState query={query} skeleton={<Lines count={3} />}>
        {({ items, total }) => (
          <>
            {items.length === 0 && (
              <Typography variant="body2" color="textSecondary">
                {t('subscriptions.of_organization_none')}
              </Typography>
            )}
            <Box
              component="ul"
              aria-label={t('subscriptions.of_organization')}
              sx={{ listStyle: 'none', margin: 0, padding: 0 }}
            >
              {items.map((subscription) => (
                <Line key={subscription.id} subscription={subscription} />
              ))}
            </Box>
            {total > items.length && limit < maxShown && (
              <Button size="small" onClick={() => setLimit(maxShown)}>
                {t('subscriptions.show_more', {
                  count: format.number(Math.min(total, maxShown) - items.length),
                })}
              </Button>
            )}
          </>
        )}
      </QueryState>
    </PanelPart>
  );
}

function Line({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const [isOpen, setIsOpen] = useState(false);
  const { addedTo, id, quantity, service, startedAt, state } = subscription;
  return (
    <Box
      component="li"
      sx={{ paddingBlock: 1, '&:not(:last-of-type)': { borderBottom: '1px solid', borderColor: 'divider' } }}
    >
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <OpenRow isExpanded={isOpen} onOpen={() => setIsOpen(!isOpen)}>
            {quantity === '1' ? service.name : `${service.name} × ${format.number(quantity)}`}
          </OpenRow>
        </Box>
        <SubscriptionState state={state} />
      </Stack>
      <Stack direction="row" sx={{ gap: 2, justifyContent: 'space-between', marginTop: 0.5 }}>
        <Typography variant="caption" color="textSecondary" component="div">
          {addedTo && <div>{t('subscriptions.added_to_named', { service: addedTo.serviceName })}</div>}
          {state === 'scheduled'
            ? t('subscriptions.begins_on', { date: format.date(startedAt) })
            : t(isCalledOff(subscription) ? 'subscriptions.was_to_begin' : 'subscriptions.since', {
                date: format.date(startedAt),
              })}
          {!isOver(subscription) && state !== 'scheduled' && (
            <Stack direction="row" sx={{ gap: 0.5 }}>
              {t('subscriptions.next_reset')}
              <NextTerm subscription={subscription} besideSentence />
            </Stack>
          )}
        </Typography>
        <Fee subscription={subscription} />
      </Stack>
      {isOpen && (
        <Stack sx={{ gap: 2, paddingTop: 1.5 }}>
          {!addedTo && <AddOns subscription={subscription} ofAnyone />}
          <SubscriptionHistory subscriptionId={id} ofAnyone />
        </Stack>
      )}
    </Box>
  );
}
