// How the user's own subscriptions are looked at: as a table or as cards; remembered.
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
