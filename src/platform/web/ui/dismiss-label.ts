// The label of the button that leaves a dialog without doing anything.
import { useTranslation } from '../i18n/i18n.ts';

/** Whether an action's label could be taken for the button that only closes the dialog: *Cancel plan* beside *Cancel*. */
export const readsLike = (action: string, cancel: string): boolean =>
  action.toLowerCase().includes(cancel.toLowerCase());

/** "Cancel", or "Go back" beside an action that itself cancels something. */
export function useDismissLabel(action: string): string {
  const { t } = useTranslation('platform');
  return readsLike(action, t('ui.cancel')) ? t('ui.go_back') : t('ui.cancel');
}
