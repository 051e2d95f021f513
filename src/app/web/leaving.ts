// How somebody came to be signed out: by themself (then the guard must not ask for a sign-in), or out of a session that came from an identity provider (then they go back there).
import { create } from 'zustand';

export const useLeaving = create<{ readonly isLeaving: boolean; readonly wasThroughProvider: boolean }>()(() => ({ isLeaving: false, wasThroughProvider: false }));
