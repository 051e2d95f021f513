// An Admin's users: views, search and filters, a panel to create or change one, bulk changes, import and
// export (R-ADM-02).
import { useState, type ReactNode } from 'react';
import type { Role } from '#kernel/roles.ts';
import type { User } from '#features/access/identity/contract.ts';
import { identityQueries, newUser, UserPanel } from '#features/access/identity/web/parts.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { MoveButtons } from '#platform/web/ui/MoveButtons.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { useParam } from '#platform/web/routing/use-param.ts';
import { ExportDialog } from './ExportDialog.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { DeleteUser, PanelActions } from './PanelActions.tsx';
import { useChosenUsers } from './use-chosen-users.tsx';
import { useUserActions } from './use-user-actions.ts';
import { useUserBatch } from './use-user-batch.tsx';
import { useUserColumns } from './user-columns.tsx';
import { useUserFilters } from './user-filters.ts';

export type UsersScreenProps = {
  /** Further actions of an Admin on a user, next to the form. */
  readonly actions?: (user: User) => ReactNode;
  /** The pages that a role opens, by their names in the menu. */
  readonly pagesOf: (role: Role) => readonly string[];
  /** The landing page of a role. */
  readonly landingPathOf: (role: Role) => string;
  /** Whether e-mails can be sent. */
  readonly mails: boolean;
};

export function UsersScreen({ actions: otherActions, pagesOf, landingPathOf, mails }: UsersScreenProps) {
  const { t } = useTranslation('users');
  const [open, setOpen] = useParam('user');
  const [moving, setMoving] = useState<'import' | 'export'>();
  const { state, filters, narrowedBy } = useUserFilters();
  const query = usePagedQuery(identityQueries.listUsers(state.query));
  const { limit: _limit, cursor: _cursor, ...filter } = state.query;
  const chosen = useChosenUsers({ filter, query });
  const batch = useUserBatch(chosen.clear);
  const columns = useUserColumns();
  const rowActions = useUserActions({ edit: setOpen, begin: batch.begin });
  const add = <AddButton onClick={() => setOpen(newUser)}>{t('users.add')}</AddButton>;
  const actions = (
    <>
      <MoveButtons onClick={setMoving} imports={t('users.import')} exports={t('users.export')} />
      {add}
    </>
  );
  return (
    <Page title={t('users.title')} actions={actions}>
      <DataTable
        list="users"
        given={[
          { label: t('ui.all'), view: '' },
          { label: t('users.view_active'), view: 'status=active' },
          { label: t('users.view_inactive'), view: 'status=inactive' },
        ]}
        label={t('users.title')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(user) => user.id}
        rowName={(user) => user.name}
        rowDetail={({ account }) => account}
        searchLabel={t('users.search')}
        filters={filters}
        empty={<EmptyState title={t('users.empty')} hint={t('users.empty_hint')} action={add} />}
        rowActions={rowActions}
        canSelect={chosen.canSelect}
        selection={chosen.selectionFor(batch.begin)}
        onRowClick={(user) => setOpen(user.id)}
      />
      {batch.dialog}
      {moving === 'import' && <ImportDialog mails={mails} onClose={() => setMoving(undefined)} />}
      {moving === 'export' && (
        <ExportDialog filter={filter} narrowedBy={narrowedBy} onClose={() => setMoving(undefined)} />
      )}
      <UserPanel
        open={open}
        onClose={() => setOpen(undefined)}
        pagesOf={pagesOf}
        actions={(user) => (
          <>
            {otherActions?.(user)}
            <PanelActions
              user={user}
              begin={batch.begin}
              landing={landingPathOf(user.role)}
              onClose={() => setOpen(undefined)}
            />
          </>
        )}
        ending={(user) => <DeleteUser user={user} begin={batch.begin} onClose={() => setOpen(undefined)} />}
      />
    </Page>
  );
}
