import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  type ConformanceReport,
  formatErrors,
  readDescription,
  unavailableReport,
  ViolationCounter,
} from '../shared/api-description-violations.ts';
import {
  type Discovery,
  type DiscoveryMethod,
  type DiscoveryParameter,
  type DiscoverySchema,
  type Translation,
  translate,
  translateAll,
} from './discovery-to-json-schema.ts';
import { RFC3339 } from './event-time.ts';

/** Validates Calendar API requests and responses against Google's discovery document. */
export interface Conformance {
  checkRequest: (method: string, url: URL, body: string) => void;
  checkResponse: (method: string, path: string, status: number, body: unknown) => void;
  report: () => ConformanceReport;
}

// Compiled schemas are shared by all fakes in the process.
let shared: Checker | null | undefined;

export function createConformance(): Conformance {
  if (shared === undefined) {
    const discovery = readDiscovery();
    shared = discovery && new Checker(discovery);
  }
  const checker = shared;
  if (!checker) return { checkRequest() {}, checkResponse() {}, report: unavailableReport };
  const violations = new ViolationCounter();
  return {
    checkRequest: (method, url, body) =>
      violations.record(method, url.pathname, 'request', checker.checkRequest(method, url, body)),
    checkResponse: (method, path, status, body) =>
      violations.record(
        method,
        path,
        'response',
        checker.checkResponse(method, path, status, body),
      ),
    report: () => violations.report(),
  };
}

export function readDiscovery(): Discovery | null {
  return readDescription('Google', 'google-calendar-v3.discovery.json') as Discovery | null;
}

/** The discovery document has no error schema; this is what Google's client library reads. */
const ERROR = {
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'errors'],
      additionalProperties: false,
      properties: {
        code: { type: 'integer' },
        message: { type: 'string' },
        status: { type: 'string' },
        errors: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['domain', 'reason', 'message'],
            additionalProperties: { type: 'string' },
          },
        },
      },
    },
  },
};

const PARAMETERS: Translation = { requiredBy: null, nullable: false, offsetNeeded: true };

class Checker {
  private readonly discovery: Discovery;
  private readonly methods: { method: DiscoveryMethod; pattern: RegExp }[];
  private readonly ajv = new Ajv2020({ strict: false, inlineRefs: false });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(discovery: Discovery) {
    this.discovery = discovery;
    this.methods = Object.values(discovery.resources)
      .flatMap(({ methods }) => Object.values(methods))
      .map((method) => ({ method, pattern: patternOf(discovery.basePath, method.path) }))
      // If two paths match, prefer the one with fewer parameters: `events/watch` before `events/{eventId}`.
      .toSorted((a, b) => countParams(a.method) - countParams(b.method));
    this.ajv.addFormat('rfc3339', (text) => RFC3339.test(text) && isTime(text));
    this.ajv.addFormat('rfc3339-or-local', (text) => isTime(text));
    this.ajv.addFormat('day', (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isTime(text));
  }

  checkRequest(method: string, url: URL, body: string): string[] {
    const found = this.findMethod(method, url.pathname);
    if (!found) return ['no such method in the discovery document'];
    return [...this.checkParameters(found, url.searchParams), ...this.checkBody(found, body)];
  }

  checkResponse(method: string, path: string, status: number, body: unknown): string[] {
    const found = this.findMethod(method, path);
    // Already reported for the request.
    if (!found) return [];
    if (status >= 400) return this.checkError(status, body);
    if (status === 304) return [];
    const schema = found.response?.$ref;
    if (schema === undefined) return body === null ? [] : ['unexpected response body'];
    const options = { requiredBy: null, nullable: false, offsetNeeded: true };
    return this.findProblems(`response ${schema}`, () => this.schemaOf(schema, options), body);
  }

  private checkError(status: number, body: unknown): string[] {
    const problems = this.findProblems('error', () => ERROR, body);
    if (problems.length > 0) return problems;
    const { code } = (body as { error: { code: number } }).error;
    return code === status ? [] : [`error code ${code} differs from status ${status}`];
  }

  private checkParameters(method: DiscoveryMethod, query: URLSearchParams): string[] {
    const known = { ...this.discovery.parameters, ...method.parameters };
    const missing = Object.entries(known)
      .filter(
        ([name, { required, location }]) => required && location === 'query' && !query.has(name),
      )
      .map(([name]) => `missing parameter ${name}`);
    const invalid = [...new Set(query.keys())].flatMap((name) => {
      const parameter = known[name];
      if (parameter?.location !== 'query') return [`unknown parameter ${name}`];
      const values = query.getAll(name);
      const repeated = values.length > 1 && !parameter.repeated;
      if (repeated) return [`parameter ${name} occurs ${values.length} times`];
      return values.flatMap((value) => this.checkParameter(method.id, name, parameter, value));
    });
    return [...missing, ...invalid];
  }

  private checkParameter(
    id: string,
    name: string,
    parameter: DiscoveryParameter,
    text: string,
  ): string[] {
    const problems = this.findProblems(
      `parameter ${id} ${name}`,
      () => translate(withoutId(parameter), PARAMETERS),
      parseValue(parameter, text),
    );
    return problems.map((problem) => `parameter ${name}: ${problem}`);
  }

  private checkBody(method: DiscoveryMethod, text: string): string[] {
    const schema = method.request?.$ref;
    if (schema === undefined) return text === '' ? [] : ['unexpected request body'];
    let value: unknown;
    try {
      value = JSON.parse(text === '' ? '{}' : text);
    } catch {
      return ['the body is not JSON'];
    }
    const nullable = method.httpMethod === 'PATCH';
    const options = { requiredBy: method.id, nullable, offsetNeeded: false };
    return this.findProblems(`request ${method.id}`, () => this.schemaOf(schema, options), value);
  }

  private findMethod(method: string, path: string): DiscoveryMethod | undefined {
    return this.methods.find((each) => each.method.httpMethod === method && each.pattern.test(path))
      ?.method;
  }

  private schemaOf(name: string, options: Translation): object {
    return { $ref: `#/$defs/${name}`, $defs: translateAll(this.discovery, options) };
  }

  private findProblems(key: string, schema: () => object, value: unknown): string[] {
    let validate = this.compiled.get(key);
    if (!validate) {
      validate = this.ajv.compile(schema());
      this.compiled.set(key, validate);
    }
    return validate(value) ? [] : formatErrors(validate.errors ?? []);
  }
}

function patternOf(basePath: string, path: string): RegExp {
  return new RegExp(`^${basePath}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

function countParams({ path }: DiscoveryMethod): number {
  return path.split('{').length;
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));
}

function withoutId({ id: _id, ...rest }: DiscoverySchema): DiscoverySchema {
  return rest;
}

/** Query values are strings, so numbers and booleans are parsed. */
function parseValue({ type }: DiscoveryParameter, text: string): unknown {
  if (type === 'integer') return /^-?\d+$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  return text;
}
