// Says that a call waits for a second Admin's approval, with the way to it.
import { inLanguage } from '#kernel/language.ts';
import { connectionTexts } from '#platform/locales/connection.ts';
import { currentLanguage } from '../i18n/i18n.ts';
import { toast } from './toasts.ts';

let open: ((approvalId: string) => void) | undefined;

/** Where the notice leads: set by the frame, which knows the pages. @returns what takes it back */
export function leadWaiting(to: (approvalId: string) => void): () => void {
  open = to;
  return () => {
    open = undefined;
  };
}

export function sayWaiting(approvalId: string): void {
  const texts = inLanguage(connectionTexts, currentLanguage());
  toast.info(
    texts['connection.waiting'],
    open && { label: texts['connection.waiting_open'], onClick: () => open?.(approvalId) },
  );
}
