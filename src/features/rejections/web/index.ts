// Rejections' door for the browser: the Admin's screen, and what a member's page of usage says of theirs (fetched when opened).

export const loadRejectedScreen = () => import('./RejectedScreen.tsx').then((module) => module.RejectedScreen);
export const loadOwnRejected = () => import('./OwnRejected.tsx').then((module) => module.OwnRejected);
