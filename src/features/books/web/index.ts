// The books' door for the browser: the ledger's screen, and the own statement for the bills' screen (fetched when opened).

export const loadAdminLedgerScreen = () => import('./AdminLedgerScreen.tsx').then((module) => module.AdminLedgerScreen);
export const loadOwnStatement = () => import('./OwnStatement.tsx').then((module) => module.OwnStatement);
