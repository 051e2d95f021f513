// A member level in words; one that has none is named as it is.
import { textOf, useTranslation } from '#platform/web/i18n/i18n.ts';

export function MemberLevel({ level }: { level: string }) {
  useTranslation('identity');
  // used as: 'identity.level_*'
  return <>{textOf(`identity.level_${level}`) ?? level}</>;
}
