import { join } from 'node:path';
import type { Plugin } from 'vite';

/** A plugin that runs once the bundle is written. Several such plugins run one after another, in the order listed. */
export function createPostBuildPlugin(
  name: string,
  run: (root: string, folder: string) => Promise<void>,
): Plugin {
  let root = '';
  let folder = '';
  return {
    name: `lessonbook:${name}`,
    apply: 'build',
    configResolved: (config) => {
      root = config.root;
      folder = join(config.root, config.build.outDir);
    },
    closeBundle: { sequential: true, handler: () => run(root, folder) },
  };
}
