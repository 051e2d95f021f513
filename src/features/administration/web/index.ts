// Administration's door for the browser: its calls and its screens (loaded when opened).
export { administrationApi, administrationQueries } from './api.ts';
