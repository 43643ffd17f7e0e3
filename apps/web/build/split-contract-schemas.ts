import { basename } from 'node:path';
import type { Plugin, parseAst } from 'vite';

type Program = ReturnType<typeof parseAst>;
type Statement = Program['body'][number];
type Declaration = Extract<Statement, { type: 'VariableDeclaration' }>['declarations'][number];
type Node =
  | NonNullable<Declaration['init']>
  | { type: 'SpreadElement'; start: number; end: number };

interface Constant {
  statement: Statement;
  name: string;
  value: Node;
}

const VALUES_QUERY = '?values';
/** The endpoint properties that `callApi` in `lib/http.ts` reads. For the body, it only checks whether there is one. */
const BROWSER_PARTS = new Set(['method', 'path', 'body', 'idempotent']);

/**
 * The browser needs a schema to validate a form, but not to call an endpoint. Therefore the build moves the endpoints
 * and the plain constants of each contract module to a module without schemas. Otherwise every page would load zod.
 */
export const splitContractSchemas = (): Plugin => ({
  name: 'lessonbook:split-contract-schemas',
  apply: 'build',
  transform: {
    filter: { id: /[\\/]packages[\\/]contract[\\/]src[\\/]/ },
    handler(code, id) {
      const constants = findConstants(this.parse(code));
      const result = id.endsWith(VALUES_QUERY)
        ? writeValues(code, constants)
        : writeSchemas(code, constants, basename(id));
      return { code: result, map: null, moduleSideEffects: false };
    },
  },
});

function findConstants({ body }: Program): Constant[] {
  return body.flatMap((statement) => {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration') return [];
    return declaration.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init ? { statement, name: id.name, value: init } : [],
    );
  });
}

function writeValues(code: string, constants: readonly Constant[]): string {
  return constants
    .filter(isMoved)
    .map(({ name, value }) => {
      const text =
        value.type === 'CallExpression'
          ? writeEndpoints(code, value.arguments[0])
          : code.slice(value.start, value.end);
      return `export const ${name} = ${text};\n`;
    })
    .join('');
}

const isMoved = ({ value }: Constant): boolean => isEndpoints(value) || isPlain(value);

const isEndpoints = (value: Node): boolean =>
  value.type === 'CallExpression' &&
  value.callee.type === 'Identifier' &&
  value.callee.name === 'defineEndpoints';

function isPlain(value: Node | null): boolean {
  if (value?.type === 'ArrayExpression') return value.elements.every(isPlain);
  return value?.type === 'Literal';
}

function writeEndpoints(code: string, endpoints: Node | undefined): string {
  const lines = readProperties(code, endpoints).map(([key, endpoint]) => {
    const parts = readProperties(code, endpoint).filter(([part]) => BROWSER_PARTS.has(part));
    const texts = parts.map(([part, { start, end }]) =>
      part === 'body' ? 'body: true' : `${part}: ${code.slice(start, end)}`,
    );
    return `${key}: { ${texts.join(', ')} },`;
  });
  return `{\n${lines.join('\n')}\n}`;
}

function readProperties(code: string, object: Node | undefined): [key: string, value: Node][] {
  if (object?.type !== 'ObjectExpression') throw new Error('Endpoints must be object literals');
  return object.properties.map((property) => {
    if (property.type !== 'Property') throw new Error('Endpoints must not use the spread syntax');
    return [code.slice(property.key.start, property.key.end), property.value];
  });
}

function writeSchemas(code: string, constants: readonly Constant[], file: string): string {
  let result = code;
  for (const constant of constants.toReversed()) {
    const { statement, value } = constant;
    const replace = ({ start, end }: { start: number; end: number }, text: string) => {
      result = result.slice(0, start) + text + result.slice(end);
    };
    if (isMoved(constant)) replace(statement, '');
    // The bundler drops an unused schema only if creating it is marked as free of side effects.
    else if (value.type === 'CallExpression' || value.type === 'ObjectExpression')
      replace(value, `/* @__PURE__ */ (() => (${code.slice(value.start, value.end)}))()`);
  }
  const moved = constants.filter(isMoved);
  if (moved.length === 0) return result;
  const exported = moved.filter(({ statement }) => statement.type === 'ExportNamedDeclaration');
  const list = (names: readonly Constant[]) => names.map(({ name }) => name).join(', ');
  return `import { ${list(moved)} } from './${file}${VALUES_QUERY}';
export { ${list(exported)} };
${result}`;
}
