// Parts, queries and texts of meters for other screens.
export { useAggregationWords } from './aggregation-words.ts';
export { metersApi, metersKey, metersQueries } from './api.ts';
export { MeasuredFields } from './MeasuredFields.tsx';
export { NewMeterDialog } from './NewMeterDialog.tsx';
export { SchemaField } from './SchemaField.tsx';
