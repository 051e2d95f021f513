// Whether somebody is just logging out: then the guard must not send them to the sign-in page.
import { create } from 'zustand';

export const useLeaving = create<{ readonly isLeaving: boolean }>()(() => ({ isLeaving: false }));
