// Dismisses rejected events, after explaining the consequences.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { Rejected } from '../contract.ts';
import { callsOf, rejectionsKey, type Reader } from './api.ts';

/** Which events: some, or all with one reason. */
export type Dismissal = { readonly count: number } & (
  | { readonly ids: readonly Rejected['id'][]; readonly code?: undefined }
  | { readonly ids?: undefined; readonly code: string; readonly type: string | undefined }
);

export function DismissDialog({
  reader,
  selection,
  onDone,
  onClose,
}: {
  reader: Reader;
  selection: Dismissal;
  onDone: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('rejections');
  const format = useFormat();
  const call = useCall(callsOf[reader].dismiss, { invalidates: [rejectionsKey()] });
  const confirm = async (): Promise<void> => {
    const { dismissed } = await call.mutateAsync(
      selection.ids
        ? { ids: [...selection.ids] }
        : { code: selection.code, ...(selection.type !== undefined && { type: selection.type }) },
    );
    toast.success(t('rejections.dismissed', { count: format.number(dismissed) }));
    onDone();
  };
  return (
    <ConfirmDialog
      open
      title={t('rejections.dismiss_title', { count: format.number(selection.count) })}
      consequences={[t('rejections.dismiss_what'), t('rejections.dismiss_kept')]}
      confirmLabel={t('rejections.dismiss_confirm')}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
