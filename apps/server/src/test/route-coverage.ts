/** What is served and not described, with the reason; everything else that the router knows stands in the document. */
export const UNDOCUMENTED_ROUTES: Record<string, string> = {
  'get /api/openapi.json': 'the document itself',
  'get /api/docs': 'the document as a page',
  'get /healthz': 'for the operator',
  'get /readyz': 'for the operator',
  'get /metrics': 'for the operator, by token or from this machine',
  'get /': 'the landing page',
  'get /*': 'the files of the built pages',
};

/** Fastify prints its routes as a tree; a branch's address is that of its parents put before its own. */
export function parseRouteTree(tree: string): string[] {
  const parents: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', own = '', methods = ''] =
      /^(.*?)[└├]── (\S+)(?: \(([^)]+)\))?$/.exec(line) ?? [];
    parents.length = indent.length / 4;
    parents.push(own);
    return methods
      .split(', ')
      .filter((method) => method !== '' && method !== 'HEAD')
      .map(
        (method) =>
          `${method.toLowerCase()} ${parents.join('').replace(/:(\w+)(\(\^\[\\w-\]\+\))?/g, '{$1}')}`,
      );
  });
}

/** Routes of which the description says nothing. */
export function undocumentedRoutes(tree: string, described: readonly string[]): string[] {
  const known = new Set([...described, ...Object.keys(UNDOCUMENTED_ROUTES)]);
  return parseRouteTree(tree).filter((route) => !known.has(route));
}
