// The fields for a customer's own bucket (S3 or compatible): its location, and its access keys.
import type { FieldPath, FieldValues } from 'react-hook-form';
import { useTranslation } from '../i18n/i18n.ts';
import { TextField } from './TextField.tsx';
import type { FormOf } from './use-zod-form.ts';

/** The names of a bucket's fields, relative to the bucket's place in the form. */
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
  /** The help text when the bucket can be read without keys. */
  readonly accessKeyHelp?: string;
  /** Whether a secret key is stored, which is kept unless another is entered. */
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
