import type { Compilable, CompiledQuery } from 'kysely';
import type { Tx } from './database.ts';

export type RowOf<Q> = Q extends Compilable<infer Row> ? Row : never;

interface Template {
  query: CompiledQuery;
  /** The index of an argument, or a constant. */
  parameters: readonly ({ argument: number } | { value: unknown })[];
}

/**
 * A query that is built once and then reused with different arguments, because building a statement costs more than
 * sending it. `build` must pass its arguments to the statement without inspecting them; the first call verifies this.
 */
export function compiledQuery<Args extends unknown[], Row>(
  build: (tx: Tx, ...args: Args) => Compilable<Row>,
): (tx: Tx, ...args: Args) => Compilable<Row> {
  let template: Template | undefined;
  return (tx, ...args) => ({
    compile: () => {
      template ??= createTemplate((...values: unknown[]) => build(tx, ...(values as Args)), args);
      return fillTemplate(template, args);
    },
  });
}

/** Builds the query with a placeholder for each argument, then locates the placeholders among its parameters. */
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
  parameters: parameters.map((parameter) =>
    'value' in parameter ? parameter.value : args[parameter.argument],
  ),
});

function assertSameQuery(filled: CompiledQuery, built: CompiledQuery): void {
  const same =
    filled.sql === built.sql &&
    filled.parameters.length === built.parameters.length &&
    filled.parameters.every((value, index) => Object.is(value, built.parameters[index]));
  if (!same) throw new Error(`A compiled query depends on its arguments: ${built.sql}`);
}
