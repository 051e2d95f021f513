// What other screens place of push.
export { PushCard } from './PushCard.tsx';
