// Downloads a credit note's file in the user's language.
import type { Id } from '#kernel/ids.ts';
import { useLanguage } from '#platform/web/i18n/i18n.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import type { creditsApi } from './api.ts';

export function useNoteFiles(): (call: typeof creditsApi.creditNotePdf, creditNoteId: Id<'crn'>) => void {
  const download = useDownload();
  const language = useLanguage();
  return (call, creditNoteId) => void download((options) => call({ creditNoteId, language }, options));
}
