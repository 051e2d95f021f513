// The signed-in user: exactly the state that R-AUTH-11 describes. The token is kept in memory only.
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import type { Id } from '#kernel/ids.ts';
import type { Permission } from '#kernel/permissions.ts';
import { isEmbedded, nowhere } from './embedded.ts';

/** The custom role that limits a person's built-in one. */
export type SessionRole = { readonly name: string; readonly permissions: readonly Permission[] };

/** The data about the signed-in user that the browser stores between two visits; nothing secret. */
export type SessionUser = {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly role: string;
  /** Missing in data stored by an older version. */
  readonly customRole?: SessionRole | null;
  readonly organizationId: string | null;
  readonly organization: string | null;
  /** Missing in data stored by an older version. */
  readonly avatar?: Id<'avt'> | null;
};

type AuthFields = {
  /** Bearer token; never stored. */
  accessToken: string | null;
  user: SessionUser | null;
  isAuthenticated: boolean;
  /** True while the session is being restored on load. */
  isLoading: boolean;
};

export type AuthState = AuthFields & {
  setAccessToken: (accessToken: string | null) => void;
  setUser: (user: SessionUser | null) => void;
  setIsAuthenticated: (isAuthenticated: boolean) => void;
  setIsLoading: (isLoading: boolean) => void;
  /** No token, no user, not authenticated, not loading. */
  clear: () => void;
};

const cleared: AuthFields = { accessToken: null, user: null, isAuthenticated: false, isLoading: false };

/**
 * While an Admin (`viewer`) views the console as another user: who the Admin is, and until when. Null
 * otherwise. In memory only, so a reload ends the view.
 */
export const useViewing = create<{ readonly viewer: SessionUser | null; readonly until: Date | null }>()(
  () => ({ viewer: null, until: null }),
);

/**
 * Only these two fields are written to local storage. While an Admin views as another user, the Admin is
 * stored.
 */
const persisted = ({ user, isAuthenticated }: AuthState): Pick<AuthFields, 'user' | 'isAuthenticated'> => ({
  user: useViewing.getState().viewer ?? user,
  isAuthenticated,
});

export const useAuthStore = create<AuthState>()(
  persist(
    (set) => ({
      ...cleared,
      setAccessToken: (accessToken) => set({ accessToken }),
      setUser: (user) => set({ user }),
      setIsAuthenticated: (isAuthenticated) => set({ isAuthenticated }),
      setIsLoading: (isLoading) => set({ isLoading }),
      clear: () => set(cleared),
    }),
    {
      name: 'authStore',
      storage: createJSONStorage(() => (isEmbedded ? nowhere : localStorage)),
      partialize: persisted,
    },
  ),
);

/** Extracts the fields to store from a contract's user. */
export function sessionUser(user: SessionUser): SessionUser {
  const { id, account, name, role, customRole = null, organizationId, organization, avatar = null } = user;
  return { id, account, name, role, customRole, organizationId, organization, avatar };
}
