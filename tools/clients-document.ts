// The API document in the form that client generators for other languages handle well: OpenAPI 3.0 with
// simple, named schemas. Such generators handle neither alternatives nor null well, and number unnamed
// schemas, so that a number could mean another schema in the next version.

export type Json = { [key: string]: unknown };
export type Document = {
  readonly openapi: string;
  readonly info: Json;
  readonly servers: readonly Json[];
  readonly paths: Readonly<Record<string, Record<string, Json>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json };
};

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
/** Converts `billing.adminListBills` to a type name. */
const typeName = (id: string): string =>
  id
    .split(/[^A-Za-z0-9]+/)
    .map(capitalized)
    .join('');

const schemaPrefix = '#/components/schemas/';
const refTo = (name: string, isNullable: boolean): Json =>
  // OpenAPI 3.0 allows nothing beside a reference.
  isNullable ? { allOf: [{ $ref: schemaPrefix + name }], nullable: true } : { $ref: schemaPrefix + name };

/** The schema name that a schema refers to, directly or as the only part of `allOf`. */
function referred(schema: Json): string | undefined {
  const parts = Array.isArray(schema['allOf']) ? schema['allOf'].filter(isJson) : [];
  const { $ref } = parts.length === 1 ? (parts[0] ?? {}) : schema;
  return typeof $ref === 'string' ? $ref.slice(schemaPrefix.length) : undefined;
}

/** The alternatives of a schema (`oneOf`, `anyOf`); undefined when it has none. */
function alternativesOf(schema: Json): Json[] | undefined {
  const found = schema['oneOf'] ?? schema['anyOf'];
  return Array.isArray(found) ? found.filter(isJson) : undefined;
}

/** Simplifies schemas for generators, and collects those that get a name. */
class SchemaSimplifier {
  readonly named: Record<string, Json> = {};
  readonly #components: Readonly<Record<string, Json>>;
  readonly #names: Map<string, string>;

  constructor(given: Readonly<Record<string, Json>>) {
    this.#components = given;
    this.#names = new Map(Object.keys(given).map((name) => [name, typeName(name)]));
  }

  /** A reference to a schema of the document, which is simplified together with everything it contains. */
  #refer(name: string, isNullable: boolean): Json {
    const own = this.#names.get(name) ?? name;
    const given = this.#resolved(this.#components[name] ?? {});
    if (!isJson(given['properties']))
      return this.simplified({ ...given, ...(isNullable && { nullable: true }) }, own);
    if (this.named[own] === undefined) {
      // Set before its contents are visited, because the schema may contain itself.
      this.named[own] = {};
      this.named[own] = this.#object(given, own);
    }
    return refTo(own, isNullable);
  }

  /** Follows references, and merges alternatives into one schema. */
  #resolved(schema: Json): Json {
    const name = referred(schema);
    if (name !== undefined) return this.#resolved(this.#components[name] ?? {});
    const alternatives = alternativesOf(schema);
    if (alternatives === undefined) return schema;
    const isNullable = schema['nullable'] === true;
    return { ...this.#merged(alternatives), ...(isNullable && { nullable: true }) };
  }

  /**
   * One schema that accepts every alternative: for objects the fields of all of them, for texts a text, and
   * for mixed types anything.
   */
  #merged(alternatives: readonly Json[]): Json {
    const texts = new Set(alternatives.map((each) => JSON.stringify(each)));
    const [only] = alternatives;
    if (texts.size === 1 && only !== undefined) return only;
    const each = alternatives.map((one) => this.#resolved(one));
    if (each.every(({ type }) => type === 'string')) {
      const values = each.flatMap(({ enum: one }) => (Array.isArray(one) ? one : [undefined]));
      return { type: 'string', ...(!values.includes(undefined) && { enum: [...new Set(values)] }) };
    }
    if (!each.every((one) => isJson(one['properties']))) return {};
    const fields = new Map<string, Json[]>();
    for (const { properties } of each)
      for (const [field, schema] of Object.entries(isJson(properties) ? properties : {}))
        if (isJson(schema)) fields.set(field, [...(fields.get(field) ?? []), schema]);
    const required = each.map((one) => new Set(Array.isArray(one['required']) ? one['required'] : []));
    return {
      type: 'object',
      properties: Object.fromEntries([...fields].map(([field, schemas]) => [field, this.#merged(schemas)])),
      required: [...fields.keys()].filter((field) => required.every((one) => one.has(field))),
    };
  }

  #object(schema: Json, name: string): Json {
    const properties = Object.entries(isJson(schema['properties']) ? schema['properties'] : {});
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    return {
      type: 'object',
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(
        properties.map(([field, each]) => [
          field,
          isJson(each) ? this.simplified(each, name + typeName(field)) : {},
        ]),
      ),
    };
  }

  /**
   * Simplifies a schema. An object with fields becomes a schema named `name`. Constraints that the console
   * checks (lengths, patterns, limits) are dropped, and enum values are only listed in the description: a
   * newer console may have more of them.
   */
  simplified(schema: Json, name: string): Json {
    const isNullable = schema['nullable'] === true;
    const to = referred(schema);
    if (to !== undefined) return this.#refer(to, isNullable);
    const resolved = this.#resolved(schema);
    const { type, format, items, additionalProperties: values } = resolved;
    const nullable = resolved['nullable'] === true ? { nullable: true } : {};
    if (isJson(resolved['properties'])) {
      this.named[name] = this.#object(resolved, name);
      return refTo(name, isNullable);
    }
    if (type === 'array')
      return { type, ...nullable, items: isJson(items) ? this.simplified(items, `${name}Item`) : {} };
    if (type === 'object')
      return {
        type,
        ...nullable,
        additionalProperties:
          isJson(values) && Object.keys(values).length > 0 ? this.simplified(values, `${name}Value`) : {},
      };
    if (type === 'integer') return { type, ...nullable, format: 'int64' };
    if (type === 'number') return { type, ...nullable, format: 'double' };
    const choices = Array.isArray(resolved['enum'])
      ? resolved['enum'].map(String).filter((each) => each !== '')
      : [];
    return {
      ...(type !== undefined && { type }),
      ...(typeof format === 'string' && { format }),
      ...nullable,
      ...(choices.length > 0 && { description: `One of ${choices.join(', ')}.` }),
    };
  }

  /** The body of a request or response, for each media type. */
  content(holder: Json, name: string): Json {
    const content = Object.entries(isJson(holder['content']) ? holder['content'] : {});
    if (content.length === 0) return holder;
    return {
      ...holder,
      content: Object.fromEntries(
        content.map(([type, each]) => {
          const schema = isJson(each) && isJson(each['schema']) ? each['schema'] : {};
          return [type, { schema: this.simplified(schema, name) }];
        }),
      ),
    };
  }

  operation(call: Json): Json {
    const name = typeName(String(call['operationId']));
    const parameters = Array.isArray(call['parameters']) ? call['parameters'].filter(isJson) : [];
    const responses = Object.entries(isJson(call['responses']) ? call['responses'] : {});
    return {
      ...call,
      ...(parameters.length > 0 && {
        parameters: parameters.map((each) => ({
          ...each,
          schema: this.simplified(
            isJson(each['schema']) ? each['schema'] : {},
            name + typeName(String(each['name'])),
          ),
        })),
      }),
      ...(isJson(call['requestBody']) && { requestBody: this.content(call['requestBody'], `${name}Body`) }),
      responses: Object.fromEntries(
        responses.map(([status, each]) => [
          status,
          isJson(each) ? this.content(each, `${name}Answer`) : each,
        ]),
      ),
    };
  }
}

/**
 * Converts the document to OpenAPI 3.0 for generators: every object has a name, derived from its position if
 * it has none.
 * @param document the document in OpenAPI 3.0
 * @param features only the calls of these; all if empty
 */
export function documentForGenerators(document: Document, features: readonly string[] = []): Document {
  const simplifier = new SchemaSimplifier(document.components.schemas);
  const isWanted = ({ tags }: Json): boolean =>
    features.length === 0 || (Array.isArray(tags) && features.some((each) => tags.includes(each)));
  const paths: Record<string, Record<string, Json>> = {};
  for (const [path, calls] of Object.entries(document.paths))
    for (const [method, call] of Object.entries(calls))
      if (isWanted(call)) paths[path] = { ...paths[path], [method]: simplifier.operation(call) };
  const { securitySchemes } = document.components;
  return {
    openapi: document.openapi,
    info: document.info,
    servers: document.servers,
    paths,
    components: { securitySchemes, schemas: simplifier.named },
  };
}
