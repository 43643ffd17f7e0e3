import { isTest, type Problem, type SourceFile } from './source-file.ts';

const WEB = 'apps/web/src/';

/** From the roof down; a file imports its own floor and those below. */
const LAYERS = ['app', 'pages', 'features', 'components', 'lib'];
/** The look of the component library: on the lowest floor, beside lib. */
const LIB_LEVEL_FOLDERS = ['styles'];
/** Features that open the dialogs of many others; none may import them. */
const COMPOSITION_FEATURES = ['command-palette'];

/** Who may import whom in the web app. */
export function checkWebImports(files: readonly SourceFile[]): Problem[] {
  return files
    .filter((file) => file.path.startsWith(WEB) && !isTest(file.path))
    .flatMap((file) => [...unknownFolder(file), ...wrongImports(file)]);
}

function unknownFolder(file: SourceFile): Problem[] {
  const folder = folderOf(file.path);
  if (folder === '' || layerOf(folder) !== undefined) return [];
  const message = `The web app has the folders ${LAYERS.join(', ')} and no "${folder}": what one domain shows belongs in features/<domain>, what several share in components, the rest in lib`;
  return [{ path: file.path, line: 1, message }];
}

function wrongImports(file: SourceFile): Problem[] {
  return file.imports.flatMap((each) => {
    const message = each.target === undefined ? undefined : importProblem(file.path, each.target);
    return message === undefined ? [] : [{ path: file.path, line: each.line, message }];
  });
}

function importProblem(from: string, to: string): string | undefined {
  if (to.startsWith('apps/server/')) {
    return 'The browser knows the server by the contract alone: put the shared words into packages/contract';
  }
  if (!to.startsWith(WEB)) return undefined;

  const fromFolder = folderOf(from);
  const toFolder = folderOf(to);
  // main.tsx and its like stand on the roof and may see everything.
  if (fromFolder === '') return undefined;
  if (toFolder === '')
    return `${to.slice(WEB.length)} is where the app starts: nothing inside may import it`;

  const fromFloor = layerOf(fromFolder);
  const toFloor = layerOf(toFolder);
  if (fromFloor === undefined || toFloor === undefined) return undefined;
  if (toFloor < fromFloor) {
    return `${fromFolder} may not import ${toFolder}, which stands above it (${LAYERS.join(' → ')}): move the shared part down, or pass it in as a prop`;
  }
  return fromFolder === 'features' && toFolder === 'features'
    ? crossFeatureProblem(from, to)
    : undefined;
}

function crossFeatureProblem(from: string, to: string): string | undefined {
  const fromFeature = from.slice(WEB.length).split('/')[1];
  const [, toFeature, ...inside] = to.slice(WEB.length).split('/');
  if (fromFeature === toFeature || inside.join('/') === 'api.ts' || inside[0] === 'shared')
    return undefined;
  if (fromFeature !== undefined && COMPOSITION_FEATURES.includes(fromFeature)) return undefined;
  return `The feature ${fromFeature} may use ${toFeature}/api.ts and nothing else of it: what both show belongs in components/, or a page puts the two together`;
}

/** The first folder below src, or '' for a file that stands in src itself. */
function folderOf(path: string): string {
  const [first = '', second] = path.slice(WEB.length).split('/');
  return second === undefined ? '' : first;
}

function layerOf(folder: string): number | undefined {
  const floor = LAYERS.indexOf(LIB_LEVEL_FOLDERS.includes(folder) ? 'lib' : folder);
  return floor === -1 ? undefined : floor;
}
