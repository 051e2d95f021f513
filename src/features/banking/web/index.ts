// Banking's door for the browser: its screen (fetched when opened).

export const loadBankStatementsScreen = () => import('./BankStatementsScreen.tsx').then((module) => module.BankStatementsScreen);
