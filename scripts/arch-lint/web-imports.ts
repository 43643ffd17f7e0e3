import { isTest, type Problem, type SourceFile } from './source-file-types.ts';

const WEB = 'apps/web/src/';

/** Ordered from highest to lowest; a file may import from its own layer and from lower ones. */
const LAYERS = ['routes', 'app', 'pages', 'features', 'components', 'lib'];
/** Folders on the same level as lib. */
const LIB_LEVEL_FOLDERS = ['styles'];
/** These features may import any other feature, and no other feature may import them. */
const COMPOSITION_FEATURES = ['command-palette'];

/** Checks the web app's import boundaries. */
export function checkWebImports(files: readonly SourceFile[]): Problem[] {
  return files
    .filter((file) => file.path.startsWith(WEB) && !isTest(file.path))
    .flatMap((file) => [...unknownFolderProblems(file), ...importProblems(file)]);
}

function unknownFolderProblems(file: SourceFile): Problem[] {
  const folder = folderOf(file.path);
  if (folder === '' || layerOf(folder) !== undefined) return [];
  const message = `The web app has the folders ${LAYERS.join(', ')} and no "${folder}": components of one domain belong in features/<domain>, shared ones in components, the rest in lib`;
  return [{ path: file.path, line: 1, message }];
}

function importProblems(file: SourceFile): Problem[] {
  return file.imports.flatMap((each) => {
    const message = each.target === undefined ? undefined : importProblem(file.path, each.target);
    return message === undefined ? [] : [{ path: file.path, line: each.line, message }];
  });
}

function importProblem(from: string, to: string): string | undefined {
  if (to.startsWith('apps/server/')) {
    return 'The web app may not import the server: put shared code into packages/contract';
  }
  if (!to.startsWith(WEB)) return undefined;

  const fromFolder = folderOf(from);
  const toFolder = folderOf(to);
  // main.tsx and the other entry files may import anything.
  if (fromFolder === '') return undefined;
  if (toFolder === '') return `${to.slice(WEB.length)} is an entry file and may not be imported`;

  const fromLayer = layerOf(fromFolder);
  const toLayer = layerOf(toFolder);
  if (fromLayer === undefined || toLayer === undefined) return undefined;
  if (toLayer < fromLayer) {
    return `${fromFolder} may not import ${toFolder}, a higher layer (${LAYERS.join(' → ')}): move the shared part down, or pass it in as a prop`;
  }
  return fromFolder === 'features' && toFolder === 'features'
    ? crossFeatureProblem(from, to)
    : undefined;
}

function crossFeatureProblem(from: string, to: string): string | undefined {
  const [, fromFeature = ''] = from.slice(WEB.length).split('/');
  const [, toFeature = '', ...inside] = to.slice(WEB.length).split('/');
  if (fromFeature === toFeature) return undefined;
  if (COMPOSITION_FEATURES.includes(toFeature)) {
    return `No feature may import ${toFeature}, which itself imports the other features: pass a callback in from app/`;
  }
  if (inside.join('/') === 'api.ts' || inside[0] === 'shared') return undefined;
  if (COMPOSITION_FEATURES.includes(fromFeature)) return undefined;
  return `The feature ${fromFeature} may import only api.ts and shared/ of ${toFeature}: move a domain component that both need into ${toFeature}/shared/, a presentational one into components/, or combine the two in a page`;
}

/** The top-level folder under src, or '' for a file directly in src. */
function folderOf(path: string): string {
  const [first = '', second] = path.slice(WEB.length).split('/');
  return second === undefined ? '' : first;
}

function layerOf(folder: string): number | undefined {
  const layer = LAYERS.indexOf(LIB_LEVEL_FOLDERS.includes(folder) ? 'lib' : folder);
  return layer === -1 ? undefined : layer;
}
