// The catalogue's door for the browser: its calls and its screens (fetched when opened).
export { catalogueApi, catalogueKey, catalogueQueries } from './api.ts';
