// A bucket of somebody's own (S3 or one that speaks like it) in a form: where it is, and the keys it is opened with.
import type { FieldPath, FieldValues } from 'react-hook-form';
import { useTranslation } from '../i18n/i18n.ts';
import { TextField } from './TextField.tsx';
import type { FormOf } from './use-zod-form.ts';

/** What a bucket's fields are called in forms, wherever in the form they stand. */
export type BucketField = 'bucket' | 'prefix' | 'region' | 'endpoint' | 'accessKeyId';

export function BucketFields<In extends FieldValues, Sent>({
  form,
  nameOf,
  secretName,
  prefixHelp,
  accessKeyHelp,
  isKept,
}: {
  readonly form: FormOf<In, Sent>;
  readonly nameOf: (field: BucketField) => FieldPath<In>;
  readonly secretName: FieldPath<In>;
  readonly prefixHelp: string;
  /** Where the bucket may be read without keys, when. */
  readonly accessKeyHelp?: string;
  /** Whether a secret key is stored, which stays unless another is entered. */
  readonly isKept: boolean;
}) {
  const { t } = useTranslation('platform');
  return (
    <>
      <TextField form={form} name={nameOf('bucket')} label={t('ui.bucket')} autoComplete="off" required />
      <TextField
        form={form}
        name={nameOf('prefix')}
        label={t('ui.bucket_prefix')}
        help={prefixHelp}
        autoComplete="off"
      />
      <TextField
        form={form}
        name={nameOf('region')}
        label={t('ui.bucket_region')}
        autoComplete="off"
        required
      />
      <TextField
        form={form}
        name={nameOf('endpoint')}
        label={t('ui.bucket_endpoint')}
        help={t('ui.bucket_endpoint_help')}
        autoComplete="off"
      />
      <TextField
        form={form}
        name={nameOf('accessKeyId')}
        label={t('ui.bucket_access_key')}
        help={accessKeyHelp}
        autoComplete="off"
        required={accessKeyHelp === undefined}
      />
      <TextField
        form={form}
        name={secretName}
        type="password"
        label={t('ui.bucket_secret_key')}
        help={isKept ? t('ui.bucket_secret_kept') : undefined}
        autoComplete="new-password"
      />
    </>
  );
}
