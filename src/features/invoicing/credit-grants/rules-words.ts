// Describes what a grant covers; the caller chooses the language and the list format.
import { type Language, inLanguage } from '#kernel/language.ts';
import type { TextParams } from '#kernel/text.ts';
import type { GrantScope } from './contract.ts';

type Words = {
  readonly language: Language;
  readonly say: (
    key: 'creditgrants.all_services' | 'creditgrants.service_charges' | 'creditgrants.usage_only',
    params?: TextParams,
  ) => string;
  readonly list: (parts: readonly string[]) => string;
};

/** "Object storage, Virtual machine (Hours, Disk) · usage only". */
export function scopeInWords(
  { services, charges, usageOnly }: GrantScope,
  { language, say, list }: Words,
): string {
  const named = services?.map(({ id, name }) => {
    const own = charges?.filter(({ serviceId }) => serviceId === id) ?? [];
    return own.length === 0
      ? name
      : say('creditgrants.service_charges', {
          service: name,
          charges: list(own.map((charge) => inLanguage(charge.name, language))),
        });
  });
  return [
    named ? list(named) : say('creditgrants.all_services'),
    ...(usageOnly ? [say('creditgrants.usage_only')] : []),
  ].join(' · ');
}
