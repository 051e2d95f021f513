// What other screens place of usage.
export { SubscriptionMonth } from './SubscriptionMonth.tsx';
