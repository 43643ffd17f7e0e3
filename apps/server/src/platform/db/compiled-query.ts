import type { Compilable, CompiledQuery } from 'kysely';
import type { Tx } from './database.ts';

/** The row that a query gives. */
export type RowOf<Q> = Q extends Compilable<infer Row> ? Row : never;

interface Template {
  query: CompiledQuery;
  /** What stands at each parameter: the number of an argument, or a value that is always the same. */
  parameters: readonly ({ argument: number } | { value: unknown })[];
}

/**
 * A query for the screens that are opened most: built once, and from then on only filled in, since building a statement
 * costs more than sending it. `build` must put its arguments into the statement without looking at them; the first call
 * makes sure of that.
 */
export function compiledQuery<Args extends unknown[], Row>(
  build: (tx: Tx, ...args: Args) => Compilable<Row>,
): (tx: Tx, ...args: Args) => Compilable<Row> {
  let template: Template | undefined;
  return (tx, ...args) => ({
    compile: () => {
      template ??= createTemplate((...given: unknown[]) => build(tx, ...(given as Args)), args);
      return fillTemplate(template, args);
    },
  });
}

/** Builds the query with a mark in place of each argument, and sees where the marks come out. */
function createTemplate(build: (...args: unknown[]) => Compilable, args: unknown[]): Template {
  const placeholders = args.map((_, index) => Symbol(`argument ${index}`));
  const query = build(...placeholders).compile();
  const parameters = query.parameters.map((value) => {
    const argument = placeholders.indexOf(value as symbol);
    return argument === -1 ? { value } : { argument };
  });
  const template = { query, parameters };
  assertSameQuery(fillTemplate(template, args), build(...args).compile());
  return template;
}

const fillTemplate = ({ query, parameters }: Template, args: unknown[]): CompiledQuery => ({
  ...query,
  parameters: parameters.map((each) => ('value' in each ? each.value : args[each.argument])),
});

function assertSameQuery(filled: CompiledQuery, built: CompiledQuery): void {
  const same =
    filled.sql === built.sql &&
    filled.parameters.length === built.parameters.length &&
    filled.parameters.every((value, index) => Object.is(value, built.parameters[index]));
  if (!same) throw new Error(`A prepared query looks at its arguments: ${built.sql}`);
}
