// Where the user goes after logging out; while it is set, the guard does not redirect to the sign-in page.
import { create } from 'zustand';

export const useLeaveTarget = create<{ readonly goal: string | null }>()(() => ({ goal: null }));
