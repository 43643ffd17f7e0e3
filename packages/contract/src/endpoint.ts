import type * as z from 'zod/mini';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * An API endpoint, described once for both browser and server. `access` is required so that no endpoint is public by
 * mistake:
 *   login          a tutor who is logged in
 *   contact-login  a person who is signed in to the family portal
 *   contact        the same, acting as a contact of one tutor; the `publicId` parameter identifies the contact
 */
export interface Endpoint {
  readonly method: Method;
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly access: 'login' | 'contact-login' | 'contact' | 'public';
  /**
   * The tutor must have proved their identity in the last ten minutes; otherwise the server responds with
   * `confirmation_needed`. For changes that move money, disclose data or affect who can log in.
   */
  readonly requires?: 'recent-auth';
  readonly params?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  readonly reply: z.ZodMiniType;
  /** The response is a file of this type rather than JSON. */
  readonly file?:
    | 'application/pdf'
    | 'application/zip'
    | 'text/calendar'
    | 'text/csv'
    | 'text/event-stream'
    | 'text/plain';
  /** Reached by navigation from an external site (an OAuth callback); redirects to one of our pages. */
  readonly redirects?: true;
  /** A webhook: the vendor signs the raw body, so the handler receives it unparsed. */
  readonly signed?: true;
  /**
   * May be called from any origin, including by mail clients: the token in the path is the only credential, and cookies
   * are ignored.
   */
  readonly allowCrossOrigin?: true;
  /** The body contains the text of a file. */
  readonly largeBody?: true;
  readonly status?: 200 | 201 | 202;
  /** Repeating a request with the same Idempotency-Key returns the stored reply and changes nothing. */
  readonly idempotent?: true;
}

/** Checks the shape of a domain's endpoints while preserving their literal types. */
export const defineEndpoints = <const E extends Record<string, Endpoint>>(endpoints: E): E =>
  endpoints;

/**
 * The response to every write that has changed a signed-in tutor's data has this header: the tutor's revision after the
 * change.
 */
export const REVISION_HEADER = 'x-revision';

/** The largest number of items in one page of a list. */
export const MAX_PAGE_SIZE = 500;

type Part = 'params' | 'query' | 'body';
/** A part whose fields are all optional may be left out. */
type PartInput<E extends Endpoint, P extends Part> = E[P] extends z.ZodMiniType
  ? object extends z.input<E[P]>
    ? { [K in P]?: z.input<E[P]> }
    : { [K in P]: z.input<E[P]> }
  : unknown;
type PartOutput<E extends Endpoint, P extends Part> = E[P] extends z.ZodMiniType
  ? z.output<E[P]>
  : undefined;

/** The input a caller passes. */
export type EndpointInput<E extends Endpoint> = PartInput<E, 'params'> &
  PartInput<E, 'query'> &
  PartInput<E, 'body'>;

/** The arguments that follow the endpoint in a call. */
export type EndpointArguments<E extends Endpoint, Extra = unknown> =
  unknown extends EndpointInput<E>
    ? []
    : object extends EndpointInput<E>
      ? [input?: EndpointInput<E> & Extra]
      : [input: EndpointInput<E> & Extra];

/** The parsed input a handler receives. */
export interface EndpointRequest<E extends Endpoint> {
  params: PartOutput<E, 'params'>;
  query: PartOutput<E, 'query'>;
  body: PartOutput<E, 'body'>;
}

export type EndpointReply<E extends Endpoint> = z.output<E['reply']>;
