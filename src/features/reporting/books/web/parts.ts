// Parts of the books for other screens.
export { OwnStatement } from './OwnStatement.tsx';
