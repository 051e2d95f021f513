// The list with sample rows.
import Button from '@mui/material/Button';
import { useState } from 'react';
import { money } from '#kernel/money.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Money, Moment } from '#platform/web/ui/Money.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import samples from './gallery-samples.json';

type Person = { id: string; name: string; email: string; isActive: boolean; at: Date; spent: bigint };
const people: Person[] = samples.people.map((name, index) => ({
  id: `usr_${index}`,
  name,
  email: `person${index}@example.com`,
  isActive: index % 2 === 0,
  at: new Date(Date.UTC(2026, 2, 5 + index)),
  spent: BigInt(index * 1234567),
}));

const [name = '', email = '', role = '', state = '', created = '', amount = ''] = samples.columns;
const columns: Column<Person>[] = [
  { key: 'name', label: name, sortable: true, card: 'title', render: (person) => person.name },
  { key: 'email', label: email, render: (person) => person.email },
  {
    key: 'role',
    label: role,
    show: 'wide',
    render: () => <StatusBadge tone="admin" label={samples.badges[6] ?? ''} />,
  },
  {
    key: 'state',
    label: state,
    render: (person) => (
      <StatusBadge
        tone={person.isActive ? 'success' : 'neutral'}
        label={person.isActive ? samples.active : samples.inactive}
      />
    ),
  },
  {
    key: 'createdAt',
    label: created,
    sortable: true,
    show: 'wide',
    render: (person) => <Moment at={person.at} />,
  },
  {
    key: 'spent',
    label: amount,
    align: 'right',
    sortable: true,
    render: (person) => <Money amount={money(person.spent, 'TWD')} />,
  },
];

export function GalleryList() {
  const table = useTableState({ filters: { state: ['active', 'inactive'] }, sort: '-createdAt' });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['usr_1']));
  const items = people.filter(
    (person) =>
      person.name.includes(table.search) &&
      (table.filters.state === undefined || (table.filters.state === 'active') === person.isActive),
  );
  return (
    <DataTable
      list="gallery"
      label={samples.list}
      columns={columns}
      query={{
        data: { items, nextCursor: 'next', total: 240 },
        error: null,
        isPlaceholderData: false,
        refetch: () => undefined,
      }}
      state={table}
      rowKey={(person) => person.id}
      rowName={(person) => person.name}
      searchLabel={samples.search}
      filters={{
        state: {
          label: samples.state,
          options: [
            { value: 'active', label: samples.active },
            { value: 'inactive', label: samples.inactive },
          ],
        },
      }}
      empty={null}
      canSelect={(person) => person.id !== 'usr_0'}
      isMarked={(person) => person.id === 'usr_3'}
      rowActions={() => [
        { label: samples.edit, onClick: () => undefined },
        { label: samples.remove, danger: true, onClick: () => undefined, refused: samples.emptyHint },
      ]}
      selection={{
        selected,
        onChange: setSelected,
        actions: (
          <>
            <Button size="small" variant="outlined">
              {samples.activate}
            </Button>
            <Button size="small" variant="outlined" color="error">
              {samples.remove}
            </Button>
          </>
        ),
      }}
    />
  );
}
