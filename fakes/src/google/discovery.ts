/** Google's description of its API and its translation into JSON schema. */

export interface DiscoverySchema {
  id?: string;
  $ref?: string;
  type?: string;
  format?: string;
  enum?: string[];
  pattern?: string;
  /** Numbers, written as texts. */
  minimum?: string;
  maximum?: string;
  items?: DiscoverySchema;
  properties?: Record<string, DiscoverySchema>;
  additionalProperties?: DiscoverySchema;
  annotations?: { required?: string[] };
}

export interface DiscoveryParameter extends DiscoverySchema {
  location?: 'path' | 'query';
  required?: boolean;
  repeated?: boolean;
}

export interface DiscoveryMethod {
  id: string;
  httpMethod: string;
  path: string;
  parameters?: Record<string, DiscoveryParameter>;
  request?: { $ref: string };
  response?: { $ref: string };
  scopes?: string[];
}

export interface Discovery {
  basePath: string;
  parameters: Record<string, DiscoveryParameter>;
  resources: Record<string, { methods: Record<string, DiscoveryMethod> }>;
  schemas: Record<string, DiscoverySchema>;
}

export interface Translation {
  /** The method whose required fields count; none in answers, where anything may be missing. */
  requiredBy: string | null;
  /** A patch takes fields away with null. */
  nullable: boolean;
  /** Times in requests may leave out the offset, where a time zone stands beside them. */
  offsetNeeded: boolean;
}

type JsonSchema = Record<string, unknown>;

/** All schemas, each under its name in `$defs`. */
export function translateAll(discovery: Discovery, how: Translation): JsonSchema {
  const schemas = Object.entries(discovery.schemas);
  return Object.fromEntries(schemas.map(([name, schema]) => [name, translate(schema, how)]));
}

export function translate(schema: DiscoverySchema, how: Translation): JsonSchema {
  const plain = translateType(schema, how);
  return how.nullable && schema.id === undefined ? { anyOf: [plain, { type: 'null' }] } : plain;
}

function translateType(schema: DiscoverySchema, how: Translation): JsonSchema {
  if (schema.$ref !== undefined) return { $ref: `#/$defs/${schema.$ref}` };
  const { type, items, properties, additionalProperties, pattern } = schema;
  const result: JsonSchema = { ...formatOf(schema, how) };
  if (type !== undefined && type !== 'any') result['type'] = type;
  if (schema.enum) result['enum'] = schema.enum;
  if (pattern !== undefined) result['pattern'] = pattern;
  if (schema.minimum !== undefined) result['minimum'] = Number(schema.minimum);
  if (schema.maximum !== undefined) result['maximum'] = Number(schema.maximum);
  if (items) result['items'] = translate(items, { ...how, nullable: false });
  if (additionalProperties) result['additionalProperties'] = translate(additionalProperties, how);
  if (properties) {
    const fields = Object.entries(properties);
    result['properties'] = Object.fromEntries(
      fields.map(([name, field]) => [name, translate(field, how)]),
    );
    result['required'] = fields
      .filter(([, field]) => field.annotations?.required?.includes(how.requiredBy ?? ''))
      .map(([name]) => name);
    // Google passes over fields it does not know; here they are most likely spelt wrong.
    result['additionalProperties'] ??= false;
  }
  return result;
}

function formatOf({ format }: DiscoverySchema, how: Translation): JsonSchema {
  switch (format) {
    case 'date-time':
      return { format: how.offsetNeeded ? 'rfc3339' : 'rfc3339-or-local' };
    case 'date':
      return { format: 'day' };
    case 'int32':
      return { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
    case 'uint32':
      return { minimum: 0, maximum: 2 ** 32 - 1 };
    case 'int64':
    case 'uint64':
      // Too long for JSON's numbers, so they travel as texts.
      return { pattern: '^-?\\d{1,20}$' };
    case undefined:
    default:
      return {};
  }
}
