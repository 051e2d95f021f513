// XML Schemas of the MIG 4.1 messages, generated from the table that the product validates with, for an
// independent validator (libxml2). The Ministry's own schemas come only with Turnkey and may not be copied.
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm';
import {
  migDigits,
  migSchemas,
  type MigContent,
  type MigRule,
  type MigType,
} from '#features/receivables/einvoices/server/providers/mig-schema.ts';

const simple = (base: string, facets: string): string =>
  `<xs:simpleType><xs:restriction base="${base}">${facets}</xs:restriction></xs:simpleType>`;

function typeOf(content: MigContent): string {
  if ('parts' in content)
    return `<xs:complexType><xs:sequence>${content.parts.map(elementOf).join('')}</xs:sequence></xs:complexType>`;
  if ('number' in content)
    return simple(
      'xs:decimal',
      `<xs:totalDigits value="${migDigits}"/><xs:fractionDigits value="${content.number.fraction}"/>` +
        (content.number.isPositive ? '<xs:minInclusive value="0"/>' : ''),
    );
  const { min, max, pattern } = content.text;
  return simple(
    'xs:string',
    `<xs:minLength value="${min}"/><xs:maxLength value="${max}"/>` +
      (pattern === undefined ? '' : `<xs:pattern value="${pattern}"/>`),
  );
}

const elementOf = ({ name, isRequired, most, content }: MigRule): string =>
  `<xs:element name="${name}" minOccurs="${isRequired ? 1 : 0}" maxOccurs="${most}">${typeOf(content)}</xs:element>`;

/** The schema of a message. */
export function xsdOf(type: MigType): string {
  const namespace = `urn:GEINV:eInvoiceMessage:${type}:4.1`;
  const { root, parts } = migSchemas[type];
  return (
    `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="${namespace}" elementFormDefault="qualified">` +
    `<xs:element name="${root}">${typeOf({ parts })}</xs:element></xs:schema>`
  );
}

/** What libxml2 reports for a message; empty when the schema accepts it. */
export function schemaErrors(schema: string, xml: string): string {
  const [schemaDocument, document] = [XmlDocument.fromString(schema), XmlDocument.fromString(xml)];
  const validator = XsdValidator.fromDoc(schemaDocument);
  try {
    validator.validate(document);
    return '';
  } catch (error) {
    if (error instanceof XmlValidateError) return error.message;
    throw error;
  } finally {
    validator.dispose();
    document.dispose();
    schemaDocument.dispose();
  }
}
