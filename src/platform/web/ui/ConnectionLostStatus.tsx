// Says inside a dialog that the server cannot be reached: the page behind it, with its own notice, is silent for screen readers.
import { connectionTexts } from '#platform/locales/connection.ts';
import { useLanguage } from '../i18n/i18n.ts';
import { useReach } from '../api/reach.ts';
import { VisuallyHidden } from './VisuallyHidden.tsx';

export function ConnectionLostStatus() {
  const isSure = useReach((reach) => reach.isSure);
  const texts = connectionTexts[useLanguage()];
  return <VisuallyHidden live>{isSure ? texts['connection.lost'] : ''}</VisuallyHidden>;
}
