/** Routes that are not in the OpenAPI document, with the reason. */
export const UNDOCUMENTED_ROUTES: Record<string, string> = {
  'get /api/openapi.json': 'the OpenAPI document',
  'get /api/docs': 'the API documentation page',
  'get /healthz': 'for the operator',
  'get /readyz': 'for the operator',
  'get /metrics': 'for the operator, protected by a token',
  'get /': 'the landing page',
  'get /*': 'static files',
};

/** Fastify prints its routes as a tree; a route's path is the concatenation of its ancestors' segments. */
export function parseRouteTree(tree: string): string[] {
  const segments: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', segment = '', methods = ''] =
      /^(.*?)[└├]── (\S+)(?: \(([^)]+)\))?$/.exec(line) ?? [];
    segments.length = indent.length / 4;
    segments.push(segment);
    return methods
      .split(', ')
      .filter((method) => method !== '' && method !== 'HEAD')
      .map(
        (method) =>
          `${method.toLowerCase()} ${segments.join('').replace(/:(\w+)(\(\^\[\\w-\]\+\))?/g, '{$1}')}`,
      );
  });
}

/** Routes that are neither in the OpenAPI document nor in UNDOCUMENTED_ROUTES. */
export function undocumentedRoutes(tree: string, documented: readonly string[]): string[] {
  const known = new Set([...documented, ...Object.keys(UNDOCUMENTED_ROUTES)]);
  return parseRouteTree(tree).filter((route) => !known.has(route));
}
