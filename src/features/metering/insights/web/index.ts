// The public API of insights in the browser: what the usage page explores with (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadExplorer = () =>
  withTexts(import('./Explorer.tsx'), 'insights', 'usage').then((module) => module.Explorer);
