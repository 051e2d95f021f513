// The text keys that the compiler checks: those of every feature's tables.
import type { builtInConnectionTexts } from '#platform/locales/connection.ts';
import type { namespaces } from '../locales/namespaces.ts';

type Namespaces = typeof namespaces & { readonly connection: typeof builtInConnectionTexts };
type KeysOf<Tables extends Readonly<Record<string, { readonly enUS: object }>>> = {
  [Name in keyof Tables]: keyof Tables[Name]['enUS'] & string;
};

declare module '#platform/web/i18n/i18n.ts' {
  interface TextKeys extends KeysOf<Namespaces> {}
}
