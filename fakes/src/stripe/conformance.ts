import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  type ConformanceReport,
  formatErrors,
  readDescription,
  unavailableReport,
  ViolationCounter,
} from '../shared/conformance.ts';
import { type AnyEvent, asDelivered, isThin } from './event-types.ts';

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

/** Holds requests, answers and events against the vendor's description of its API. */
export interface Conformance {
  request: (method: string, path: string, params: unknown) => void;
  answer: (method: string, path: string, status: number, body: unknown) => void;
  event: (event: AnyEvent) => void;
  report: () => ConformanceReport;
}

// Compiling takes seconds and the description does not change: every stand-in of a process shares it.
let shared: Checker | null | undefined;

export function openConformance(): Conformance {
  if (shared === undefined) {
    const description = readDescription('Stripe', 'stripe-openapi.trimmed.json');
    shared = description === null ? null : new Checker(description as Description);
  }
  return shared
    ? checking(shared)
    : { request() {}, answer() {}, event() {}, report: unavailableReport };
}

function checking(checker: Checker): Conformance {
  const tally = new ViolationCounter();
  return {
    request: (method, path, params) =>
      tally.note(method, path, 'request', checker.request(method, path, params)),
    answer: (method, path, status, body) =>
      tally.note(method, path, 'answer', checker.answer(method, path, status, body)),
    event: (event) => tally.note('POST', event.type, 'event', checker.event(event)),
    report: () => tally.report(),
  };
}

class Checker {
  private readonly description: Description;
  private readonly forRequests: Ajv2020;
  private readonly forAnswers: Ajv2020;
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly paths: { pattern: RegExp; name: string }[];
  private readonly eventSchemas = new Map<unknown, string>();

  constructor(description: Description) {
    this.description = description;
    // Most schemas are met once or twice, so what counts is how fast they compile.
    const options = { strict: false, inlineRefs: false, code: { optimize: false } };
    // A form has only texts, so numbers and truths are read out of them.
    this.forRequests = new Ajv2020({ ...options, coerceTypes: true });
    this.forAnswers = new Ajv2020(options);
    for (const ajv of [this.forRequests, this.forAnswers]) {
      ajv.addSchema(this.description, 'api');
    }
    this.paths = Object.keys(this.description.paths).map((name) => ({
      name,
      pattern: new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }));
    for (const [name, schema] of Object.entries(this.description.components.schemas)) {
      const type = schema.properties?.type?.enum?.[0];
      // The thin events have twins of the snapshots' among them, which are not the ones sent.
      if (name.endsWith('Event') && !name.includes('.V1')) this.eventSchemas.set(type, name);
    }
  }

  request(method: string, path: string, params: unknown): string[] {
    const found = this.find(method, path);
    if (!found) return ['the description has no such operation'];
    const { operation, pointer } = found;
    const type = Object.keys(operation.requestBody?.content ?? {})[0];
    const at =
      method === 'GET'
        ? operation['x-query-schema'] && `${pointer}/x-query-schema`
        : type && `${pointer}/requestBody/content/${escaped(type)}/schema`;
    if (!at) return [];
    // The reading of numbers changes what it reads, so it gets a copy.
    const copy = structuredClone(params) as Record<string, unknown>;
    // Comes from following `next_page_url`, which the description does not spell out.
    if (path.startsWith('/v2/')) delete copy['page'];
    return this.problems(this.forRequests, at, copy);
  }

  answer(method: string, path: string, status: number, body: unknown): string[] {
    const found = this.find(method, path);
    // Already noted for the request.
    if (!found) return [];
    const code = status === 200 ? '200' : 'default';
    const at = `${found.pointer}/responses/${code}/content/${escaped('application/json')}/schema`;
    return this.problems(this.forAnswers, at, body);
  }

  event(event: AnyEvent): string[] {
    const name = this.eventSchemas.get(event.type);
    if (name === undefined) return ['the description has no such event'];
    const at = `/components/schemas/${escaped(name)}`;
    const problems = this.problems(this.forAnswers, at, event);
    const hasData = 'data' in asDelivered(event);
    if (isThin(event) && hasData) problems.push('a thin event was delivered with data');
    return problems;
  }

  private find(method: string, path: string) {
    const name = this.paths.find(({ pattern }) => pattern.test(path))?.name;
    const verb = method.toLowerCase();
    const operation = name === undefined ? undefined : this.description.paths[name]?.[verb];
    return operation && { operation, pointer: `/paths/${escaped(name ?? '')}/${verb}` };
  }

  private problems(ajv: Ajv2020, pointer: string, value: unknown): string[] {
    const key = `${ajv === this.forRequests ? 'request' : 'answer'} ${pointer}`;
    let validate = this.compiled.get(key);
    if (!validate) {
      validate = ajv.compile({ $ref: `api#${encodeURI(pointer)}` });
      this.compiled.set(key, validate);
    }
    return validate(value) ? [] : formatErrors(validate.errors ?? []);
  }
}

function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}
