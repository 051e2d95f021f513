// Who pays for whole organizations, and for single subscriptions.
import Box from '@mui/material/Box';
import { PayerList } from './PayerList.tsx';
import { SubscriptionPayerList } from './SubscriptionPayerList.tsx';

export function PayerLists() {
  return (
    <Box sx={{ display: 'grid', gap: { xs: 2, sm: 3 }, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <PayerList />
      <SubscriptionPayerList />
    </Box>
  );
}
