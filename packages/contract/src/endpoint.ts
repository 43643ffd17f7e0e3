import type * as z from 'zod/mini';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One call of the API, described once for browser and server.
 * `access` is part of the contract, so that an endpoint cannot be open by forgetting something:
 * 'login' needs a signed-in tutor, 'public' is for everyone.
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
  /** The answer is a file of this type instead of JSON. */
  readonly file?:
    | 'application/pdf'
    | 'application/zip'
    | 'text/calendar'
    | 'text/csv'
    | 'text/event-stream'
    | 'text/plain';
  /** A page of somebody else sends the browser here, and it is sent on to a page of ours. */
  readonly redirects?: true;
  /** Called by a vendor, who signs the body as it stands on the wire: the handler gets it unread. */
  readonly signed?: true;
  /** Whoever holds the address may call it from anywhere, a mail program too: nothing else is believed, least of all a cookie. */
  readonly allowCrossOrigin?: true;
  /** The body carries a file as text. */
  readonly largeBody?: true;
  readonly status?: 200 | 201 | 202;
  /** A repeat with the same Idempotency-Key gets the first answer again and changes nothing. */
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

/** What a caller hands over. */
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
