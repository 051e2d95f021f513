// Parts and words of meters for other screens.
export { useAggregationWords } from './aggregation-words.ts';
export { metersKey } from './api.ts';
export { SchemaField } from './SchemaField.tsx';
