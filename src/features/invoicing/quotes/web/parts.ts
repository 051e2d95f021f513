// Parts of quotes for other screens.
export { OwnQuotes } from './OwnQuotes.tsx';
