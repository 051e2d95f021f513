// Parts of push for other screens.
export { PushCard } from './PushCard.tsx';
