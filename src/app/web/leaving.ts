// Where somebody goes who is just logging out: then the guard must not send them to the sign-in page by itself.
import { create } from 'zustand';

export const useLeaving = create<{ readonly goal: string | null }>()(() => ({ goal: null }));
