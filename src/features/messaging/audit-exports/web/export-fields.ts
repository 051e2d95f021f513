// The values of a destination's form, as strings, and their conversion to the call's input.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import { text } from '#kernel/shape.ts';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import {
  starts,
  targetKinds,
  type AuditExport,
  type auditExports,
  type Target,
  type TargetKind,
} from '../contract.ts';

const free = z.string().check(z.trim());
const pem = /-----BEGIN [A-Z ]+-----[\s\S]+-----END [A-Z ]+-----/;
const needed: Readonly<
  Record<TargetKind, readonly ('host' | 'port' | 'bucket' | 'region' | 'accessKeyId' | 'url')[]>
> = {
  syslog: ['host', 'port'],
  bucket: ['bucket', 'region', 'accessKeyId'],
  webhook: ['url'],
};

export const exportFields = z
  .strictObject({
    name: text(80),
    start: z.enum(starts),
    /** The fields of all kinds, named as in the call. */
    target: z.strictObject({
      kind: z.enum(targetKinds),
      host: free,
      port: free.check(z.regex(/^(\d{1,5})?$/, 'auditexports.port_wrong')),
      isTls: z.enum(['tls', 'plain']),
      authority: free.check(z.refine((typed) => typed === '' || pem.test(typed), 'auditexports.pem_wrong')),
      bucket: free,
      prefix: free,
      region: free,
      endpoint: free,
      accessKeyId: free,
      url: free,
    }),
    secretAccessKey: free,
  })
  .check(
    z.check((context) => {
      const { target } = context.value;
      for (const name of needed[target.kind])
        if (target[name] === '')
          context.issues.push({
            code: 'too_small',
            origin: 'string',
            minimum: 1,
            inclusive: true,
            input: '',
            path: ['target', name],
          });
    }),
  );
export type ExportFields = z.output<typeof exportFields>;
export type ExportForm = FormOf<ExportFields, ExportFields>;

/** The form's initial values. */
export function fieldsOf(from: AuditExport | undefined): ExportFields {
  const target = from?.target;
  const syslog = target?.kind === 'syslog' ? target : undefined;
  const bucket = target?.kind === 'bucket' ? target : undefined;
  return {
    name: from?.name ?? '',
    start: 'beginning',
    target: {
      kind: target?.kind ?? 'syslog',
      host: syslog?.host ?? '',
      port: String(syslog?.port ?? 6514),
      isTls: syslog?.isTls === false ? 'plain' : 'tls',
      authority: syslog?.authority ?? '',
      bucket: bucket?.bucket ?? '',
      prefix: bucket?.prefix ?? 'audit/',
      region: bucket?.region ?? 'us-east-1',
      endpoint: bucket?.endpoint ?? '',
      accessKeyId: bucket?.accessKeyId ?? '',
      url: target?.kind === 'webhook' ? target.url : '',
    },
    secretAccessKey: '',
  };
}

function targetOf({ target }: ExportFields): Target {
  const { kind, host, port, isTls, authority, bucket, prefix, region, endpoint, accessKeyId, url } = target;
  if (kind === 'webhook') return { kind, url };
  if (kind === 'syslog') return { kind, host, port: Number(port), isTls: isTls === 'tls', authority };
  return { kind, bucket, prefix, region, endpoint: endpoint === '' ? null : endpoint, accessKeyId };
}

const settingsOf = (fields: ExportFields) => ({
  name: fields.name,
  target: targetOf(fields),
  ...(fields.target.kind === 'bucket' &&
    fields.secretAccessKey !== '' && { secretAccessKey: fields.secretAccessKey }),
});

/** The input to create a destination. */
export const newExportOf = (fields: ExportFields): In<typeof auditExports.createAuditExport> => ({
  ...settingsOf(fields),
  start: fields.start,
});
/** The input to change a destination; a stored key stays unless another was entered. */
export const changesOf = (
  { id, version }: AuditExport,
  fields: ExportFields,
): In<typeof auditExports.updateAuditExport> => ({ exportId: id, version, ...settingsOf(fields) });
