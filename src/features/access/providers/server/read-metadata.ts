// Reads a provider's SAML metadata that an Admin pasted (OASIS saml-metadata-2.0-os).
import { create } from 'xmlbuilder2';
import { domainError, type DomainError } from '#kernel/errors.ts';
import type { In, Out } from '#kernel/contract.ts';
import { isSafeAddress } from '#platform/server/config.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { mostCertificates, providersErrors, type providers } from '../contract.ts';
import { readCertificate } from './certificates.ts';

const metadataSpace = 'urn:oasis:names:tc:SAML:2.0:metadata';
const signatureSpace = 'http://www.w3.org/2000/09/xmldsig#';
const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

const refusal = (code: keyof typeof providersErrors): DomainError =>
  domainError(providersErrors, code, {}, ['metadata']);

type XmlElement = ReturnType<typeof elementsIn>[number];
type Builder = ReturnType<typeof create>;
type XmlNode = Builder['node'];

/** The descendants of a node with this name and namespace. */
function elementsIn(node: XmlNode, space: string, name: string) {
  return [...new DescendantsOf(node)].filter(
    (each) => each.localName === name && each.namespaceURI === space,
  );
}

/** Iterates over descendants without recursion, so that deep nesting cannot overflow the stack. */
class DescendantsOf {
  readonly #root: XmlNode;
  constructor(root: XmlNode) {
    this.#root = root;
  }
  *[Symbol.iterator]() {
    const waiting = [...this.#root.childNodes];
    for (let node = waiting.shift(); node; node = waiting.shift()) {
      if (node.nodeType !== 1) continue;
      yield node as Builder['node'] & {
        readonly localName: string;
        readonly namespaceURI: string | null;
        readonly getAttribute: (name: string) => string | null;
      };
      waiting.unshift(...node.childNodes);
    }
  }
}

function parse(metadata: string): XmlNode {
  // Metadata needs no entities from a document type, and expanding entities are an attack.
  if (!metadata.startsWith('<') || /<!(DOCTYPE|ENTITY)/i.test(metadata))
    throw refusal('providers.metadata_unreadable');
  try {
    return create(metadata).doc().node;
  } catch {
    // Whatever error the parser reports, this is not XML.
    throw refusal('providers.metadata_unreadable');
  }
}

/** Reads the values for the form. @throws DomainError at the field `metadata` */
export async function readMetadata(
  _ctx: Ctx,
  input: In<typeof providers.readMetadata>,
): Promise<Out<typeof providers.readMetadata>> {
  const entity = elementsIn(parse(input.metadata.trim()), metadataSpace, 'EntityDescriptor').find(
    (each) => elementsIn(each, metadataSpace, 'IDPSSODescriptor').length > 0,
  );
  const entityId = entity?.getAttribute('entityID')?.trim();
  const [provider] = entity ? elementsIn(entity, metadataSpace, 'IDPSSODescriptor') : [];
  if (!provider || !entityId) throw refusal('providers.metadata_no_provider');
  const ssoUrl = elementsIn(provider, metadataSpace, 'SingleSignOnService')
    .find((each) => each.getAttribute('Binding') === redirectBinding)
    ?.getAttribute('Location')
    ?.trim();
  if (!ssoUrl) throw refusal('providers.metadata_no_redirect');
  if (!isSafeAddress(ssoUrl)) throw refusal('providers.address_unsafe');
  const certificates = certificatesOf(provider);
  if (certificates.length === 0) throw refusal('providers.metadata_no_certificate');
  return { entityId, ssoUrl, certificates: certificates.slice(0, mostCertificates).map(readCertificate) };
}

/** The signing certificates: of keys declared for signing, and of keys without a declared use. */
function certificatesOf(provider: XmlElement): string[] {
  const found = elementsIn(provider, metadataSpace, 'KeyDescriptor')
    .filter((key) => (key.getAttribute('use') ?? 'signing') === 'signing')
    .flatMap((key) => elementsIn(key, signatureSpace, 'X509Certificate'))
    .map((each) => (each.textContent ?? '').replace(/\s/g, ''));
  return [...new Set(found)];
}
