// The label of the button that leaves a dialog without doing anything.
import { useTranslation } from '../i18n/i18n.ts';

/**
 * "Cancel", unless the action itself cancels something: beside "Cancel plan" it would not be clear which of the two
 * does nothing.
 */
export function useDismissLabel(action: string): string {
  const { t } = useTranslation('platform');
  const cancel = t('ui.cancel');
  return action.toLowerCase().includes(cancel.toLowerCase()) ? t('ui.go_back') : cancel;
}
