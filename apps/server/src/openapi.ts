import type { Endpoint } from '@lessonbook/contract/endpoint';
import { ErrorBody } from '@lessonbook/contract/errors';
import * as z from 'zod';
import type { HttpServer } from './platform/http/http-server.ts';
import { renderApiDocs } from './platform/http/render-api-docs.ts';

type JsonObject = Record<string, unknown>;

/** Generated from the contract, so it always matches the endpoints that are served. */
function buildOpenApiDocument(endpoints: readonly Endpoint[], cookieName: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: toOperation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Lessonbook', version: '1', description: 'The API of the Lessonbook app.' },
    paths,
    components: {
      securitySchemes: { login: { type: 'apiKey', in: 'cookie', name: cookieName } },
    },
  };
}

export function openApiRoutes(http: HttpServer, cookieName: string): void {
  let document: JsonObject | undefined;
  const getDocument = () => (document ??= buildOpenApiDocument(http.endpoints, cookieName));
  http.fastify.get('/api/openapi.json', async () => getDocument());
  http.fastify.get('/api/docs', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .send(renderApiDocs(http.endpoints, (schema) => toJsonSchema(schema, 'input'))),
  );
}

function toOperation(endpoint: Endpoint): JsonObject {
  const content = (schema: z.core.$ZodType, io: 'input' | 'output', type = 'application/json') => ({
    [type]: { schema: toJsonSchema(schema, io) },
  });
  return {
    summary: endpoint.summary,
    ...(endpoint.access === 'login' ? { security: [{ login: [] }] } : { security: [] }),
    parameters: [
      ...toParameters(endpoint.params, 'path'),
      ...toParameters(endpoint.query, 'query'),
    ],
    ...(endpoint.body
      ? { requestBody: { required: true, content: content(endpoint.body, 'input') } }
      : {}),
    responses: {
      ...(endpoint.redirects
        ? { 303: { description: 'Redirect' } }
        : {
            [endpoint.status ?? 200]: {
              description: 'Success',
              content: content(endpoint.reply, 'output', endpoint.file),
            },
          }),
      default: { description: 'Error', content: content(ErrorBody, 'output') },
    },
  };
}

function toParameters(schema: Endpoint['params'], location: 'path' | 'query'): JsonObject[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input') as {
    properties?: JsonObject;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema: property,
  }));
}

function toJsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
