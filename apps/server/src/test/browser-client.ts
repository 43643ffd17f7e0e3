import type { Endpoint, EndpointArguments, EndpointReply } from '@lessonbook/contract/endpoint';
import type { ErrorBody } from '@lessonbook/contract/errors';

export interface ApiResponse<Body> {
  status: number;
  /** Typed from the contract. The type is correct only for successful responses. */
  body: Body;
  error: ErrorBody;
  headers: Headers;
}

export function toRequest(endpoint: Endpoint, input: unknown): { path: string; body: unknown } {
  const { params, query, body } = (input ?? {}) as {
    params?: Record<string, unknown>;
    query?: Record<string, string>;
    body?: unknown;
  };
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name])),
  );
  const search = query ? `?${new URLSearchParams(query).toString()}` : '';
  return { path: path + search, body };
}

/** An API client that keeps cookies and sends an Origin header. */
export class Browser {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  cookies = new Map<string, string>();

  constructor(url: string, origin: string, headers: Record<string, string> = {}) {
    this.#url = url;
    this.#headers = { origin, ...headers };
  }

  async call<E extends Endpoint>(
    endpoint: E,
    ...[input]: EndpointArguments<E>
  ): Promise<ApiResponse<EndpointReply<E>>> {
    const { path, body } = toRequest(endpoint, input);
    return this.send(endpoint.method, path, body) as Promise<ApiResponse<EndpointReply<E>>>;
  }

  /** Sends any request, without checking it against the contract's types. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    signal: AbortSignal | null = null,
  ): Promise<ApiResponse<unknown>> {
    const response = await fetch(this.#url + path, {
      method,
      signal,
      redirect: 'manual',
      headers: {
        ...this.#headers,
        ...(this.cookies.size > 0
          ? { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
          : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    this.#storeCookies(response.headers);
    const text = await response.text();
    const isJson = text !== '' && response.headers.get('content-type')?.includes('json');
    const parsed: unknown = isJson ? JSON.parse(text) : text;
    return {
      status: response.status,
      body: parsed,
      error: parsed as ErrorBody,
      headers: response.headers,
    };
  }

  #storeCookies(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}
