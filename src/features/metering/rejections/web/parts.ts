// Parts of rejections for other screens.
export { OwnRejected } from './OwnRejected.tsx';
