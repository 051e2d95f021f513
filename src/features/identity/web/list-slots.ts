// What a person keeps of lists, in one piece: it is small, and who opens one part often opens another.
export { ColumnChooser } from './ColumnChooser.tsx';
export { ViewsMenu } from './ViewsMenu.tsx';
export { ViewTabs } from './ViewTabs.tsx';
