// A member level in words; one that has none is named as it is.
import { textOf } from '#platform/web/i18n.ts';
import { useIdentityTexts } from './texts.ts';

export function MemberLevel({ level }: { level: string }) {
  useIdentityTexts();
  // used as: 'identity.level_*'
  return <>{textOf(`identity.level_${level}`) ?? level}</>;
}
