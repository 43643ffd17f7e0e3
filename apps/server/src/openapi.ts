import { type Endpoint, REVISION_HEADER } from '@lessonbook/contract/endpoint';
import { ErrorBody } from '@lessonbook/contract/errors';
import * as z from 'zod';
import { sha256 } from './platform/crypto/tokens.ts';
import { CONTACT_COOKIE_SUFFIX } from './platform/http/cookies.ts';
import { etagMatches } from './platform/http/file-responses.ts';
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
      securitySchemes: {
        login: { type: 'apiKey', in: 'cookie', name: cookieName },
        familyLogin: {
          type: 'apiKey',
          in: 'cookie',
          name: `${cookieName}-${CONTACT_COOKIE_SUFFIX}`,
        },
      },
    },
  };
}

export function openApiRoutes(http: HttpServer, cookieName: string): void {
  serveCached(http, '/api/openapi.json', 'application/json; charset=utf-8', () =>
    JSON.stringify(buildOpenApiDocument(http.endpoints, cookieName)),
  );
  serveCached(http, '/api/docs', 'text/html; charset=utf-8', () =>
    renderApiDocs(http.endpoints, (schema) => toJsonSchema(schema, 'input')),
  );
}

/** Builds the text on the first request and caches it, because anyone may request it and building it takes about 100 ms. */
function serveCached(http: HttpServer, path: string, type: string, build: () => string): void {
  let page: { body: Buffer; etag: string } | undefined;
  const buildPage = () => {
    const text = build();
    return { body: Buffer.from(text), etag: `"${sha256(text).toString('base64url')}"` };
  };
  http.fastify.get(path, async (request, reply) => {
    page ??= buildPage();
    reply.headers({ etag: page.etag, 'cache-control': 'no-cache' });
    if (etagMatches(request.headers['if-none-match'] ?? '', page.etag))
      return reply.status(304).send();
    return reply.type(type).send(page.body);
  });
}

function toOperation(endpoint: Endpoint): JsonObject {
  const content = (schema: z.core.$ZodType, io: 'input' | 'output', type = 'application/json') => ({
    [type]: { schema: toJsonSchema(schema, io) },
  });
  return {
    summary: endpoint.summary,
    security: toSecurity(endpoint),
    ...(endpoint.requires ? { 'x-requires': endpoint.requires } : {}),
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
              ...(isTutorWrite(endpoint) && { headers: revisionHeader }),
              content: content(endpoint.reply, 'output', endpoint.file),
            },
          }),
      ...(endpoint.requires === 'recent-auth'
        ? {
            403: {
              description:
                'The code confirmation_needed means: reauthenticate (/api/reauthenticate), then repeat the request',
              content: content(ErrorBody, 'output'),
            },
          }
        : {}),
      default: { description: 'Error', content: content(ErrorBody, 'output') },
    },
  };
}

const toSecurity = ({ access }: Endpoint): JsonObject[] => {
  if (access === 'public') return [];
  return [{ [access === 'login' ? 'login' : 'familyLogin']: [] }];
};

const isTutorWrite = ({ method, access }: Endpoint): boolean =>
  method !== 'GET' && access === 'login';

const revisionHeader = {
  [REVISION_HEADER]: {
    description: "The tutor's revision after the change; missing if nothing has changed",
    schema: { type: 'integer' },
  },
};

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
