// Whether the user's own subscriptions are shown as a table or as cards; stored in the browser.
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';

export type SubscriptionsLook = 'lines' | 'cards';
export const useSubscriptionsLook = create<{
  look: SubscriptionsLook;
  setLook: (look: SubscriptionsLook) => void;
}>()(
  persist((set) => ({ look: 'lines', setLook: (look) => set({ look }) }), {
    name: 'subscriptionsStore',
    storage: createJSONStorage(() => localStorage),
  }),
);
