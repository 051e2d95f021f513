// A list's views: given ones, the own saved ones, and a way to keep what the list shows now. The address holds the state.
import BookmarkAddOutlined from '@mui/icons-material/BookmarkAddOutlined';
import LinkOutlined from '@mui/icons-material/LinkOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { SavedView } from '#features/identity/contract.ts';
import { useCall } from '#platform/web/queries.ts';
import { toast } from '#platform/web/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Hint } from '#platform/web/ui/Hint.tsx';
import { RowMenu } from '#platform/web/ui/RowMenu.tsx';
import { identityApi, identityKey, identityQueries } from './api.ts';
import { useIdentityTexts } from './texts.ts';
import { matchingView, viewQuery } from './view-query.ts';
import { ViewNameDialog } from './ViewNameDialog.tsx';

export type SavedViewsProps = {
  /** Names the list: 'services'. */
  readonly screen: string;
  /** Views that everybody has, the whole list first. */
  readonly given: readonly { readonly label: string; readonly query: string }[];
  /** What of the address belongs to a view: search, order and filters. */
  readonly names: readonly string[];
  /** The id of what the tabs switch. */
  readonly panel: string;
};

/** Nothing of the list is a view: tabs need a value all the same. */
const unsaved = false;

export function SavedViews({ screen, given, names, panel }: SavedViewsProps) {
  const t = useIdentityTexts();
  const [params, setParams] = useSearchParams();
  const own = useQuery(identityQueries.savedViews({ screen })).data?.items ?? [];
  const now = viewQuery(params, names);
  const views = [...given.map((view) => ({ ...view, key: view.query })), ...own.map((view) => ({ label: view.name, query: viewQuery(new URLSearchParams(view.query), names), key: view.id }))];
  const current = matchingView(views, now);
  const chosen = own.find((view) => view.id === current?.key);
  const open = (key: string): void => setParams(new URLSearchParams(views.find((view) => view.key === key)?.query ?? ''), { preventScrollReset: true });
  return (
    <Stack data-screen-only direction="row" sx={{ alignItems: 'center', flexWrap: 'wrap', gap: '4px 8px', paddingInline: { xs: 1, sm: 2 }, borderBottom: '1px solid', borderColor: 'divider' }}>
      <Box sx={{ flex: '1 1 200px', minWidth: 0 }}>
        <Tabs value={current?.key ?? unsaved} onChange={(_, key: string) => open(key)} variant="scrollable" aria-label={t('identity.views')}>
          {views.map((view) => <Tab key={view.key} value={view.key} label={view.label} aria-controls={panel} />)}
        </Tabs>
      </Box>
      <Stack direction="row" sx={{ gap: 0.5, alignItems: 'center' }}>
        {chosen && <OwnView key={chosen.id} view={chosen} onDeleted={() => setParams(new URLSearchParams())} />}
        {!current && <SaveView screen={screen} query={now} own={own} />}
        <CopyLink />
      </Stack>
    </Stack>
  );
}

/** Keeps what is shown now: as a new view, or in place of one that there is. */
function SaveView({ screen, query, own }: { screen: string; query: string; own: readonly SavedView[] }) {
  const t = useIdentityTexts();
  const [isNaming, setIsNaming] = useState(false);
  const invalidates = [identityKey('savedViews')];
  const save = useCall(identityApi.saveView, { invalidates });
  const change = useCall(identityApi.changeView, { invalidates });
  const keep = async (name: string): Promise<void> => {
    const there = own.find((view) => view.name.toLowerCase() === name.toLowerCase());
    if (there) await change.mutateAsync({ viewId: there.id, query });
    else await save.mutateAsync({ screen, name, query });
    toast.success(t('identity.view_saved', { name }));
  };
  return (
    <>
      <Button size="small" startIcon={<BookmarkAddOutlined />} onClick={() => setIsNaming(true)}>{t('identity.view_save')}</Button>
      {isNaming && <ViewNameDialog title={t('identity.view_save')} initial="" suggestions={own.map((view) => view.name)} onSave={keep} onClose={() => setIsNaming(false)} />}
    </>
  );
}

function OwnView({ view, onDeleted }: { view: SavedView; onDeleted: () => void }) {
  const t = useIdentityTexts();
  const [asking, setAsking] = useState<'rename' | 'delete'>();
  const invalidates = [identityKey('savedViews')];
  const change = useCall(identityApi.changeView, { invalidates });
  const remove = useCall(identityApi.deleteView, { invalidates });
  const close = (): void => setAsking(undefined);
  return (
    <>
      <RowMenu name={view.name} actions={[{ label: t('identity.view_rename'), onClick: () => setAsking('rename') }, { label: t('ui.delete'), danger: true, onClick: () => setAsking('delete') }]} />
      {asking === 'rename' && <ViewNameDialog title={t('identity.view_rename')} initial={view.name} suggestions={[]} onSave={(name) => change.mutateAsync({ viewId: view.id, name })} onClose={close} />}
      <ConfirmDialog open={asking === 'delete'} title={t('identity.view_delete_ask', { name: view.name })} confirmLabel={t('identity.view_delete')} tone="danger" onConfirm={async () => { await remove.mutateAsync({ viewId: view.id }); onDeleted(); }} onClose={close} />
    </>
  );
}

/** The address says all that the list shows. */
function CopyLink() {
  const t = useIdentityTexts();
  const copy = (): void => {
    navigator.clipboard.writeText(location.href).then(() => toast.success(t('ui.link_copied')), () => toast.error(t('ui.copy_failed')));
  };
  return <Hint text={t('ui.copy_link')}><IconButton aria-label={t('ui.copy_link')} onClick={copy}><LinkOutlined /></IconButton></Hint>;
}
