// Announces inside a dialog that the server cannot be reached: while a dialog is open, screen readers cannot
// reach the offline notice on the page behind it.
import { connectionTextsOf } from '#platform/locales/connection.ts';
import { useLanguage } from '../i18n/i18n.ts';
import { useReach } from '../api/reach.ts';
import { VisuallyHidden } from './VisuallyHidden.tsx';

export function ConnectionLostStatus() {
  const { isSure, isRecovering } = useReach();
  const texts = connectionTextsOf(useLanguage());
  return (
    <VisuallyHidden live>
      {isSure ? texts[isRecovering ? 'connection.recovering' : 'connection.lost'] : ''}
    </VisuallyHidden>
  );
}
