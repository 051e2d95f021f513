// The command palette or the list of shortcuts, whichever is open.
import { CommandPalette } from './CommandPalette.tsx';
import { closePalette, usePalette } from './palette-store.ts';
import { ShortcutSheet } from './ShortcutSheet.tsx';

export function PaletteDialogs({ role }: { readonly role: string }) {
  const open = usePalette((palette) => palette.open);
  return open === 'palette' ? (
    <CommandPalette onClose={closePalette} />
  ) : (
    <ShortcutSheet role={role} open={open === 'shortcuts'} onClose={closePalette} />
  );
}
