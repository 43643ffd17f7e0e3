import type * as z from 'zod/mini';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One API call, described once for browser and server. `access` is required, so that no endpoint is public by mistake:
 * 'login' requires a signed-in tutor.
 */
export interface Endpoint {
  readonly method: Method;
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly access: 'login' | 'public';
  readonly params?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  readonly reply: z.ZodMiniType;
  /** The response is a file of this type instead of JSON. */
  readonly file?:
    | 'application/pdf'
    | 'application/zip'
    | 'text/calendar'
    | 'text/csv'
    | 'text/event-stream'
    | 'text/plain';
  /** A navigation from an external site (OAuth callback) that redirects to one of our pages. */
  readonly redirects?: true;
  /** A webhook: the vendor signs the raw body, so the handler receives it unparsed. */
  readonly signed?: true;
  /** Any origin may call it, mail programs too: the token in the path is the only credential, cookies are ignored. */
  readonly allowCrossOrigin?: true;
  /** The body contains a file as text. */
  readonly largeBody?: true;
  readonly status?: 200 | 201 | 202;
  /** A repeat with the same Idempotency-Key gets the stored first reply and changes nothing. */
  readonly idempotent?: true;
}

/** Keeps the literal types of a domain's endpoints while checking their shape. */
export const defineEndpoints = <const E extends Record<string, Endpoint>>(endpoints: E): E =>
  endpoints;

type Part = 'params' | 'query' | 'body';
type PartInput<E extends Endpoint, P extends Part> = E[P] extends z.ZodMiniType
  ? { [K in P]: z.input<E[P]> }
  : unknown;
type PartOutput<E extends Endpoint, P extends Part> = E[P] extends z.ZodMiniType
  ? z.output<E[P]>
  : undefined;

/** What a caller passes. */
export type EndpointInput<E extends Endpoint> = PartInput<E, 'params'> &
  PartInput<E, 'query'> &
  PartInput<E, 'body'>;

/** What a handler receives, already parsed. */
export interface EndpointRequest<E extends Endpoint> {
  params: PartOutput<E, 'params'>;
  query: PartOutput<E, 'query'>;
  body: PartOutput<E, 'body'>;
}

export type EndpointReply<E extends Endpoint> = z.output<E['reply']>;
