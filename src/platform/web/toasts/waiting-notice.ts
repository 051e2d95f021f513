// What the screen does when a call waits for a second Admin's approval: its dialog closes, and a notice leads to the request.
import { inLanguage } from '#kernel/language.ts';
import { connectionTexts } from '#platform/locales/connection.ts';
import { currentLanguage } from '../i18n/i18n.ts';
import { closeTopDialog } from '../ui/open-dialogs.ts';
import { toast } from './toasts.ts';

let open: ((approvalId: string) => void) | undefined;

/** Where the notice leads: set by the frame, which knows the pages. @returns what takes it back */
export function leadWaiting(to: (approvalId: string) => void): () => void {
  open = to;
  return () => {
    open = undefined;
  };
}

/** Closes the dialog from which a call was sent that waits, and says so. */
export function sayWaiting(approvalId: string): void {
  closeTopDialog();
  const texts = inLanguage(connectionTexts, currentLanguage());
  toast.info(
    texts['connection.waiting'],
    open && { label: texts['connection.waiting_open'], onClick: () => open?.(approvalId) },
  );
}
