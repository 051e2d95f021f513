// Signing certificates of identity providers.
import { X509Certificate } from 'node:crypto';
import { domainError } from '#kernel/errors.ts';
import { providersErrors, type Certificate } from '../contract.ts';

const leastRsaBits = 2048;

/**
 * Reads a certificate: PEM, or only its base64 as in metadata. It must hold a key for SAML signatures: RSA of
 * at least 2048 bits.
 * @throws DomainError `providers.certificate_wrong`, `providers.certificate_weak`
 */
export function readCertificate(given: string): Certificate {
  const base64 = given.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s/g, '');
  const certificate = parsed(base64);
  if (!certificate) throw domainError(providersErrors, 'providers.certificate_wrong', {}, ['certificates']);
  const { publicKey } = certificate;
  if (
    publicKey.asymmetricKeyType !== 'rsa' ||
    (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) < leastRsaBits
  )
    throw domainError(providersErrors, 'providers.certificate_weak', {}, ['certificates']);
  return {
    pem: certificate.toString(),
    subject: (certificate.subject ?? '').split('\n').join(', '),
    fingerprint: certificate.fingerprint256,
    expiresAt: new Date(certificate.validTo),
  };
}

function parsed(base64: string): X509Certificate | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    // Whatever error OpenSSL reports, this is not a certificate.
    return undefined;
  }
}
