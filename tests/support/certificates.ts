// Certificates for tests, made on demand by the openssl program: an authority, a server certificate for
// 127.0.0.1 and 127.0.0.2, a client certificate.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atFileEnd } from './clean-up.ts';

export const hasOpenssl = existsSync('/usr/bin/openssl');

export type Issued = {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly certificate: string;
  readonly key: string;
};
export type Authority = {
  readonly file: string;
  readonly certificate: string;
  readonly server: Issued;
  readonly client: Issued;
};

/** Creates an authority with the certificates that it issued; removed at the end of the file. */
export function makeAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-certificates-'));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string): string => join(folder, name);
  const openssl = (...given: readonly string[]): void => {
    const { status, stderr } = spawnSync('/usr/bin/openssl', given, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const authority = ['-x509', '-days', '2', '-subj', '/CN=Test authority'];
  openssl('req', ...authority, ...newKey, '-keyout', at('ca.key'), '-out', at('ca.crt'));
  const issue = (name: string, use: string, names: string): Issued => {
    const [certificateFile, keyFile] = [at(`${name}.crt`), at(`${name}.key`)];
    openssl('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', keyFile, '-out', at(`${name}.csr`));
    writeFileSync(at(`${name}.ext`), `extendedKeyUsage=${use}\n${names}`);
    const by = ['-CA', at('ca.crt'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '2'];
    const what = ['-in', at(`${name}.csr`), '-extfile', at(`${name}.ext`), '-out', certificateFile];
    openssl('x509', '-req', ...what, ...by);
    return {
      certificateFile,
      keyFile,
      certificate: readFileSync(certificateFile, 'utf8'),
      key: readFileSync(keyFile, 'utf8'),
    };
  };
  return {
    file: at('ca.crt'),
    certificate: readFileSync(at('ca.crt'), 'utf8'),
    server: issue('server', 'serverAuth', 'subjectAltName=IP:127.0.0.1,IP:127.0.0.2\n'),
    client: issue('meter', 'clientAuth', ''),
  };
}

/** Creates a key and a self-signed certificate, as identity providers use for signing. */
export function makeSelfSigned(
  name: string,
  options: { readonly bits?: number; readonly days?: number } = {},
): {
  readonly certificate: string;
  readonly key: string;
} {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-certificates-'));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  const [key, certificate] = [join(folder, 'own.key'), join(folder, 'own.crt')];
  const { bits = 2048, days = 30 } = options;
  const made = ['-newkey', `rsa:${bits}`, '-nodes', '-keyout', key, '-out', certificate];
  const { status, stderr } = spawnSync(
    '/usr/bin/openssl',
    ['req', '-x509', '-days', String(days), '-subj', `/CN=${name}`, ...made],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
}
