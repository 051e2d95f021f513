// Amounts set for all organizations or for one, by currency, with the buttons that set and remove them.
import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Page } from '#kernel/shape.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import type { TableState } from '#platform/web/ui/table-state.ts';
import type { SetAmount } from '../contract-amounts.ts';
import type { AmountWords } from './AmountDialog.tsx';

type ListWords = Pick<AmountWords, 'appliesTo' | 'everyone' | 'never' | 'currency' | 'amount'> & {
  readonly title: string;
  readonly lead: string;
  readonly set: string;
  readonly edit: string;
  readonly search: string;
  readonly empty: string;
  readonly emptyHint: string;
  readonly setAt: string;
  readonly setBy: string;
  readonly remove: string;
  readonly removeTitle: (name: string) => string;
  readonly removeText: string;
};

type AmountListProps<Item extends SetAmount> = {
  /** The list's name, for saved views. */
  readonly list: string;
  readonly words: ListWords;
  readonly state: TableState;
  readonly query: UseQueryResult<Page<Item>>;
  readonly onRemove: (item: Item) => Promise<unknown>;
  /** The form that sets a new amount or changes one. */
  readonly dialog: (editing: Item | undefined, onClose: () => void) => ReactNode;
};

export function AmountList<Item extends SetAmount>({
  list,
  words,
  state,
  query,
  onRemove,
  dialog,
}: AmountListProps<Item>) {
  const [editing, setEditing] = useState<Item | 'new'>();
  const [removing, setRemoving] = useState<Item>();
  const nameOf = ({ organization }: SetAmount): string => organization ?? words.everyone;
  return (
    <>
      <DataTable
        list={list}
        label={words.title}
        title={words.title}
        lead={words.lead}
        actions={
          <AddButton variant="outlined" onClick={() => setEditing('new')}>
            {words.set}
          </AddButton>
        }
        columns={columnsOf<Item>(words, nameOf)}
        query={query}
        state={state}
        rowKey={(item) => item.id}
        rowName={nameOf}
        searchLabel={words.search}
        empty={<EmptyState compact title={words.empty} hint={words.emptyHint} />}
        rowActions={(item) => [
          { label: words.edit, onClick: () => setEditing(item) },
          { label: words.remove, onClick: () => setRemoving(item) },
        ]}
      />
      {editing && dialog(editing === 'new' ? undefined : editing, () => setEditing(undefined))}
      <ConfirmDialog
        open={removing !== undefined}
        title={words.removeTitle(removing ? nameOf(removing) : '')}
        consequences={[words.removeText]}
        confirmLabel={words.remove}
        onConfirm={async () => {
          if (removing) await onRemove(removing);
        }}
        onClose={() => setRemoving(undefined)}
      />
    </>
  );
}

function columnsOf<Item extends SetAmount>(
  words: ListWords,
  nameOf: (item: SetAmount) => string,
): readonly Column<Item>[] {
  return [
    {
      key: 'organization',
      label: words.appliesTo,
      card: 'title',
      sortable: true,
      render: nameOf,
    },
    { key: 'currency', label: words.currency, render: ({ currency }) => currency },
    {
      key: 'setAt',
      label: words.setAt,
      sortable: true,
      show: 'wide',
      render: ({ setAt }) => <Moment at={setAt} />,
    },
    { key: 'setBy', label: words.setBy, show: 'wide', render: ({ setBy }) => setBy },
    {
      key: 'amount',
      label: words.amount,
      align: 'right',
      sortable: true,
      render: ({ amount }) => (amount ? <Money amount={amount} /> : words.never),
    },
  ];
}
