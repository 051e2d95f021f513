// The user's settings for the frame around the screens; stored in local storage under layoutStore.
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';

export type Density = 'standard' | 'compact';

export type LayoutState = {
  /** R-SHELL-08: hidden until the user opens it. */
  sidebarShow: boolean;
  density: Density;
  /** Less motion, regardless of the operating system's setting. */
  reducedMotion: boolean;
  /** Single-key shortcuts (`/` for search); can be switched off (WCAG 2.1.4). */
  shortcuts: boolean;
  /** Whether the last bill is kept on this device, for when the console cannot be reached. */
  offlineBill: boolean;
  setSidebarShow: (sidebarShow: boolean) => void;
  setDensity: (density: Density) => void;
  setReducedMotion: (reducedMotion: boolean) => void;
  setShortcuts: (shortcuts: boolean) => void;
  setOfflineBill: (offlineBill: boolean) => void;
};

export const useLayoutStore = create<LayoutState>()(
  persist(
    (set) => ({
      sidebarShow: false,
      density: 'standard',
      reducedMotion: false,
      shortcuts: true,
      offlineBill: false,
      setSidebarShow: (sidebarShow) => set({ sidebarShow }),
      setDensity: (density) => set({ density }),
      setReducedMotion: (reducedMotion) => set({ reducedMotion }),
      setShortcuts: (shortcuts) => set({ shortcuts }),
      setOfflineBill: (offlineBill) => set({ offlineBill }),
    }),
    { name: 'layoutStore', storage: createJSONStorage(() => localStorage) },
  ),
);
