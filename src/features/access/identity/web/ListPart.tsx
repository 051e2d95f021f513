// A list's saved views and columns in one bundle, because users who open one often open another.
import type { ListPartProps } from '#platform/web/ui/list-slots.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import { ViewsMenu } from './ViewsMenu.tsx';
import { ViewTabs } from './ViewTabs.tsx';

export function ListPart(props: ListPartProps) {
  switch (props.part) {
    case 'tabs':
      return <ViewTabs {...props} />;
    case 'menu':
      return <ViewsMenu {...props} />;
    case 'columns':
      return <ColumnChooser {...props} />;
  }
}
