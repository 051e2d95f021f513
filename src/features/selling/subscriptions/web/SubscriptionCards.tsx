// The organization's subscriptions as cards: name, state, fee, usage and next change at a glance.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { Subscription } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { RowMenu, type RowAction } from '#platform/web/ui/RowMenu.tsx';
import { Fee, NextTerm, usePlanned } from './subscription-words.tsx';
import { SubscriptionState } from './SubscriptionState.tsx';
import { Usage, type CloudServicesParts } from './Usage.tsx';
import { isMetered } from '#features/selling/catalogue/rules.ts';

export type SubscriptionCardsProps = Pick<CloudServicesParts, 'Quota' | 'Cover'> & {
  readonly rows: readonly Subscription[];
  readonly onOpen: (id: string) => void;
  readonly actionsOf: (subscription: Subscription) => readonly RowAction[];
};

export function SubscriptionCards({ rows, ...rest }: SubscriptionCardsProps) {
  const { t } = useTranslation('subscriptions');
  return (
    <Box
      component="ul"
      aria-label={t('subscriptions.management_title')}
      sx={{
        listStyle: 'none',
        margin: 0,
        padding: 0,
        display: 'grid',
        gap: 3,
        gridTemplateColumns: {
          xs: 'minmax(0, 1fr)',
          sm: 'repeat(2, minmax(0, 1fr))',
          lg: 'repeat(3, minmax(0, 1fr))',
        },
      }}
    >
      {rows.map((row) => (
        <SubscriptionCard key={row.id} row={row} {...rest} />
      ))}
    </Box>
  );
}

function SubscriptionCard({
  row,
  Quota,
  Cover,
  onOpen,
  actionsOf,
}: Omit<SubscriptionCardsProps, 'rows'> & { row: Subscription }) {
  const { t } = useTranslation('subscriptions');
  const planned = usePlanned()(row);
  return (
    <Card component="li" sx={{ padding: 3, display: 'flex', flexDirection: 'column', gap: 2 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'flex-start' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="h3" component="h2" sx={{ overflowWrap: 'anywhere' }}>
            {row.service.name}
          </Typography>
          <Typography variant="caption" color="textSecondary">
            {row.addedTo
              ? t('subscriptions.added_to_named', { service: row.addedTo.serviceName })
              : row.service.type}
          </Typography>
        </Box>
        <Stack sx={{ gap: 0.5, alignItems: 'flex-end' }}>
          <SubscriptionState state={row.state} />
          {Cover && <Cover subscriptionId={row.id} compact />}
        </Stack>
      </Stack>
      <Box sx={{ flex: 1 }}>
        <Facts
          items={[
            [t('subscriptions.fee'), <Fee key="fee" subscription={row} />],
            ...(isMetered(row.service.meter)
              ? [[t('subscriptions.usage'), <Usage key="usage" subscription={row} Quota={Quota} />] as const]
              : []),
            [t('subscriptions.next_reset'), <NextTerm key="next" subscription={row} />],
          ]}
        />
        {planned.map((sentence) => (
          <Typography
            key={sentence}
            variant="caption"
            component="p"
            color="textSecondary"
            sx={{ marginTop: 1 }}
          >
            {sentence}
          </Typography>
        ))}
      </Box>
      <Stack direction="row" sx={{ gap: 1, justifyContent: 'space-between' }}>
        <Button
          aria-haspopup="dialog"
          variant="outlined"
          onClick={() => onOpen(row.id)}
          aria-label={t('subscriptions.manage_named', { service: row.service.name })}
        >
          {t('subscriptions.manage')}
        </Button>
        <RowMenu name={row.service.name} actions={actionsOf(row)} />
      </Stack>
    </Card>
  );
}
