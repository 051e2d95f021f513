export const enUS = {} as const;
