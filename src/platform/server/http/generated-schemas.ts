// The schemas of calls, as the server uses them. Contracts are made with zod/mini, which goes through the fields
// of an object one by one, because that takes less code in the browser. Here the same schemas get the objects of
// zod itself, whose parsers are generated on first use: a list of 25 users is encoded in half the time.
import * as z from 'zod/mini';
import { oncePer } from '#kernel/once.ts';

/**
 * A schema with the same meaning as `schema`, whose objects have generated parsers. It is made on first use,
 * because most of the calls are rarely made.
 */
export const withGeneratedParsers: (schema: z.core.$ZodType) => z.core.$ZodType = oncePer(generate);

function generate(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = withGeneratedParsers;
  if (schema instanceof z.core.$ZodObject) {
    const { def } = schema._zod;
    const fields = Object.entries<z.core.$ZodType>(def.shape);
    return new z.core.$ZodObjectJIT({
      ...def,
      shape: Object.fromEntries(fields.map(([name, field]) => [name, inner(field)])),
    });
  }
  if (schema instanceof z.core.$ZodArray)
    return z.clone(schema, { ...schema._zod.def, element: inner(schema._zod.def.element) });
  if (schema instanceof z.core.$ZodNullable || schema instanceof z.core.$ZodOptional)
    return z.clone(schema, { ...schema._zod.def, innerType: inner(schema._zod.def.innerType) });
  if (schema instanceof z.core.$ZodUnion)
    return z.clone(schema, { ...schema._zod.def, options: schema._zod.def.options.map(inner) });
  // Whatever is inside the other kinds stays as the contract has it.
  return schema;
}
