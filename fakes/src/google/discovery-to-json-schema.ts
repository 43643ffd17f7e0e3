/** Google's discovery document and its translation into JSON Schema. */

export interface DiscoverySchema {
  id?: string;
  $ref?: string;
  type?: string;
  format?: string;
  enum?: string[];
  pattern?: string;
  /** Limits are numbers, given as strings. */
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
  /** The method whose required fields apply; null for responses, where any field may be missing. */
  requiredBy: string | null;
  /** In a patch, null removes a field. */
  nullable: boolean;
  /** In requests, a time may omit the offset if `timeZone` is set. */
  offsetNeeded: boolean;
}

type JsonSchema = Record<string, unknown>;

/** All schemas by name, for `$defs`. */
export function translateAll(discovery: Discovery, options: Translation): JsonSchema {
  const schemas = Object.entries(discovery.schemas);
  return Object.fromEntries(schemas.map(([name, schema]) => [name, translate(schema, options)]));
}

export function translate(schema: DiscoverySchema, options: Translation): JsonSchema {
  const translated = translateType(schema, options);
  return options.nullable && schema.id === undefined
    ? { anyOf: [translated, { type: 'null' }] }
    : translated;
}

function translateType(schema: DiscoverySchema, options: Translation): JsonSchema {
  if (schema.$ref !== undefined) return { $ref: `#/$defs/${schema.$ref}` };
  const { type, items, properties, additionalProperties, pattern } = schema;
  const result: JsonSchema = { ...formatOf(schema, options) };
  if (type !== undefined && type !== 'any') result['type'] = type;
  if (schema.enum) result['enum'] = schema.enum;
  if (pattern !== undefined) result['pattern'] = pattern;
  if (schema.minimum !== undefined) result['minimum'] = Number(schema.minimum);
  if (schema.maximum !== undefined) result['maximum'] = Number(schema.maximum);
  if (items) result['items'] = translate(items, { ...options, nullable: false });
  if (additionalProperties)
    result['additionalProperties'] = translate(additionalProperties, options);
  if (properties) {
    const fields = Object.entries(properties);
    result['properties'] = Object.fromEntries(
      fields.map(([name, field]) => [name, translate(field, options)]),
    );
    result['required'] = fields
      .filter(([, field]) => field.annotations?.required?.includes(options.requiredBy ?? ''))
      .map(([name]) => name);
    // Google ignores unknown fields; here they are rejected as likely typos.
    result['additionalProperties'] ??= false;
  }
  return result;
}

function formatOf({ format }: DiscoverySchema, options: Translation): JsonSchema {
  switch (format) {
    case 'date-time':
      return { format: options.offsetNeeded ? 'rfc3339' : 'rfc3339-or-local' };
    case 'date':
      return { format: 'day' };
    case 'int32':
      return { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
    case 'uint32':
      return { minimum: 0, maximum: 2 ** 32 - 1 };
    case 'int64':
    case 'uint64':
      // Too large for JSON numbers, so they are sent as strings.
      return { pattern: '^-?\\d{1,20}$' };
    case undefined:
    default:
      return {};
  }
}
