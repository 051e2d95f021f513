// An Admin looks at the console as somebody: whose screen it is really, and until when. In memory only: a reload ends it.
import { create } from 'zustand';
import type { SessionUser } from './auth-store.ts';

/** `viewer` is the Admin; null while nobody views. */
export const useViewing = create<{ readonly viewer: SessionUser | null; readonly until: Date | null }>()(() => ({ viewer: null, until: null }));
