// Which of the two is open: the command palette, or the list of shortcuts.
import { create } from 'zustand';

export const usePalette = create<{ readonly open: 'palette' | 'shortcuts' | null }>()(() => ({ open: null }));

export const openPalette = (): void => usePalette.setState({ open: 'palette' });
export const openShortcuts = (): void => usePalette.setState({ open: 'shortcuts' });
export const closePalette = (): void => usePalette.setState({ open: null });
