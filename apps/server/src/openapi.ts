import type { Endpoint } from '@lessonbook/contract/endpoint';
import { ErrorBody } from '@lessonbook/contract/errors';
import * as z from 'zod';
import { renderApiDocs } from './platform/http/api-docs.ts';
import type { HttpServer } from './platform/http/http-server.ts';

type JsonObject = Record<string, unknown>;

/** Generated from the contract, so it always matches the endpoints that are served. */
function openApiDocument(endpoints: readonly Endpoint[], cookieName: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
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
  const read = () => (document ??= openApiDocument(http.endpoints, cookieName));
  http.fastify.get('/api/openapi.json', async () => read());
  http.fastify.get('/api/docs', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .send(renderApiDocs(http.endpoints, (schema) => schemaOf(schema, 'input'))),
  );
}

function operation(endpoint: Endpoint): JsonObject {
  const content = (schema: z.core.$ZodType, io: 'input' | 'output', type = 'application/json') => ({
    [type]: { schema: schemaOf(schema, io) },
  });
  return {
    summary: endpoint.summary,
    ...(endpoint.access === 'login' ? { security: [{ login: [] }] } : { security: [] }),
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(endpoint.body
      ? { requestBody: { required: true, content: content(endpoint.body, 'input') } }
      : {}),
    responses: {
      ...(endpoint.redirects
        ? { 303: { description: 'Redirect' } }
        : {
            [endpoint.status ?? 200]: {
              description: 'Done',
              content: content(endpoint.reply, 'output', endpoint.file),
            },
          }),
      default: { description: 'Error', content: content(ErrorBody, 'output') },
    },
  };
}

function parameters(schema: Endpoint['params'], location: 'path' | 'query'): JsonObject[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
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

function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
