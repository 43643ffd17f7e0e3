import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  type ConformanceReport,
  formatErrors,
  readDescription,
  unavailableReport,
  ViolationCounter,
} from '../shared/api-description-violations.ts';
import { type AnyEvent, isThin } from './event-types.ts';
import { toPayload } from './webhook-sender.ts';

interface Operation {
  'x-query-schema'?: object;
  requestBody?: { content: Record<string, unknown> };
}

interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, { properties?: { type?: { enum?: unknown[] } } }>;
  };
}

/** Validates requests, responses and events against Stripe's API description. */
export interface Conformance {
  checkRequest: (method: string, path: string, params: unknown) => void;
  checkResponse: (method: string, path: string, status: number, body: unknown) => void;
  checkEvent: (event: AnyEvent) => void;
  report: () => ConformanceReport;
}

// Compiling takes seconds, so all fakes in the process share the compiled schemas.
let shared: Checker | null | undefined;

export function createConformance(): Conformance {
  if (shared === undefined) {
    const description = readDescription('Stripe', 'stripe-openapi.trimmed.json');
    shared = description === null ? null : new Checker(description as Description);
  }
  return shared
    ? createChecks(shared)
    : { checkRequest() {}, checkResponse() {}, checkEvent() {}, report: unavailableReport };
}

function createChecks(checker: Checker): Conformance {
  const violations = new ViolationCounter();
  return {
    checkRequest: (method, path, params) =>
      violations.record(method, path, 'request', checker.checkRequest(method, path, params)),
    checkResponse: (method, path, status, body) =>
      violations.record(
        method,
        path,
        'response',
        checker.checkResponse(method, path, status, body),
      ),
    checkEvent: (event) =>
      violations.record('POST', event.type, 'event', checker.checkEvent(event)),
    report: () => violations.report(),
  };
}

class Checker {
  private readonly description: Description;
  private readonly forRequests: Ajv2020;
  private readonly forResponses: Ajv2020;
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly paths: { pattern: RegExp; name: string }[];
  private readonly eventSchemas = new Map<unknown, string>();

  constructor(description: Description) {
    this.description = description;
    // Most schemas are used only once or twice, so compile time matters most.
    const options = { strict: false, inlineRefs: false, code: { optimize: false } };
    // Form values are strings, so numbers and booleans are coerced.
    this.forRequests = new Ajv2020({ ...options, coerceTypes: true });
    this.forResponses = new Ajv2020(options);
    for (const ajv of [this.forRequests, this.forResponses]) {
      ajv.addSchema(this.description, 'api');
    }
    this.paths = Object.keys(this.description.paths).map((name) => ({
      name,
      pattern: new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }));
    for (const [name, schema] of Object.entries(this.description.components.schemas)) {
      const type = schema.properties?.type?.enum?.[0];
      // The V1 schemas are thin variants of snapshot events, which the fake does not send.
      if (name.endsWith('Event') && !name.includes('.V1')) this.eventSchemas.set(type, name);
    }
  }

  checkRequest(method: string, path: string, params: unknown): string[] {
    const found = this.findOperation(method, path);
    if (!found) return ['no such operation in the API description'];
    const { operation, pointer } = found;
    const type = Object.keys(operation.requestBody?.content ?? {})[0];
    const schemaPointer =
      method === 'GET'
        ? operation['x-query-schema'] && `${pointer}/x-query-schema`
        : type && `${pointer}/requestBody/content/${escapePointer(type)}/schema`;
    if (!schemaPointer) return [];
    // Coercion modifies its input, so validate a copy.
    const copy = structuredClone(params) as Record<string, unknown>;
    // `page` comes from `next_page_url` and is not in the API description.
    if (path.startsWith('/v2/')) delete copy['page'];
    return this.findProblems(this.forRequests, schemaPointer, copy);
  }

  checkResponse(method: string, path: string, status: number, body: unknown): string[] {
    const found = this.findOperation(method, path);
    // Already reported for the request.
    if (!found) return [];
    const code = status === 200 ? '200' : 'default';
    const schemaPointer = `${found.pointer}/responses/${code}/content/${escapePointer('application/json')}/schema`;
    return this.findProblems(this.forResponses, schemaPointer, body);
  }

  checkEvent(event: AnyEvent): string[] {
    const name = this.eventSchemas.get(event.type);
    if (name === undefined) return ['no such event in the API description'];
    const schemaPointer = `/components/schemas/${escapePointer(name)}`;
    const problems = this.findProblems(this.forResponses, schemaPointer, event);
    const hasData = 'data' in toPayload(event);
    if (isThin(event) && hasData) problems.push('thin event delivered with data');
    return problems;
  }

  private findOperation(method: string, path: string) {
    const name = this.paths.find(({ pattern }) => pattern.test(path))?.name;
    const verb = method.toLowerCase();
    const operation = name === undefined ? undefined : this.description.paths[name]?.[verb];
    return operation && { operation, pointer: `/paths/${escapePointer(name ?? '')}/${verb}` };
  }

  private findProblems(ajv: Ajv2020, pointer: string, value: unknown): string[] {
    const key = `${ajv === this.forRequests ? 'request' : 'response'} ${pointer}`;
    let validate = this.compiled.get(key);
    if (!validate) {
      validate = ajv.compile({ $ref: `api#${encodeURI(pointer)}` });
      this.compiled.set(key, validate);
    }
    return validate(value) ? [] : formatErrors(validate.errors ?? []);
  }
}

function escapePointer(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}
