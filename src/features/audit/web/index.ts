// The audit log's door for the browser: its screen (fetched when opened).

export const loadAuditLogScreen = () => import('./AuditLogScreen.tsx').then((module) => module.AuditLogScreen);
