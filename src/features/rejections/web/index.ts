// Rejections' door for the browser: the Admin's screen, and a member's list for another page (fetched when opened).

export const loadRejectedScreen = () => import('./RejectedScreen.tsx').then((module) => module.RejectedScreen);
/** `<RejectedEvents reader="own" />`: list, panel and dialogs; keeps its state in the address under names of its own. */
export const loadRejectedEvents = () => import('./RejectedEvents.tsx').then((module) => module.RejectedEvents);
