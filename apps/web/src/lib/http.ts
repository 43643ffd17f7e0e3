import {
  type Endpoint,
  type EndpointArguments,
  type EndpointReply,
  MAX_PAGE_SIZE,
  REVISION_HEADER,
} from '@lessonbook/contract/endpoint';
import type { ErrorBody, ErrorCode, Overlap } from '@lessonbook/contract/errors';
import { onlineManager } from '@tanstack/react-query';
import { reportRevision } from './data-revision.ts';

interface ApiErrorInit {
  status: number;
  message: string;
  /** The text to show the user. If it is missing, the caller's fallback replaces "500 Internal Server Error". */
  userMessage?: string | undefined;
  code?: ErrorCode | undefined;
  fields?: Record<string, string> | undefined;
  overlaps?: Overlap[] | undefined;
}

/** Thrown for every response that is not OK. Status 0 means that there was no response. */
export class ApiError extends Error {
  readonly status: number;
  readonly userMessage: string | undefined;
  readonly code: ErrorCode | undefined;
  readonly fields: Record<string, string> | undefined;
  /** Overlapping sessions, which the tutor may accept. */
  readonly overlaps: Overlap[] | undefined;

  constructor(init: ApiErrorInit) {
    super(init.message);
    this.name = 'ApiError';
    this.status = init.status;
    this.userMessage = init.userMessage;
    this.code = init.code;
    this.fields = init.fields;
    this.overlaps = init.overlaps;
  }
}

/** Not found, so retrying does not help. */
export const isNotFound = (error: Error | null): boolean =>
  error instanceof ApiError && error.status === 404;

interface RequestParts {
  /** Identifies one attempt to save; retries send the same key. */
  idempotencyKey?: string;
  /** Cancels the request. */
  signal?: AbortSignal;
  params?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
}

/** All requests to the API go through this function. The contract defines input and output. */
export async function callApi<E extends Endpoint>(
  endpoint: E,
  ...[input]: EndpointArguments<E, { idempotencyKey?: string; signal?: AbortSignal }>
): Promise<EndpointReply<E>> {
  return request(endpoint, (input ?? {}) as RequestParts);
}

/** Reads every page of a list that is sorted by id (`PageQuery`). */
export async function callAllPages<E extends Endpoint>(
  endpoint: E,
  filter: Record<string, string> = {},
): Promise<EndpointReply<E>> {
  const items: { id: number }[] = [];
  for (;;) {
    const query = { ...filter, limit: MAX_PAGE_SIZE, after: items.at(-1)?.id };
    const page = (await request(endpoint, { query })) as { id: number }[];
    items.push(...page);
    if (page.length < MAX_PAGE_SIZE) return items as EndpointReply<E>;
  }
}

/** Asks the tutor to prove their identity. Resolves to false if they decline. */
type RequestReauth = () => Promise<boolean>;
let requestReauth: RequestReauth | null = null;

export function setReauthHandler(handler: RequestReauth | null): void {
  requestReauth = handler;
}

/** The tutor closed the dialog that asks them to prove their identity, so there is nothing to report. */
export const isReauthDeclined = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'confirmation_needed';

/** Repeats the request after the tutor has reauthenticated, if the endpoint requires that. */
async function request<E extends Endpoint>(
  endpoint: E,
  parts: RequestParts,
): Promise<EndpointReply<E>> {
  const response = await send(endpoint, parts);
  if (!response.ok) {
    const error = await toApiError(response);
    const canRepeat = error.code === 'confirmation_needed' && (await requestReauth?.());
    if (canRepeat) return request(endpoint, parts);
    throw error;
  }
  try {
    return (await response.json()) as EndpointReply<E>;
  } catch {
    // A truncated response, or a proxy's page.
    throw new ApiError({ status: response.status, message: '' });
  }
}

async function send(endpoint: Endpoint, parts: RequestParts): Promise<Response> {
  const headers: Record<string, string> = { 'Cache-Control': 'no-cache', Pragma: 'no-cache' };
  // Prevents a double click or a lost response from saving twice.
  if (endpoint.idempotent && parts.idempotencyKey)
    headers['Idempotency-Key'] = parts.idempotencyKey;
  const init: RequestInit = {
    method: endpoint.method,
    credentials: 'include',
    cache: 'no-store',
    headers,
    ...(parts.signal && { signal: parts.signal }),
  };
  if (endpoint.body) {
    headers['Content-Type'] = 'application/json';
    init.body = JSON.stringify(parts.body);
  }
  try {
    const response = await fetch(buildUrl(endpoint, parts), init);
    // A response is more reliable than the browser's own online flag.
    onlineManager.setOnline(true);
    const revision = response.headers.get(REVISION_HEADER);
    if (revision) reportRevision(Number(revision));
    return response;
  } catch (error) {
    // A request that was cancelled says nothing about the network.
    if (parts.signal?.aborted) throw error;
    onlineManager.setOnline(false);
    throw new ApiError({ status: 0, message: '' });
  }
}

function buildUrl(endpoint: Endpoint, parts: RequestParts): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(parts.params?.[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

async function toApiError(response: Response): Promise<ApiError> {
  const { status } = response;
  const type = response.headers.get('Content-Type') ?? '';
  const fallback = `${status} ${response.statusText}`.trim();
  const text = await response.text().catch(() => '');

  if (type.includes('json')) {
    const body = parseBody(text);
    return new ApiError({
      status,
      message: body.message || fallback,
      userMessage: body.message || undefined,
      code: body.code,
      fields: body.fields,
      overlaps: body.overlaps,
    });
  }

  // A proxy's HTML page is useful in a log but not to the tutor.
  const isReadable = text !== '' && !type.includes('html');
  return new ApiError({
    status,
    message: text || fallback,
    userMessage: isReadable ? text : undefined,
  });
}

function parseBody(text: string): Partial<ErrorBody> {
  try {
    return (JSON.parse(text) as Partial<ErrorBody> | null) ?? {};
  } catch {
    return {};
  }
}
