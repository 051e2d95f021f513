// The reaction to a call that awaits a second Admin's approval: its dialog closes, and a notice links to the
// request.
import { connectionTextsOf } from '#platform/locales/connection.ts';
import { currentLanguage } from '../i18n/i18n.ts';
import { closeTopDialog } from '../ui/open-dialogs.ts';
import { toast } from './toasts.ts';

let open: ((approvalId: string) => void) | undefined;

/**
 * Sets the target of the notice's link; called by the frame, which knows the pages. @returns the function
 * that resets it
 */
export function leadWaiting(to: (approvalId: string) => void): () => void {
  open = to;
  return () => {
    open = undefined;
  };
}

/** Closes the dialog that sent the waiting call, and shows the notice. */
export function sayWaiting(approvalId: string): void {
  closeTopDialog();
  const texts = connectionTextsOf(currentLanguage());
  toast.info(
    texts['connection.waiting'],
    open && { label: texts['connection.waiting_open'], onClick: () => open?.(approvalId) },
  );
}
