import Fastify, { type FastifyInstance } from 'fastify';
import * as z from 'zod';

type CompileSerializer = NonNullable<FastifyInstance['serializerCompiler']>;

const jsonSchemas = new WeakMap<z.core.$ZodType, object>();
const serializers = new WeakMap<object, ReturnType<CompileSerializer>>();
let defaultCompiler: Promise<CompileSerializer> | undefined;

/** Returns the same object each time, so that its serializer is found. */
export function replySchema(schema: z.core.$ZodType): object {
  const known = jsonSchemas.get(schema);
  if (known) return known;
  const created = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'output',
    override: ({ jsonSchema }) => flattenNullable(jsonSchema),
  });
  jsonSchemas.set(schema, created);
  return created;
}

/** The serializer validates every value of an `anyOf`, which is slow. For a nullable type, `nullable` needs no validation. */
function flattenNullable(schema: z.core.JSONSchema.BaseSchema): void {
  const [inner, nullType, ...others] = schema.anyOf ?? [];
  if (!isSimple(inner) || !isSimple(nullType) || nullType.type !== 'null' || others.length > 0)
    return;
  delete schema.anyOf;
  Object.assign(schema, inner, { nullable: true });
  if (inner.enum) schema.enum = [...inner.enum, null];
}

const isSimple = (schema: unknown): schema is z.core.JSONSchema.BaseSchema =>
  typeof schema === 'object' &&
  schema !== null &&
  'type' in schema &&
  typeof schema.type === 'string' &&
  !('const' in schema);

/**
 * Fastify's compiler, with a cache. Without it, the error schema would be compiled for each endpoint, and the schemas of all
 * GET endpoints again for HEAD; that would be most of the server's start-up time.
 */
export async function createSerializerCompiler(): Promise<CompileSerializer> {
  defaultCompiler ??= readDefaultCompiler();
  const compile = await defaultCompiler;
  return (route) => {
    const schema = route.schema as object;
    const known = serializers.get(schema);
    if (known) return known;
    const compiled = compile(route);
    serializers.set(schema, compiled);
    return compiled;
  };
}

/** Fastify creates its compiler when an instance that has a reply schema becomes ready. */
async function readDefaultCompiler(): Promise<CompileSerializer> {
  const fastify = Fastify();
  fastify.get('/', { schema: { response: { 200: { type: 'null' } } } }, async () => null);
  await fastify.ready();
  const { serializerCompiler } = fastify;
  await fastify.close();
  if (!serializerCompiler) throw new Error('Fastify has no serializer compiler');
  return serializerCompiler;
}
