// Statements are raw SQL with the type of their rows (`sql<Row>`), so Kysely knows no tables.
export type Tables = unknown;
