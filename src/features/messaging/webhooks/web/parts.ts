// Parts of webhooks for other screens.
export { Webhooks } from './Webhooks.tsx';
