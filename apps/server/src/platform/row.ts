import type { Compilable } from 'kysely';

/** The row that a query gives. */
export type RowOf<Q> = Q extends Compilable<infer Row> ? Row : never;
