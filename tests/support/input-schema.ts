// The JSON Schema of a call's input, for tests that generate inputs.
import * as z from 'zod/mini';

export type Schema = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly examples?: readonly unknown[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
};
export type Definitions = Readonly<Record<string, Schema>>;

/** The schema of what a call takes, with the examples that its shapes carry. */
export function schemaOf(shape: z.ZodMiniObject): Schema & { readonly $defs?: Definitions } {
  return z.toJSONSchema(shape, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => void Object.assign(jsonSchema, z.globalRegistry.get(zodSchema)),
  }) as Schema & { readonly $defs?: Definitions };
}
