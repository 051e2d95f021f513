// Actions on a list's views: save the current one, rename, delete, copy the URL.
import BookmarkAddOutlined from '~icons/ic/outline-bookmark-add';
import Button from '@mui/material/Button';
import { useState } from 'react';
import type { SavedView } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { copyText } from '#platform/web/ui/copy-text.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { RowMenu } from '#platform/web/ui/RowMenu.tsx';
import { identityApi, identityKey } from './api.ts';
import { ViewNameDialog } from './ViewNameDialog.tsx';

const invalidates = [identityKey('savedViews')];

/** Saves the current view: as a new one, or over an existing one. */
export function SaveView({ list, view, own }: { list: string; view: string; own: readonly SavedView[] }) {
  const { t } = useTranslation('identity');
  const [isNaming, setIsNaming] = useState(false);
  const save = useCall(identityApi.saveView, { invalidates });
  const change = useCall(identityApi.changeView, { invalidates });
  const saveView = async (name: string): Promise<void> => {
    const existing = own.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (existing) await change.mutateAsync({ viewId: existing.id, query: view });
    else await save.mutateAsync({ screen: list, name, query: view });
    toast.success(t('identity.view_saved', { name }));
  };
  return (
    <>
      <Button
        aria-haspopup="dialog"
        size="small"
        startIcon={<BookmarkAddOutlined />}
        onClick={() => setIsNaming(true)}
      >
        {t('identity.view_save')}
      </Button>
      {isNaming && (
        <ViewNameDialog
          title={t('identity.view_save')}
          initial=""
          suggestions={own.map((one) => one.name)}
          onSave={saveView}
          onClose={() => setIsNaming(false)}
        />
      )}
    </>
  );
}

/** Renames or deletes one of the user's own views. */
export function OwnViewMenu({ view, onDeleted }: { view: SavedView; onDeleted: () => void }) {
  const { t } = useTranslation('identity');
  const [asking, setAsking] = useState<'rename' | 'delete'>();
  const change = useCall(identityApi.changeView, { invalidates });
  const remove = useCall(identityApi.deleteView, { invalidates });
  const close = (): void => setAsking(undefined);
  return (
    <>
      <RowMenu
        name={view.name}
        actions={[
          { label: t('identity.view_rename'), onClick: () => setAsking('rename') },
          { label: t('ui.delete'), danger: true, onClick: () => setAsking('delete') },
        ]}
      />
      {asking === 'rename' && (
        <ViewNameDialog
          title={t('identity.view_rename')}
          initial={view.name}
          suggestions={[]}
          onSave={(name) => change.mutateAsync({ viewId: view.id, name })}
          onClose={close}
        />
      )}
      <ConfirmDialog
        open={asking === 'delete'}
        title={t('identity.view_delete_ask', { name: view.name })}
        confirmLabel={t('identity.view_delete')}
        tone="danger"
        onConfirm={async () => {
          await remove.mutateAsync({ viewId: view.id });
          onDeleted();
        }}
        onClose={close}
      />
    </>
  );
}

/** Copies the URL, which contains the list's whole state. */
export function useCopyLink(): () => void {
  const { t } = useTranslation('identity');
  return () => {
    copyText(location.href).then(
      () => toast.success(t('ui.link_copied')),
      () => toast.error(t('ui.copy_failed')),
    );
  };
}
