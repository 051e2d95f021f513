// A member level as text; an unknown level is shown as it is.
import { textOf, useTranslation } from '#platform/web/i18n/i18n.ts';

export function MemberLevel({ level }: { level: string }) {
  useTranslation('identity');
  // used as: 'identity.level_*'
  return <>{textOf(`identity.level_${level}`) ?? level}</>;
}
